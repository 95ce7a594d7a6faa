package dev.kubeinformer.test.internal.schema;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FormatsTests {

	@ParameterizedTest
	@CsvSource({ "date-time, 2024-01-02T03:04:05Z, true", "date-time, 2024-01-02, false", "date, 2024-02-30, false",
			"ipv4, 010.0.0.1, true", "ipv4, 10.0.0, false", "ipv6, fe80::1, true", "ipv6, 10.0.0.1, false",
			"cidr, 10.0.0.0/33, false", "cidr, fe80::/64, true", "mac, 00:11:22:33:44:55, true", "mac, 00:11, false",
			"duration, 3 days, true", "duration, soon, false", "byte, YWJj, true", "byte, abc, false",
			"uri, http://a.b/c, true", "uri, a b, false", "hostname, a.example.com, true", "email, a@b.c, true",
			"uuid, 123e4567-e89b-42d3-a456-426614174000, true", "isbn, 0321751043, true",
			"isbn13, 978-0321751041, true", "creditcard, 4111 1111 1111 1111, true",
			"creditcard, 4111 1111 1111 1112, false", "k8s-short-name, a-b, true", "k8s-short-name, a.b, false",
			"k8s-long-name, a.b, true" })
	void textShouldBeChecked(String format, String text, boolean valid) {
		assertThat(Formats.matches(format, text)).isEqualTo(valid);
	}

	@Test
	void unknownFormatShouldBeIgnored() {
		assertThat(Formats.known(List.of("string"), "nonsense")).isEmpty();
		assertThat(Formats.known(List.of("string"), "date-time")).isEqualTo("date-time");
		assertThat(Formats.known(List.of("integer"), "float")).isEmpty();
	}

}
