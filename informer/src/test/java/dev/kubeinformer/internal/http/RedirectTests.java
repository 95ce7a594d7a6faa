package dev.kubeinformer.internal.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.lease.LeaseRequests;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * No request follows a redirect, which may lead to any host, with a token and the object
 * that is written.
 */
class RedirectTests {

	private static final ResourceType<V1Secret> SECRETS = ResourceType.of(V1Secret.class);

	private static final ObjectKey KEY = new ObjectKey("shop", "child");

	private static final Duration LONG = Duration.ofSeconds(60);

	private final ScriptedApiServer target = ScriptedApiServer.start();

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final JsonMappers mappers = new JsonMappers(false);

	private final ModelJson json = new ModelJson(this.mappers);

	private final Caller caller = new Caller("tester", new RunCalls(Fence.NONE));

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.api.close();
		this.target.close();
	}

	private ApiClient client() {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		return client;
	}

	private ApiConnections connections() {
		return new ApiConnections(client(), new Deadlines(LONG, LONG, LONG), System::nanoTime);
	}

	private void redirect(int status) {
		this.api.onEvery(Requests.any(),
				(reply) -> reply.header("Location", this.target.url() + "/api/v1/secrets?token=hunter2")
					.body(status, "<html>hunter3</html>".getBytes(StandardCharsets.UTF_8)));
		this.target.onEvery(Requests.any(), (reply) -> reply.json(200,
				"{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"child\",\"namespace\":\"shop\",\"resourceVersion\":\"7\"}}"));
	}

	private void refuses(ThrowingCallable request) {
		assertThatExceptionOfType(ApiStatusException.class).isThrownBy(request).satisfies((failure) -> {
			Failure classified = Failure.of(failure);
			assertThat(classified.problem()).isEqualTo(Problem.REJECTED);
			assertThat(classified.reason()).isEqualTo("Redirect");
			assertThat(classified.message()).contains("'" + this.target.url() + "'").doesNotContain("hunter");
		});
		assertThat(this.target.requests()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void readsShouldNotFollow(int status) {
		redirect(status);
		OkHttpApiConnection<V1Secret> connection = new OkHttpApiConnection<>(connections(), SECRETS,
				new Selection(null, null, null), this.mappers,
				new Codecs<>(new JsonCodec<>(SECRETS, this.mappers), null), new Negotiation(false, false, (why) -> {
				}));
		refuses(() -> connection.list(new ListRequest("0", 500, ""), (object) -> {
		}));
		refuses(() -> connection.watch(new WatchRequest("7", 60, false, false)));
		refuses(() -> connection.watch(new WatchRequest("", 60, true, true)));
		refuses(connection::probe);
		refuses(() -> connection.discover("/apis/example.com/v1"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void writesShouldNotFollow(int status) {
		redirect(status);
		ApiWrites writes = new ApiWrites(connections(), this.json, WarningSink.NONE);
		byte[] patch = "{\"data\":{\"password\":\"aHVudGVyMg==\"}}".getBytes(StandardCharsets.UTF_8);
		refuses(status, writes, () -> writes.patch(SECRETS, KEY, "application/merge-patch+json", patch, this.caller));
		refuses(status, writes, () -> writes.create(SECRETS, "shop", patch, this.caller));
		refuses(status, writes,
				() -> writes.delete(SECRETS, KEY, new ApiWrites.Deletion("uid", null, "Background"), this.caller));
		refuses(status, writes, () -> writes.get(SECRETS, KEY, this.caller));
	}

	private void refuses(int status, ApiWrites writes, ThrowingCallable request) {
		ApiException failure = catchThrowableOfType(ApiException.class, request);
		assertThat(failure).isNotNull();
		assertThat(failure.getCode()).isEqualTo(status);
		assertThat(failure.getMessage()).contains("HTTP " + status + " Redirect", "'" + this.target.url() + "'")
			.doesNotContain("hunter");
		assertThat(writes.failure(failure).problem()).isEqualTo(Problem.REJECTED);
		assertThat(writes.failure(failure).message()).contains(this.target.url()).doesNotContain("hunter");
		assertThat(this.target.requests()).isEmpty();
	}

	@Test
	void requestsForALeaseShouldNotFollow() {
		redirect(307);
		try (LeaseRequests leases = new LeaseRequests(client(), "shop", "app", LONG, this.threads, (warning) -> {
		})) {
			refuses(leases::get);
			refuses(() -> leases.create(LeaseDocument.of("shop", "app").record()));
			refuses(() -> leases.watch(LONG, (lease) -> {
			}));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 302, 307 })
	void clientOfTheApplicationWhoseWritesAreRecordedShouldNotFollow(int status) {
		redirect(status);
		ApiClient client = client();
		new WriteRecorder(this.json).install(client);
		V1Secret secret = new V1Secret().metadata(new V1ObjectMeta().namespace("shop").name("child"));
		refusesOfTheApplication(status, () -> new CoreV1Api(client).createNamespacedSecret("shop", secret).execute());
	}

	private void refusesOfTheApplication(int status, ThrowingCallable request) {
		ApiException failure = catchThrowableOfType(ApiException.class, request);
		assertThat(failure).isNotNull();
		assertThat(failure.getCode()).isEqualTo(status);
		Failure classified = new ApiWrites(connections(), this.json, WarningSink.NONE).failure(failure);
		assertThat(classified.reason()).isEqualTo("Redirect");
		assertThat(classified.message()).contains("'" + this.target.url() + "'").doesNotContain("hunter");
		assertThat(this.target.requests()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "https://other.example.com/a?b=c#d,'https://other.example.com'",
			"http://user:secret@other.example.com:8080/,'http://other.example.com:8080'",
			"//other.example.com/x,'https://other.example.com'", "/login?next=secret,'https://api.example.com:6443'",
			"http://[2001:db8::1]:8080/x,'http://[2001:db8::1]:8080'",
			"http://xn--bcher-kva.example/,http://xn--bcher-kva.example" })
	void statusNamesTheHostOfTheTarget(String location, String named) {
		ApiStatus status = Redirects.status(302, location, HttpUrl.get("https://api.example.com:6443/api/v1/pods"));
		assertThat(status).isNotNull();
		assertThat(status.message()).contains("'" + named + "'").doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "javascript:alert(1)", "ftp://other/x", "http://", "http://a b/", "\u0000", "" })
	void statusOfATargetThatIsNoAddressSaysSo(String location) {
		ApiStatus status = Redirects.status(307, location, HttpUrl.get("https://api.example.com/api"));
		assertThat(status).isNotNull();
		assertThat(status.message()).doesNotContain("javascript", "ftp");
	}

	@Test
	void otherAnswersAreNoRedirects() {
		HttpUrl asked = HttpUrl.get("https://api.example.com/api");
		assertThat(Redirects.status(200, "https://other/", asked)).isNull();
		assertThat(Redirects.status(201, "https://other/", asked)).isNull();
		assertThat(Redirects.status(304, null, asked)).isNull();
		assertThat(Redirects.status(404, "https://other/", asked)).isNull();
		assertThat(Redirects.status(302, null, asked)).isNotNull();
	}

	@Test
	void hostThatIsTooLongShouldBeCut() {
		String location = "http://" + "a".repeat(60).concat(".").repeat(20) + "example.com/";
		assertThat(Redirects.status(302, location, null).message()).hasSizeLessThan(600);
	}

}
