package dev.kubeinformer.internal.transport;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta.ListMeta;
import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.Status;
import io.kubernetes.client.proto.Meta.StatusDetails;
import io.kubernetes.client.proto.V1.Pod;
import io.kubernetes.client.proto.V1.PodList;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.protobuf.MalformedMessageException;
import dev.kubeinformer.internal.codec.protobuf.ProtobufBytes;
import dev.kubeinformer.internal.codec.protobuf.ProtobufCodec;
import dev.kubeinformer.internal.codec.protobuf.ProtobufReader;
import dev.kubeinformer.internal.failure.ApiStatusException;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.WatchEventType;
import dev.kubeinformer.types.WireEncoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which encoding is asked for, and how what comes is read.
 */
class ProtobufConnectionTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String LIST = PROTOBUF
			+ ";drop=metadata.managedFields,application/json;drop=metadata.managedFields,application/json";

	private static final String WATCH = PROTOBUF
			+ ";stream=watch;drop=metadata.managedFields,application/json;stream=watch;drop=metadata.managedFields,application/json";

	private static final String JSON_LIST = "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":[{\"metadata\":{\"name\":\"a\"}}]}";

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final List<String> fallbacks = new ArrayList<>();

	private final Negotiation negotiation = new Negotiation(true, false, this.fallbacks::add);

	@AfterEach
	void close() {
		this.api.verify();
		this.api.close();
	}

	@Test
	void protobufIsPreferredAndReadByItsContentType() throws IOException {
		this.api.onList((reply) -> protobuf(reply).chunk(list("41", "a", "b")).end());
		ScriptedReply watch = this.api.onWatch(ProtobufConnectionTests::protobufWatch);
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThat(this.negotiation.encoding()).isNull();
		assertThat(list(connection)).containsExactly("a", "b");
		assertThat(this.negotiation.encoding()).isEqualTo(WireEncoding.PROTOBUF);
		try (WatchStream<V1Pod> stream = connection.watch(request())) {
			watch.chunk(frame("ADDED", "c", "42")).end();
			WatchFrame<V1Pod> event = stream.next();
			assertThat(event.type()).isEqualTo(WatchEventType.ADDED);
			assertThat(event.object().metadata().name()).isEqualTo("c");
			assertThat(event.resourceVersion()).isEqualTo("42");
			assertThat(stream.next()).isNull();
		}
		assertThat(accepted()).containsExactly(LIST, WATCH);
	}

	@Test
	void serverThatAnswersInJsonIsUnderstood() throws IOException {
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		this.api.onWatch((reply) -> reply.bookmark("42").end());
		this.api
			.onList((reply) -> reply.header("Content-Type", "application/json; charset=utf-8").json(200, JSON_LIST));
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThat(list(connection)).containsExactly("a");
		assertThat(this.negotiation.encoding()).isEqualTo(WireEncoding.JSON);
		try (WatchStream<V1Pod> stream = connection.watch(request())) {
			assertThat(stream.next().resourceVersion()).isEqualTo("42");
		}
		assertThat(list(connection)).containsExactly("a");
		assertThat(accepted()).containsExactly(LIST, WATCH, LIST);
		assertThat(this.fallbacks).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "application/vnd.kubernetes.protobuf, true", "application/vnd.kubernetes.protobuf;stream=watch, true",
			"Application/Vnd.Kubernetes.Protobuf ; a=b, true", "application/json, false", "text/plain, false",
			"application/vnd.kubernetes.protobufs, false", ", false" })
	void contentTypeSaysWhatItIs(String contentType, boolean protobuf) {
		assertThat(Negotiation.isProtobuf(contentType)).isEqualTo(protobuf);
	}

	@Test
	void managedFieldsAreAskedForIfTheyAreKept() {
		Negotiation keeping = new Negotiation(true, true, this.fallbacks::add);
		assertThat(keeping.accept(false)).isEqualTo(PROTOBUF + ",application/json");
		assertThat(keeping.accept(true))
			.isEqualTo(PROTOBUF + ";stream=watch,application/json;stream=watch,application/json");
		Negotiation json = new Negotiation(false, true, this.fallbacks::add);
		assertThat(json.accept(false)).isEqualTo("application/json");
		assertThat(json.accept(true)).isEqualTo("application/json;stream=watch,application/json");
	}

	@Test
	void resourceWithoutProtobufIsAskedForAsJson() {
		Negotiation json = new Negotiation(false, false, this.fallbacks::add);
		assertThat(json.accept(false)).isEqualTo("application/json;drop=metadata.managedFields,application/json");
		json.avoidProtobuf();
		assertThat(this.fallbacks).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 406, 415 })
	void serverThatRefusesIsAskedForPlainJsonFromThenOn(int status) throws IOException {
		this.api.onList((reply) -> reply.status(status));
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		this.api.onWatch((reply) -> reply.bookmark("42").end());
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThat(list(connection)).containsExactly("a");
		try (WatchStream<V1Pod> stream = connection.watch(request())) {
			assertThat(stream.next().resourceVersion()).isEqualTo("42");
		}
		assertThat(accepted()).containsExactly(LIST, "application/json", "application/json");
		assertThat(this.fallbacks).singleElement().asString().contains("HTTP " + status);
		connection.avoidProtobuf();
		assertThat(this.fallbacks).hasSize(1);
	}

	@Test
	void refusedWatchIsOpenedAgainAsJson() throws IOException {
		this.api.onWatch((reply) -> reply.status(406));
		this.api.onWatch((reply) -> reply.bookmark("42").end());
		try (WatchStream<V1Pod> stream = connection(LONG).watch(request())) {
			assertThat(stream.next().resourceVersion()).isEqualTo("42");
		}
		assertThat(accepted()).containsExactly(WATCH, "application/json");
	}

	@Test
	void serverThatRefusesPlainJsonTooHasFailed() {
		this.api.onWatch((reply) -> reply.status(406));
		this.api.onWatch((reply) -> reply.status(406));
		assertThatExceptionOfType(ApiStatusException.class).isThrownBy(() -> connection(LONG).watch(request()))
			.satisfies((ex) -> assertThat(ex.getStatus().code()).isEqualTo(406));
	}

	@Test
	void protobufThatIsAvoidedIsNotAskedForAndThatIsReportedOnce() throws IOException {
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		connection.avoidProtobuf();
		connection.avoidProtobuf();
		list(connection);
		assertThat(accepted()).containsExactly("application/json;drop=metadata.managedFields,application/json");
		assertThat(this.fallbacks).singleElement().asString().contains("malformed");
	}

	@Test
	void whatDidNotWorkIsTriedAgainAfterADay() {
		AtomicLong now = new AtomicLong();
		Negotiation negotiation = new Negotiation(true, new Negotiation.Wanted(false, false), this.fallbacks::add,
				now::get);
		String preferred = negotiation.accept(false);
		negotiation.avoidProtobuf();
		assertThat(negotiation.accept(false)).doesNotContain("protobuf");
		now.addAndGet(Negotiation.MEMO.toNanos() / 2);
		assertThat(negotiation.refused(preferred, 406)).isTrue();
		assertThat(negotiation.accept(false)).isEqualTo("application/json");
		now.addAndGet(Negotiation.MEMO.toNanos() / 2);
		assertThat(negotiation.accept(false)).isEqualTo("application/json");
		now.addAndGet(Negotiation.MEMO.toNanos() / 2);
		assertThat(negotiation.accept(false)).isEqualTo(preferred);
		assertThat(negotiation.refused(preferred, 415)).isTrue();
		assertThat(negotiation.accept(false)).isEqualTo("application/json");
		assertThat(this.fallbacks).hasSize(3);
	}

	@Test
	void serverThatRefusedIsAskedForProtobufAgainAfterADay() throws IOException {
		AtomicLong now = new AtomicLong();
		this.api.onList((reply) -> reply.status(406));
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		this.api.onList((reply) -> protobuf(reply).chunk(list("41", "a", "b")).end());
		OkHttpApiConnection<V1Pod> connection = connection(LONG,
				new Negotiation(true, new Negotiation.Wanted(false, false), this.fallbacks::add, now::get));
		assertThat(list(connection)).containsExactly("a");
		now.addAndGet(Negotiation.MEMO.toNanos());
		assertThat(list(connection)).containsExactly("a", "b");
		assertThat(accepted()).containsExactly(LIST, "application/json", LIST);
	}

	@Test
	void versionAloneIsAskedForOnceMoreInPlainJsonIfItsEncodingIsRefused() throws IOException {
		this.api.onList((reply) -> reply.status(406));
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		assertThat(connection(LONG).probe()).isEqualTo("41");
		assertThat(accepted()).hasSize(2).endsWith("application/json");
	}

	@Test
	void versionAloneIsAskedForAsJson() throws IOException {
		this.api.onList((reply) -> reply.json(200, JSON_LIST));
		this.api.onList((reply) -> protobuf(reply).chunk(list("42")).end());
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThat(connection.probe()).isEqualTo("41");
		assertThat(accepted()).singleElement().asString().startsWith("application/json;as=PartialObjectMetadataList");
		assertThat(connection.probe()).isEqualTo("42");
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403, 404, 410, 504 })
	void errorInProtobufIsRead(int code) {
		this.api.onList((reply) -> error(reply, code));
		this.api.onWatch((reply) -> error(reply, code));
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThatExceptionOfType(ApiStatusException.class).isThrownBy(() -> list(connection))
			.satisfies((ex) -> assertThat(ex.getStatus().reason()).isEqualTo("Why"));
		assertThatExceptionOfType(ApiStatusException.class).isThrownBy(() -> connection.watch(request()))
			.satisfies((ex) -> assertThat(ex.getStatus().code()).isEqualTo(code))
			.satisfies((ex) -> assertThat(ex.getStatus().message()).isEqualTo("because"))
			.satisfies((ex) -> assertThat(ex.getStatus().retryAfterSeconds()).isEqualTo(3));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 4096, 1_000_000 })
	void framesMayBeSplitAtAnyByte(int piece) throws IOException {
		byte[] large = ProtobufBytes.frame(ProtobufBytes.event("MODIFIED",
				ProtobufBytes.envelope("Pod",
						Pod.newBuilder()
							.setMetadata(ObjectMeta.newBuilder()
								.setName("large")
								.setResourceVersion("43")
								.putLabels("l", "x".repeat((piece < 100) ? 500 : 2_000_000)))
							.build()
							.toByteArray())));
		byte[] bytes = join(frame("ADDED", "a", "42"), large, frame("DELETED", "b", "44"));
		ScriptedReply watch = this.api.onWatch(ProtobufConnectionTests::protobufWatch);
		Random random = new Random(piece);
		for (int from = 0; from < bytes.length;) {
			int to = Math.min(bytes.length, from + 1 + random.nextInt(piece));
			watch.chunk(Arrays.copyOfRange(bytes, from, to));
			from = to;
		}
		watch.end();
		assertThat(versions(connection(LONG))).containsExactly("42", "43", "44", "end");
	}

	@Test
	void frameAfterABadOneOfKnownLengthCanBeRead() throws IOException {
		this.api.onWatch(
				(reply) -> protobufWatch(reply)
					.chunk(join(frame("ADDED", "a", "42"), ProtobufBytes.frame(utf8("garbage")),
							frame("ADDED", "b", "43"), ProtobufBytes.frame(new byte[0]), frame("ADDED", "c", "44")))
					.end());
		assertThat(versions(connection(LONG))).containsExactly("42", "malformed", "43", "malformed", "44", "end");
	}

	@ParameterizedTest
	@ValueSource(strings = { "<html><body>", "{\"type\":\"ADDED\"}\n", "\uffff\uffff\uffff" })
	void lengthThatIsNoneEndsTheWatch(String garbage) throws IOException {
		this.api.onWatch((reply) -> protobufWatch(reply).chunk(join(frame("ADDED", "a", "42"), utf8(garbage))));
		try (WatchStream<V1Pod> stream = connection(LONG).watch(request())) {
			assertThat(stream.next().resourceVersion()).isEqualTo("42");
			assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(stream::next);
			assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(stream::next);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 4, 5, 30 })
	void watchThatEndsInTheMiddleOfAFrameWasCutOff(int bytes) throws IOException {
		// Its length is more than there is, and is believed only as bytes come.
		byte[] frame = join(new byte[] { 0, 0x3f, (byte) 0xff, (byte) 0xff }, new byte[100]);
		this.api.onWatch((reply) -> protobufWatch(reply).chunk(Arrays.copyOf(frame, bytes)).end());
		try (WatchStream<V1Pod> stream = connection(LONG).watch(request())) {
			assertThatExceptionOfType(EOFException.class).isThrownBy(stream::next);
		}
	}

	@Test
	void silenceInTheMiddleOfAFrameIsNoticed() throws IOException {
		this.api.onWatch((reply) -> protobufWatch(reply).chunk(Arrays.copyOf(frame("ADDED", "a", "42"), 20)));
		// Not shorter than the first answer may take.
		try (WatchStream<V1Pod> stream = connection(Duration.ofSeconds(2)).watch(request())) {
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(stream::next);
		}
	}

	@Test
	void compressedAnswersAreRead() throws IOException {
		this.api
			.onList((reply) -> protobuf(reply).header("Content-Encoding", "gzip").chunk(gzip(list("41", "a"))).end());
		this.api.onWatch((reply) -> protobufWatch(reply).header("Content-Encoding", "gzip")
			.chunk(gzip(join(frame("ADDED", "a", "42"), frame("ADDED", "b", "43"))))
			.end());
		OkHttpApiConnection<V1Pod> connection = connection(LONG);
		assertThat(list(connection)).containsExactly("a");
		assertThat(versions(connection)).containsExactly("42", "43", "end");
	}

	private List<String> accepted() {
		return this.api.requests().stream().map((RecordedRequest request) -> request.header("Accept")).toList();
	}

	private static List<String> versions(OkHttpApiConnection<V1Pod> connection) throws IOException {
		List<String> versions = new ArrayList<>();
		try (WatchStream<V1Pod> stream = connection.watch(request())) {
			while (!versions.contains("end")) {
				try {
					WatchFrame<V1Pod> frame = stream.next();
					versions.add((frame != null) ? frame.resourceVersion() : "end");
				}
				catch (MalformedProtobufException ex) {
					versions.add("malformed");
				}
			}
		}
		return versions;
	}

	private static List<String> list(OkHttpApiConnection<V1Pod> connection) throws IOException {
		List<String> names = new ArrayList<>();
		connection.list(new ListRequest("0", 500, ""), (item) -> names.add(item.metadata().name()));
		return names;
	}

	private static WatchRequest request() {
		return new WatchRequest("41", 60, false, false);
	}

	private static ScriptedReply protobuf(ScriptedReply reply) {
		return reply.header("Content-Type", PROTOBUF);
	}

	private static ScriptedReply protobufWatch(ScriptedReply reply) {
		return reply.header("Content-Type", PROTOBUF + ";stream=watch");
	}

	private static void error(ScriptedReply reply, int code) {
		Status status = Status.newBuilder()
			.setReason("Why")
			.setMessage("because")
			.setDetails(StatusDetails.newBuilder().setRetryAfterSeconds(3))
			.setCode(code)
			.build();
		protobuf(reply).body(code, ProtobufBytes.envelope("Status", status.toByteArray()));
	}

	private static byte[] list(String version, String... names) {
		PodList.Builder list = PodList.newBuilder().setMetadata(ListMeta.newBuilder().setResourceVersion(version));
		for (String name : names) {
			list.addItems(Pod.newBuilder().setMetadata(ObjectMeta.newBuilder().setName(name)));
		}
		return ProtobufBytes.envelope("PodList", list.build().toByteArray());
	}

	private static byte[] frame(String type, String name, String version) {
		Pod pod = Pod.newBuilder()
			.setMetadata(ObjectMeta.newBuilder().setName(name).setResourceVersion(version))
			.build();
		return ProtobufBytes.frame(ProtobufBytes.event(type, ProtobufBytes.envelope("Pod", pod.toByteArray())));
	}

	private static byte[] gzip(byte[] bytes) {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(bytes);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return compressed.toByteArray();
	}

	private static byte[] join(byte[]... parts) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		List.of(parts).forEach(bytes::writeBytes);
		return bytes.toByteArray();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private OkHttpApiConnection<V1Pod> connection(Duration idle) {
		return connection(idle, this.negotiation);
	}

	private OkHttpApiConnection<V1Pod> connection(Duration idle, Negotiation encodings) {
		ApiClient client = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool()).build());
		client.setBasePath(this.api.url());
		ApiConnections connections = new ApiConnections(client, new Deadlines(LONG, idle, LONG), System::nanoTime);
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false);
		JsonCodec<V1Pod> json = new JsonCodec<>(type, mappers);
		ProtobufReader reader = new ProtobufReader(mappers, new KnownValues(64), null);
		return new OkHttpApiConnection<>(connections, type, new Selection(null, null, null), mappers,
				new Codecs<>(json, new ProtobufCodec<>(type, ProtobufConnectionTests::decode, reader, json)),
				encodings);
	}

	/** Decodes only the fields that the test needs. */
	private static V1Pod decode(ProtobufReader reader) throws MalformedMessageException {
		V1Pod pod = new V1Pod();
		for (int tag = reader.nextTag(); tag != 0; tag = reader.nextTag()) {
			if (tag >>> 3 == 1) {
				int end = reader.length() + reader.position();
				pod.setMetadata(metadata(reader, end));
			}
			else {
				reader.skip(tag);
			}
		}
		return pod;
	}

	private static V1ObjectMeta metadata(ProtobufReader reader, int end) throws MalformedMessageException {
		V1ObjectMeta metadata = new V1ObjectMeta();
		while (reader.position() < end) {
			int tag = reader.nextTag();
			switch (tag >>> 3) {
				case 1 -> metadata.setName(reader.string());
				case 6 -> metadata.setResourceVersion(reader.string());
				default -> reader.skip(tag);
			}
		}
		return metadata;
	}

}
