package dev.kubeinformer.internal.transport;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.lease.LeaseRequests;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Answers that are much larger than they should be, once they are decompressed.
 */
class BoundedAnswerTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final ObjectKey KEY = new ObjectKey("shop", "child");

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration OPENING = Duration.ofSeconds(20);

	private static final int LARGEST_OBJECT = 1024 * 1024;

	private static final int LONGEST_ERROR = 64 * 1024;

	private static final int MEBIBYTES = 6;

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final JsonMappers mappers = new JsonMappers(false, LARGEST_OBJECT);

	private final ModelJson json = new ModelJson(this.mappers);

	private final RunCalls calls = new RunCalls(Fence.NONE);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.api.close();
	}

	private ApiClient client() {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		return client;
	}

	private ApiWrites writes() {
		Deadlines deadlines = new Deadlines(LONG, LONG, LONG, OPENING, LONG);
		return new ApiWrites(new ApiConnections(client(), deadlines, System::nanoTime, "credentials", limits()),
				this.json, WarningSink.NONE);
	}

	/**
	 * Returns the limits on connections that only writes use.
	 * @return the limits
	 */
	OwnConnections.Limits limits() {
		return OwnConnections.Limits.USUAL;
	}

	/** An object that is small as long as it is compressed. */
	private static byte[] bomb() {
		return bomb("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"message\":\"",
				"\",\"metadata\":{\"name\":\"child\",\"namespace\":\"shop\",\"resourceVersion\":\"7\"}}");
	}

	private static byte[] bomb(String before, String after) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (OutputStream gzip = new GZIPOutputStream(bytes)) {
			gzip.write(before.getBytes(StandardCharsets.UTF_8));
			byte[] mebibyte = "x".repeat(1024 * 1024).getBytes(StandardCharsets.UTF_8);
			for (int i = 0; i < MEBIBYTES; i++) {
				gzip.write(mebibyte);
			}
			gzip.write(after.getBytes(StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private void answer(int status) {
		answer(status, bomb());
	}

	private void answer(int status, byte[] bomb) {
		this.api.onEvery(Requests.any(), (reply) -> reply.header("Content-Encoding", "gzip").body(status, bomb));
	}

	private V1ConfigMap write(ApiWrites writes) throws ApiException {
		return writes.patch(MAPS, KEY, "application/merge-patch+json", "{}".getBytes(StandardCharsets.UTF_8),
				new Caller("tester", this.calls));
	}

	@Test
	void writeWhoseAnswerIsTooLongShouldFailAndNameTheBound() {
		answer(200);
		ApiWrites writes = writes();
		ApiException failure = catchThrowableOfType(ApiException.class, () -> write(writes));
		assertThat(failure).hasMessageContaining("PATCH configmaps 'shop/child'")
			.hasMessageContaining("longer than %d bytes".formatted(LARGEST_OBJECT));
		// Nobody knows what became of it.
		assertThat(failure.getCode()).isZero();
		assertThat(writes.failure(failure).problem()).isEqualTo(Problem.MALFORMED);
	}

	@Test
	void deletionAndReadWhoseAnswersAreTooLongShouldFail() {
		answer(200);
		ApiWrites writes = writes();
		Caller caller = new Caller("tester", this.calls);
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> writes.delete(MAPS, KEY, new ApiWrites.Deletion("uid", null, "Background"), caller))
			.withMessageContaining("longer than");
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> writes.get(MAPS, KEY, caller))
			.withMessageContaining("longer than");
	}

	@Test
	void refusalOfAWriteShouldBeReadInPartAndKeepItsStatus() {
		answer(409);
		ApiWrites writes = writes();
		ApiException failure = catchThrowableOfType(ApiException.class, () -> write(writes));
		assertThat(failure.getCode()).isEqualTo(409);
		assertThat(failure.getResponseBody().length()).isLessThanOrEqualTo(LONGEST_ERROR);
		assertThat(writes.failure(failure).problem()).isEqualTo(Problem.CONFLICT);
	}

	@Test
	void refusalWhoseExplanationIsTooLongShouldSaySo() {
		answer(422);
		ApiException failure = catchThrowableOfType(ApiException.class, () -> write(writes()));
		assertThat(failure).hasMessageContaining("HTTP 422 (its explanation is longer than 64 KiB")
			.hasMessageContaining("kubectl apply --dry-run=server");
	}

	@Test
	void longPageOfAProxyShouldNotBeTakenForAnExplanation() {
		answer(502, bomb("<html>", "</html>"));
		ApiException failure = catchThrowableOfType(ApiException.class, () -> write(writes()));
		assertThat(failure.getMessage()).contains("HTTP 502").doesNotContain("explanation");
	}

	@Test
	void leaseThatIsTooLongShouldFailAndItsRefusalShouldKeepItsStatus() {
		answer(200);
		try (LeaseRequests leases = new LeaseRequests(client(), "shop", "app", OPENING, this.threads, (warning) -> {
		})) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(leases::get)
				.withMessageContaining("longer than");
		}
	}

	@Test
	void refusalsOfLeaseRequestsShouldBeReadInPart() {
		answer(403);
		try (LeaseRequests leases = new LeaseRequests(client(), "shop", "app", OPENING, this.threads, (warning) -> {
		})) {
			// All of it would have a message.
			assertThatExceptionOfType(ApiStatusException.class).isThrownBy(leases::get)
				.satisfies((failure) -> assertThat(failure.getStatus().message()).isEmpty());
			assertThatExceptionOfType(ApiStatusException.class).isThrownBy(() -> leases.watch(LONG, (lease) -> {
			})).satisfies((failure) -> assertThat(failure.getStatus().message()).isEmpty());
		}
	}

	@Test
	void writeByAClientOfTheApplicationShouldFailByTheBoundBeforeTheClientReadsItsAnswer() {
		answer(200);
		ApiClient client = client();
		WriteRecorder recorder = new WriteRecorder(this.json);
		recorder.install(client);
		List<RecordedWrite> recorded = new ArrayList<>();
		recorder.bind(this.calls, recorded::add, WarningSink.NONE);
		V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child"));
		ApiException failure = catchThrowableOfType(ApiException.class,
				() -> new CoreV1Api(client).createNamespacedConfigMap("shop", map).execute());
		recorder.unbind();
		assertThat(failure).hasMessageContaining("longer than %d bytes".formatted(LARGEST_OBJECT));
		assertThat(failure.getCode()).isZero();
		assertThat(recorded).isEmpty();
	}

	@Test
	void refusalOfAWriteByAClientOfTheApplicationShouldEndAtTheBound() {
		answer(422);
		ApiClient client = client();
		WriteRecorder recorder = new WriteRecorder(this.json);
		recorder.install(client);
		recorder.bind(this.calls, (write) -> {
		}, WarningSink.NONE);
		V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child"));
		ApiException failure = catchThrowableOfType(ApiException.class,
				() -> new CoreV1Api(client).createNamespacedConfigMap("shop", map).execute());
		recorder.unbind();
		assertThat(failure.getCode()).isEqualTo(422);
		assertThat(failure.getResponseBody().length()).isLessThanOrEqualTo(LONGEST_ERROR);
	}

	@Test
	void deletionOfACollectionByAClientOfTheApplicationShouldBeLeftToIt() throws Exception {
		answer(200);
		ApiClient client = client();
		WriteRecorder recorder = new WriteRecorder(this.json);
		recorder.install(client);
		recorder.bind(this.calls, (write) -> {
		}, WarningSink.NONE);
		Request request = new Request.Builder().url(this.api.url() + "/api/v1/namespaces/shop/configmaps")
			.delete()
			.build();
		try (Response response = client.getHttpClient().newCall(request).execute()) {
			assertThat(response.body().bytes()).hasSizeGreaterThan(LARGEST_OBJECT);
		}
		finally {
			recorder.unbind();
		}
	}

	@Test
	void documentOfDiscoveryThatIsTooLongShouldFail() {
		answer(200);
		OkHttpApiConnection<V1ConfigMap> connection = connection();
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> connection.discover("/api/v1"))
			.withMessageContaining("longer than");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\":\"ConfigMapList\",\"metadata\":{\"resourceVersion\":\"",
			"{\"kind\":\"ConfigMapList\",\"items\":[{\"kind\":\"", "{\"kind\":\"" })
	void probeAndListWhoseAnswersHaveATextThatIsTooLongShouldFail(String before) {
		answer(200, bomb(before, "\"}}"));
		OkHttpApiConnection<V1ConfigMap> connection = connection();
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(connection::probe)
			.withMessageContaining("longer than");
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> connection.list(new ListRequest("0", 500, ""), (item) -> {
			}))
			.withMessageContaining("longer than");
	}

	@Test
	void probeOfAServerThatListsEverythingShouldNotFailByTheLengthOfTheList() throws Exception {
		String item = "{\"metadata\":{\"name\":\"" + "x".repeat(LARGEST_OBJECT / 4) + "\"}}";
		String items = String.join(",", Collections.nCopies(8, item));
		this.api.onEvery(Requests.any(),
				(reply) -> reply.json(200, "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[" + items
						+ "],\"metadata\":{\"resourceVersion\":\"7\"}}"));
		assertThat(connection().probe()).isEqualTo("7");
	}

	private OkHttpApiConnection<V1ConfigMap> connection() {
		Deadlines deadlines = new Deadlines(LONG, LONG, LONG, OPENING, LONG);
		return new OkHttpApiConnection<>(new ApiConnections(client(), deadlines, System::nanoTime), MAPS,
				new Selection(null, null, null), this.mappers, new Codecs<>(new JsonCodec<>(MAPS, this.mappers), null),
				new Negotiation(false, false, (why) -> {
				}));
	}

}
