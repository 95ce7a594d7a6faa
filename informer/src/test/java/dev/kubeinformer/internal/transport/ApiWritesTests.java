package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WriteFailedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Requests that are refused, cancelled or not answered. */
class ApiWritesTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final ObjectKey KEY = new ObjectKey("shop", "child");

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final RunCalls calls = new RunCalls(Fence.NONE);

	private final Caller caller = new Caller("tester", this.calls);

	private ApiWrites writes;

	@BeforeEach
	void start() {
		this.writes = writes(LONG);
	}

	private ApiWrites writes(Duration opening) {
		return writes(this.api.url(), opening);
	}

	private ApiWrites writes(String url, Duration opening) {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(url);
		Deadlines deadlines = new Deadlines(LONG, LONG, LONG, opening, LONG);
		return new ApiWrites(new ApiConnections(client, deadlines, System::nanoTime, "credentials", limits()),
				this.json, WarningSink.NONE);
	}

	/**
	 * Returns the limits on connections that only writes use.
	 * @return the limits
	 */
	OwnConnections.Limits limits() {
		return OwnConnections.Limits.USUAL;
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private V1ConfigMap apply(ApiWrites through) throws ApiException {
		V1ConfigMap map = new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().name("child").namespace("shop"))
			.data(Map.of("password", "hunter2"));
		return through.apply(MAPS, KEY, this.json.write(this.json.tree(map)), this.caller);
	}

	@Test
	void refusalHasCodeHeadersAndBodyAndItsMessageQuotesNoObject() throws Exception {
		this.api.faults().on(Requests.patch("configmaps")).times(1).retryAfter(Duration.ofSeconds(7)).status(429);
		ApiException throttled = catchThrowableOfType(ApiException.class, () -> apply(this.writes));
		assertThat(throttled.getCode()).isEqualTo(429);
		assertThat(throttled.getResponseBody()).contains("Status");
		Failure failure = this.writes.failure(throttled);
		assertThat(failure.problem()).isEqualTo(Problem.THROTTLED);
		assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
		this.api.faults()
			.on(Requests.patch("configmaps"))
			.times(1)
			.body(422, "application/json",
					"{\"kind\":\"Status\",\"code\":422,\"reason\":\"Invalid\",\"message\":\"data: Invalid value: hunter2\",\"details\":{\"causes\":[{\"field\":\"data.password\",\"message\":\"hunter2\"}]}}");
		ApiException invalid = catchThrowableOfType(ApiException.class, () -> apply(this.writes));
		assertThat(invalid).hasMessage(
				"PATCH configmaps 'shop/child': HTTP 422 Invalid: data.password (values are left out; the whole message is logged at debug level)")
			.satisfies((each) -> assertThat(each.toString()).doesNotContain("hunter2"));
		assertThat(this.writes.failure(invalid).problem()).isEqualTo(Problem.INVALID);
	}

	@Test
	void wholeMessageOfARefusalIsLoggedAtDebugLevelAtEachAttempt() {
		Logger logger = (Logger) LoggerFactory.getLogger(WriteFailedException.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		logger.setLevel(Level.DEBUG);
		try {
			this.api.faults().on(Requests.patch("configmaps")).times(2).status(500, "it broke\nat password hunter2");
			for (int i = 0; i < 2; i++) {
				WriteFailedException broken = catchThrowableOfType(WriteFailedException.class,
						() -> apply(this.writes));
				assertThat(broken).hasMessage("PATCH configmaps 'shop/child': HTTP 500 InternalError "
						+ "(its message may quote the object and is logged at debug level only)");
				assertThat(broken.isRejected()).isFalse();
			}
			assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
				.hasSize(2)
				.containsOnly("PATCH configmaps 'shop/child': HTTP 500 InternalError: it broke at password hunter2");
		}
		finally {
			logger.setLevel(null);
			logger.detachAppender(lines);
		}
	}

	@Test
	void writeWaitsForNoInformerThatConnects() throws Exception {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		ApiConnections connections = new ApiConnections(client,
				new Deadlines(LONG, LONG, LONG, LONG, LONG, Duration.ofHours(1)), System::nanoTime);
		connections.clients()
			.turns()
			.enter(client.getHttpClient().newCall(new Request.Builder().url("http://a").build()));
		assertThat(apply(new ApiWrites(connections, this.json, WarningSink.NONE)).getData()).containsKey("password");
	}

	@Test
	void exceptionOfAnotherClientIsClassifiedToo() {
		assertThat(this.writes.failure(new ApiException(409, "Conflict")).problem()).isEqualTo(Problem.CONFLICT);
		assertThat(
				this.writes.failure(new ApiException("m", 409, Map.of(), "{\"reason\":\"AlreadyExists\"}")).problem())
			.isEqualTo(Problem.ALREADY_EXISTS);
		assertThat(this.writes.failure(new ApiException(new IOException("x"))).problem()).isEqualTo(Problem.IO);
		assertThat(this.writes.failure(new ApiException("no request")).problem()).isEqualTo(Problem.INTERNAL);
		ApiException busy = new ApiException("m", 503, Map.of("retry-after", List.of("3")), "<html>");
		assertThat(this.writes.failure(busy).retryAfter()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void cancelEndsARequestUnderWayAndRefusesThoseThatCome() throws Exception {
		this.api.faults().on(Requests.patch("configmaps")).freeze();
		CompletableFuture<V1ConfigMap> hanging = CompletableFuture.supplyAsync(() -> {
			try {
				return apply(this.writes);
			}
			catch (ApiException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.api.awaitRequest(Requests.patch("configmaps"), LONG);
		this.calls.cancel();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> hanging.get(60, TimeUnit.SECONDS))
			.withStackTraceContaining("the run has timed out or was stopped");
		this.api.faults().clear();
		this.api.clearRequests();
		ApiException refused = catchThrowableOfType(ApiException.class, () -> apply(this.writes));
		assertThat(refused.getCode()).isZero();
		assertThat(this.api.requests()).isEmpty();
	}

	@Test
	void serverThatDoesNotAnswerIsGivenUp() {
		this.api.faults().on(Requests.patch("configmaps")).times(1).freeze();
		ApiWrites impatient = writes(Duration.ofMillis(300));
		ApiException silent = catchThrowableOfType(ApiException.class, () -> apply(impatient));
		assertThat(this.writes.failure(silent).problem()).isEqualTo(Problem.SILENT);
	}

	/** OkHttp sends once more what fails on a connection that has worked before. */
	@Test
	void createWhoseAnswerIsLostIsNotSentTwice() throws Exception {
		apply(this.writes);
		this.api.clearRequests();
		this.api.faults().on(Requests.create("configmaps")).times(1).cut();
		byte[] body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"child-\"}}"
			.getBytes(StandardCharsets.UTF_8);
		ApiException lost = catchThrowableOfType(ApiException.class,
				() -> this.writes.create(MAPS, "shop", body, this.caller));
		assertThat(lost.getCode()).isZero();
		assertThat(this.writes.failure(lost).problem()).isEqualTo(Problem.IO);
		assertThat(this.api.requests()).hasSize(1);
	}

	/** OkHttp itself repeats requests with such answers. */
	@ParameterizedTest
	@CsvSource({ "408, ", "408, 0", "503, 0" })
	void createThatIsRefusedForNowIsNotSentTwice(int status, @Nullable String retryAfter) {
		try (ScriptedApiServer server = ScriptedApiServer.start()) {
			server.onEvery(Requests.create("configmaps"), (reply) -> refuse(reply, status, retryAfter));
			byte[] body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"child-\"}}"
				.getBytes(StandardCharsets.UTF_8);
			ApiWrites scripted = writes(server.url(), LONG);
			ApiException refused = catchThrowableOfType(ApiException.class,
					() -> scripted.create(MAPS, "shop", body, this.caller));
			assertThat(refused.getCode()).isEqualTo(status);
			assertThat(scripted.failure(refused).retryAfter()).isEqualTo(Duration.ofSeconds(1));
			assertThat(server.requests()).hasSize(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "408, ", "503, 0" })
	void applyThatIsRefusedForNowIsSentAgain(int status, @Nullable String retryAfter) {
		try (ScriptedApiServer server = ScriptedApiServer.start()) {
			server.onEvery(Requests.patch("configmaps"), (reply) -> refuse(reply, status, retryAfter));
			assertThatExceptionOfType(ApiException.class).isThrownBy(() -> apply(writes(server.url(), LONG)));
			assertThat(server.requests()).hasSize(2);
		}
	}

	private static void refuse(ScriptedReply reply, int status, @Nullable String retryAfter) {
		if (retryAfter != null) {
			reply.header("Retry-After", retryAfter);
		}
		reply.json(status, "{\"kind\":\"Status\",\"code\":%d}".formatted(status));
	}

	@Test
	void jsonPatchWhoseAnswerIsLostIsNotSentTwice() throws Exception {
		apply(this.writes);
		this.api.clearRequests();
		this.api.faults().on(Requests.patch("configmaps")).times(1).cut();
		byte[] patch = "[]".getBytes(StandardCharsets.UTF_8);
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.writes.patch(MAPS, KEY, "application/json-patch+json", patch, this.caller));
		assertThat(this.api.requests()).hasSize(1);
	}

	@Test
	void applyWhoseAnswerIsLostIsSentAgain() throws Exception {
		apply(this.writes);
		this.api.clearRequests();
		this.api.faults().on(Requests.patch("configmaps")).times(1).cut();
		assertThat(apply(this.writes).getData()).containsKey("password");
		assertThat(this.api.requests()).hasSize(2);
	}

	@Test
	void answerThatIsNoObjectIsMalformed() {
		this.api.faults().on(Requests.patch("configmaps")).times(1).body(200, "application/json", "{\"data\":7}");
		ApiException malformed = catchThrowableOfType(ApiException.class, () -> apply(this.writes));
		assertThat(this.writes.failure(malformed).problem()).isEqualTo(Problem.MALFORMED);
	}

	@Test
	void nameIsOneSegmentOfThePath() throws Exception {
		byte[] patch = "{}".getBytes(StandardCharsets.UTF_8);
		String format = "application/merge-patch+json";
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.writes.patch(MAPS, new ObjectKey("shop", "a?x=y#z"), format, patch, this.caller));
		// Discovery is asked for the rest.
		assertThat(this.api.requests()).filteredOn(Requests.patch("configmaps"))
			.singleElement()
			.satisfies((request) -> assertThat(request.query()).containsOnlyKeys("fieldManager"));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.writes.patch(MAPS, new ObjectKey("shop", ".."), format, patch, this.caller))
			.withMessageContaining("'..'");
	}

	@Test
	void conflictOfAnObjectThatIsThereIsAConflict() throws Exception {
		V1ConfigMap there = apply(this.writes);
		this.api.faults().on(Requests.delete("configmaps")).times(1).status(409);
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.writes.delete(MAPS, KEY, deletion(there.getMetadata().getUid()), this.caller));
		this.writes.delete(MAPS, KEY, deletion("another"), this.caller);
		assertThat(this.writes.get(MAPS, KEY, this.caller)).isEqualTo(there);
	}

	private static ApiWrites.Deletion deletion(String uid) {
		return new ApiWrites.Deletion(uid, null, "Background");
	}

}
