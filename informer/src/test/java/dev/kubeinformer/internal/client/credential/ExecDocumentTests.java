package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.credential.ExecDocument.Answer;
import dev.kubeinformer.internal.client.credential.ExecDocument.InvalidAnswerException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of {@link ExecDocument}. The fixtures are what kubectl 1.36 set for plugins.
 */
class ExecDocumentTests {

	private static final String V1 = "client.authentication.k8s.io/v1";

	private static final String V1BETA1 = "client.authentication.k8s.io/v1beta1";

	private static final String URL = "https://127.0.0.1:1/base";

	private static final JsonMapper JSON = JsonMapper.builder().build();

	@Test
	void pluginShouldBeToldWhatKubectlTellsIt() throws Exception {
		ClusterAccess.Server server = server(null, false, null);
		assertInfo("plain", plugin(V1, false, null), server, false);
		assertInfo("never", plugin(V1BETA1, false, null), server, false);
		assertInfo("bare", plugin(V1, true, null), server, false);
		Object config = Map.of("audience", "a", "list", Arrays.asList(1, true, null), "nested", Map.of("b", 2));
		assertInfo("cafile", plugin(V1, true, config), server("other.example", false, "http://127.0.0.1:2"), true);
	}

	@Test
	void pluginShouldBeToldThatTheCertificateIsNotVerified() throws Exception {
		String info = ExecDocument.info(plugin(V1BETA1, true, null), server(null, true, null), null);
		// The option disable-compression of a cluster is not read by this client.
		String expected = fixture("kubectl-insecure.json").replace("\"disable-compression\":true,", "");
		assertThat(JSON.readTree(info)).isEqualTo(JSON.readTree(expected));
	}

	private static void assertInfo(String fixture, ClusterAccess.Plugin plugin, ClusterAccess.Server server,
			boolean authority) throws IOException {
		byte[] pem = authority ? fixture("ca.crt").getBytes(StandardCharsets.UTF_8) : null;
		assertThat(JSON.readTree(ExecDocument.info(plugin, server, pem)))
			.isEqualTo(JSON.readTree(fixture("kubectl-%s.json".formatted(fixture))));
	}

