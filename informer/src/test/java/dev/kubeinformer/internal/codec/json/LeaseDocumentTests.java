package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.election.LeaseRecord;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseDocumentTests {

	private static LeaseRecord read(String field, String value) throws Exception {
		return LeaseDocument
			.read("{\"metadata\":{\"resourceVersion\":\"7\"},\"spec\":{\"%s\":%s}}".formatted(field, value)
				.getBytes(StandardCharsets.UTF_8))
			.record();
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "15;15", "-5;-5", "2147483647;2147483647", "99999999999;0", "1e400;0",
			"null;0", "'\"x\"';0", "[];0", "{};0" })
	void durationThatIsNoneCountsAsNotThere(String written, int seconds) throws Exception {
		assertThat(read("leaseDurationSeconds", written).durationSeconds()).isEqualTo(seconds);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', nullValues = "none",
			value = { "\"2026-01-01T00:00:00.000001Z\";2026-01-01T00:00:00.000001Z",
					"\"9999-12-31T23:59:59Z\";9999-12-31T23:59:59Z", "\"0000-01-01T00:00:00Z\";0000-01-01T00:00:00Z",
					"\"2026-13-01T00:00:00Z\";none", "\"soon\";none", "\"\";none", "5;none", "null;none", "[];none" })
	void timeThatIsNoneCountsAsNotThere(String written, Instant time) throws Exception {
		assertThat(read("renewTime", written).renewTime()).isEqualTo(time);
		assertThat(read("acquireTime", written).acquireTime()).isEqualTo(time);
	}

}
