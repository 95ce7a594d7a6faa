package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the messages about refusals. {@code refusals.txt} contains answers of
 * kube-apiserver 1.31 and 1.36 to requests whose objects contain "topsecret", each with
 * the expected message.
 */
class RefusalTests {

	private static final ModelJson JSON = new ModelJson(new JsonMappers(false));

	@ParameterizedTest
	@MethodSource
	void refusalShouldSayWhyAndQuoteNoValue(Answer answer) {
		Refusal refusal = read(answer.status, answer.isAboutSecret());
		assertThat(refusal.describe(code(answer.status), answer.isAboutSecret())).isEqualTo(answer.expected);
	}

	static List<Answer> refusalShouldSayWhyAndQuoteNoValue() throws IOException {
		try (InputStream input = RefusalTests.class.getResourceAsStream("refusals.txt")) {
			String text = new String(Objects.requireNonNull(input).readAllBytes(), StandardCharsets.UTF_8);
			return Arrays.stream(text.split("\n\n"))
				.map((block) -> block.strip().split("\n"))
				.map((lines) -> new Answer(lines[0], lines[1], lines[2]))
				.toList();
		}
	}

	private static Refusal read(String answer, boolean secret) {
		byte[] body = answer.getBytes(StandardCharsets.UTF_8);
		ApiStatus status = JSON.readStatus(500, body);
		return Refusal.of(status, JSON.readCauses(body), secret);
	}

	private static int code(String answer) {
		return JSON.readStatus(500, answer.getBytes(StandardCharsets.UTF_8)).code();
	}

	@Test
	void nothingThatOthersSayAboutASecretShouldBeQuoted() throws IOException {
		for (Answer answer : refusalShouldSayWhyAndQuoteNoValue()) {
			Refusal refusal = read(answer.status, true);
			assertThat(refusal.text()).as(answer.name)
				.doesNotContain("4711", "dG9wc2VjcmV0", "team label", "size is", "bad thing");
			if (!answer.name.contains("dup") && !answer.name.contains("unknown")) {
				assertThat(refusal.text()).as(answer.name).doesNotContainIgnoringCase("topsecret");
			}
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			password hunter2 is too weak | HTTP 403 admission webhook "a.b" denied the request: no
			hunter2 | HTTP 403 admission webhook "a.b" denied the request: no
			Hunter2 | HTTP 403 admission webhook "a.b" denied the request: no
			Forbidden | HTTP 403 Forbidden: admission webhook "a.b" denied the request: no
			""")
	void reasonThatIsNoWordOfTheApiShouldNotBeShown(String reason, String described) {
		ApiStatus status = new ApiStatus(403, reason, "admission webhook \"a.b\" denied the request: no", "", null);
		Refusal refusal = Refusal.of(status, List.of(), false);
		assertThat(refusal.reason()).isEqualTo(reason.equals("Forbidden") ? "Forbidden" : "");
		assertThat(refusal.describe(403, false)).isEqualTo(described);
		assertThat(Failure.of(status).reason()).isEqualTo(reason.equals("Forbidden") ? "Forbidden" : "HTTP403");
		assertThat(new ApiStatusException(status).getMessage()).isEqualTo(("HTTP 403 " + refusal.reason()).strip());
	}

	@ParameterizedTest
	@MethodSource
	void kindsOf403ShouldBeToldApart(String message, String causes, boolean right, boolean terminating) {
		ApiStatus status = new ApiStatus(403, "Forbidden", message, causes, null);
		assertThat(Refusal.isMissingRight(status)).isEqualTo(right);
		assertThat(Refusal.isTerminating(status)).isEqualTo(terminating);
	}

	static Stream<Object[]> kindsOf403ShouldBeToldApart() {
		return Stream.of(
				new Object[] {
						"events.events.k8s.io is forbidden: User \"viewer\" cannot create resource "
								+ "\"events\" in API group \"events.k8s.io\" in the namespace \"c1\"",
						"", true, false },
				new Object[] {
						"events.events.k8s.io \"cm\" is forbidden: unable to create new content in namespace "
								+ "dying because it is being terminated",
						"NamespaceTerminating:namespace dying is being terminated", false, true },
				new Object[] { "pods \"p\" is forbidden: violates PodSecurity \"restricted:latest\"", "", false,
						false },
				new Object[] { "pods \"p\" is forbidden: exceeded quota: q, requested: pods=1", "", false, false });
	}

	private record Answer(String name, String status, String expected) {

		boolean isAboutSecret() {
			return this.name.startsWith("secret-");
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