	private static String fixture(String name) throws IOException {
		try (InputStream input = ExecDocumentTests.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(input).readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	private static ClusterAccess.Server server(@Nullable String name, boolean insecure, @Nullable String proxy) {
		return new ClusterAccess.Server(URL, name, insecure, null, proxy);
	}

	private static ClusterAccess.Plugin plugin(String apiVersion, boolean cluster, @Nullable Object config) {
		return new ClusterAccess.Plugin(apiVersion, "x", List.of(), Map.of(), cluster, "Never", null, config);
	}

	@ParameterizedTest
	@ValueSource(strings = { V1, V1BETA1 })
	void tokenShouldBeReadInEachVersion(String version) throws Exception {
		Answer answer = ExecDocument.read(output(version, "{\"token\":\"abc\"}"), version);
		assertThat(answer.token()).isEqualTo("abc");
		assertThat(answer.certificate()).isEmpty();
		assertThat(answer.expires()).isNull();
		assertThat(answer).hasToString("Answer");
	}

	@Test
	void emptyTokenBesideACertificateShouldBeACertificate() throws Exception {
		Answer answer = ExecDocument.read(
				output(V1, "{\"token\":\"\",\"clientCertificateData\":\"c\",\"clientKeyData\":\"k\",\"other\":1}"), V1);
		assertThat(answer.token()).isEmpty();
		assertThat(answer.certificate()).isEqualTo("c");
		assertThat(answer.key()).isEqualTo("k");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"apiVersion\":\"%s\",\"status\":{\"token\":\"abc\"}}\n\n",
			"\uFEFF{\"apiVersion\":\"%s\",\"status\":{\"token\":\"x\",\"token\":\"abc\"}}",
			"apiVersion: %s\nkind: ExecCredential\nstatus:\n  token: abc\n  expirationTimestamp: 2036-01-01T00:00:00Z\n" })
	void outputThatKubectlAcceptsShouldBeAccepted(String output) throws Exception {
		byte[] bytes = output.formatted(V1).getBytes(StandardCharsets.UTF_8);
		assertThat(ExecDocument.read(bytes, V1).token()).isEqualTo("abc");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			'"2026-01-01T00:00:00Z"', 2026-01-01T00:00:00Z
			'"2026-01-01T00:00:00.123456789Z"', 2026-01-01T00:00:00.123456789Z
			'"2026-01-01T01:00:00+01:00"', 2026-01-01T00:00:00Z
			'"2025-12-31T16:30:00.5-07:30"', 2026-01-01T00:00:00.5Z
			'"0001-01-01T00:00:00Z"', -
			null, -
			""")
	void expiryShouldBeReadAsGoReadsIt(String timestamp, @Nullable Instant expires) throws Exception {
		byte[] output = output(V1, "{\"token\":\"abc\",\"expirationTimestamp\":%s}".formatted(timestamp));
		assertThat(ExecDocument.read(output, V1).expires()).isEqualTo(expires);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					null | printed no 'status'
					[] | printed a 'status' that is not an object
					{} | printed neither 'status.token' nor 'status.clientCertificateData'
					{"token":""} | printed neither 'status.token' nor 'status.clientCertificateData'
					{"Token":"s3cret"} | printed neither 'status.token' nor 'status.clientCertificateData'
					{"token":"s3cret","clientCertificateData":"s3cret"} | printed 'status.clientCertificateData' without 'status.clientKeyData'
					{"clientKeyData":"s3cret"} | printed 'status.clientKeyData' without 'status.clientCertificateData'
					{"token":{"s3cret":1}} | printed the field 'token', which is not a string
					{"token":"s3cret\\n"} | printed a 'status.token' that has more than one line, and a token has one
					{"token":"s3cret","expirationTimestamp":"s3cret"} | printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'
					{"token":"s3cret","expirationTimestamp":"2026-01-01T00:00:00"} | printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'
					{"token":"s3cret","expirationTimestamp":""} | printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'
					{"token":"s3cret","expirationTimestamp":"2026-01-01t00:00:00z"} | printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'
					{"token":"s3cret","expirationTimestamp":"2026-01-01T00:00Z"} | printed a 'status.expirationTimestamp' that is not a time such as '2006-01-02T15:04:05Z'
					{"token":"s3cret","expirationTimestamp":12} | printed the field 'expirationTimestamp', which is not a string
					""")
	void statusThatKubectlRefusesShouldSayWhy(String status, String problem) {
		assertProblem(new String(output(V1, status), StandardCharsets.UTF_8), problem);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					'' | printed nothing; it must print an ExecCredential as JSON
					'  ' | printed nothing; it must print an ExecCredential as JSON
					s3cret | did not print a JSON object; it must print an ExecCredential as JSON
					[s3cret | did not print a JSON object; it must print an ExecCredential as JSON
					{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"s3cret"}} more | did not print a JSON object; it must print an ExecCredential as JSON
					{"status":{"token":"s3cret"}} | printed the apiVersion '', but the kubeconfig names 'client.authentication.k8s.io/v1'
					{"kind":"Secret","apiVersion":"v1"} | printed an object of the kind 'Secret' instead of 'ExecCredential'
					{"kind":"ExecCredential","status":{"token":"s3cret"}} | printed the apiVersion '', but the kubeconfig names 'client.authentication.k8s.io/v1'
					{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1"} | printed the apiVersion 'client.authentication.k8s.io/v1beta1', but the kubeconfig names 'client.authentication.k8s.io/v1'
					{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"} | printed no 'status'
					""")
	void outputThatKubectlRefusesShouldSayWhy(String output, String problem) {
		assertProblem(output, problem);
	}

	private static void assertProblem(String output, String problem) {
		assertThatExceptionOfType(InvalidAnswerException.class)
			.isThrownBy(() -> ExecDocument.read(output.getBytes(StandardCharsets.UTF_8), V1))
			.withMessage(problem)
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cret"))
			.withNoCause();
	}

	@ParameterizedTest
	@CsvSource({ V1 + ", true", V1BETA1 + ", true", "client.authentication.k8s.io/v1alpha1, false", "v1, false",
			"'', false" })
	void versionsOfClientGoShouldBeKnown(String version, boolean known) {
		assertThat(ExecDocument.isKnown(version)).isEqualTo(known);
	}

	private static byte[] output(String version, String status) {
		return "{\"kind\":\"ExecCredential\",\"apiVersion\":\"%s\",\"status\":%s}".formatted(version, status)
			.getBytes(StandardCharsets.UTF_8);
	}

}
