package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.lease.LeaseRequests;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Reading of {@code Warning} headers. The first rows are headers of kube-apiserver 1.36.
 */
class WarningsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice" | v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice
					299 - "unknown field \\"spec.containers[0].bad\\\\\\"q,uote\\"" | unknown field "spec.containers[0].bad\\"q,uote"
					299 - "" |
					299 - "  " |
					299 admission.example.com "a" "Tue, 15 Nov 1994 08:12:31 GMT" | a
					299 - "a", 299 - "b, c",199 x "other" , 299 y "d" | a;b, c;d
					199 - "other code" |
					214 - "Transformation applied", 299 - "a" | a
					299 - "not closed |
					299 - "ends in an escape\\ |
					299 - no quotes |
					299 "no agent" |
					29 - "short code" |
					299 - "a" and more | ``
					299 - "a",, 299 - "b" | a
					299 -    "blanks"   | blanks
					""")
	void headerHasTheseTexts(String header, String texts) {
		assertThat(String.join(";", Warnings.read(List.of(header)))).isEqualTo((texts != null) ? texts : "");
	}

	@Test
	void textIsCutAndItsControlCharactersAreEscaped() {
		assertThat(Warnings.read(List.of("299 - \"" + "x".repeat(100_000) + "\""))).singleElement()
			.satisfies((text) -> assertThat(text).hasSizeLessThanOrEqualTo(257).endsWith("…"));
		assertThat(Warnings.read(List.of("299 - \"a\u001b[31m\u202eb\""))).containsExactly("a\\u001B[31m\\u202Eb");
	}

	@ParameterizedTest
	@ValueSource(strings = { "299 - \"a\",", "299 - \"\\\\\",", "299 - \"a" })
	void headersThatAreManyOrLongCostLittle(String value) {
		List<String> headers = Collections.nCopies(50, value.repeat(5_000));
		assertThat(Warnings.read(headers)).hasSizeLessThanOrEqualTo(32);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			unknown field "data.x" | true
			duplicate field "data.a\\"b" | true
			v1 Secret is deprecated in v1.40+, unavailable in v1.43+; use v2 Secret | true
			v1 Secret is deprecated in v1.40+ | true
			tls: private key does not match public key | true
			metadata.finalizers: "x": prefer a domain-qualified finalizer name including a path (/) to avoid it | true
			password hunter2 is too weak | false
			tls: hunter2 is no key | false
			unknown field "a" of hunter2 | false
			v1 Secret is deprecated in v1.40+; use hunter2 | false
			Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': hunter2 | false
			""")
	void aboutASecretOnlyWhatTheServerItselfSaysShouldBeHandedOn(String text, boolean shown) {
		String leftOut = "a webhook or policy warns; its text may quote the Secret and is left out";
		String header = "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
		for (String resource : List.of("secrets", "/proxy/api/v1/namespaces/a/secrets/b/c/d")) {
			assertThat(reported(resource, header)).containsExactly(resource + ": " + (shown ? text : leftOut));
		}
		assertThat(reported("configmaps", header)).containsExactly("configmaps: " + text);
	}

	private static List<String> reported(String resource, String header) {
		Response response = new Response.Builder().request(new Request.Builder().url("http://localhost").build())
			.protocol(Protocol.HTTP_1_1)
			.code(200)
			.message("OK")
			.header("Warning", header)
			.build();
		List<String> reported = new ArrayList<>();
		Warnings.report(response, resource, (about, text) -> reported.add(about + ": " + text));
		return reported;
	}

	@Test
	void answersToRequestsForALeaseAreLookedAt() throws Exception {
		List<String> warnings = new CopyOnWriteArrayList<>();
		ExecutorService threads = Executors.newCachedThreadPool();
		try (ScriptedApiServer api = ScriptedApiServer.start()) {
			api.onEvery(Requests.any(), (reply) -> reply.header("Warning", "299 - \"of a Lease\"").status(403));
			ApiClient client = new ApiClient(new OkHttpClient());
			client.setBasePath(api.url());
			try (LeaseRequests leases = new LeaseRequests(client, "shop", "app", LONG, threads, warnings::add)) {
				assertThatExceptionOfType(ApiStatusException.class).isThrownBy(leases::get);
				assertThatExceptionOfType(ApiStatusException.class).isThrownBy(() -> leases.watch(LONG, (lease) -> {
				}));
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(warnings).containsExactly("of a Lease", "of a Lease");
	}

}
