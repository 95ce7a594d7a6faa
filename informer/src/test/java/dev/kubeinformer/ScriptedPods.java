package dev.kubeinformer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.recorded;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An informer on the pods of an API server that answers as a test has written down, in
 * one of the two ways to ask for full states, over one of the two versions of HTTP and in
 * one of the two encodings. Closing it fails if anything was asked for that was not
 * written down, or the other way round, or not over that version.
 * <p>
 * A pod is written as {@code name@resourceVersion}. {@code name/2@…} is one that was
 * created again under that name, and {@code name!@…} one that cannot be read.
 */
final class ScriptedPods implements AutoCloseable {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Pattern NOTATION = Pattern.compile("([a-z0-9-]+)(/\\w+)?(!)?@(\\d*)");

	private final ScriptedApiServer server = ScriptedApiServer.start();

	private final ApiClient client;

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final ListMode mode;

	private final Protocol protocol;

	private final WireEncoding encoding;

	private Informers informers;

	private HandlerRegistration registration;

	ScriptedPods(ListMode mode, Protocol protocol) {
		this(mode, protocol, WireEncoding.JSON);
	}

	ScriptedPods(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.mode = mode;
		this.protocol = protocol;
		this.encoding = encoding;
		this.client = client(this.server.url(), protocol, encoding);
	}

	/**
	 * The next full state is that, and then it is watched.
	 * @return the answer that is the watch
	 */
	ScriptedReply state(String version, String... pods) {
		if (this.mode != ListMode.PAGED) {
			return stream((reply) -> initialEvents(reply, pods).initialEventsEnd(version));
		}
		list((reply) -> reply.json(200, podList(version, "", pods)));
		return this.server.on(
				(request) -> isResumedWatch(request)
						&& version.equals(Objects.requireNonNullElse(request.parameter("resourceVersion"), "")),
				ScriptedReply::hold);
	}

	/**
	 * The next request for a full state, in either way, is answered like that.
	 */
	ScriptedReply fullState(Consumer<ScriptedReply> script) {
		return this.server.on(ScriptedPods::isFullState, script);
	}

	ScriptedReply stream(Consumer<ScriptedReply> script) {
		return this.server.on(ScriptedPods::isStream, script);
	}

	ScriptedReply list(Consumer<ScriptedReply> script) {
		return this.server.on(ScriptedPods::isListOrPage, script);
	}

	ScriptedReply watch() {
		return watch(ScriptedReply::hold);
	}

	ScriptedReply watch(Consumer<ScriptedReply> script) {
		return this.server.on(ScriptedPods::isResumedWatch, script);
	}

	void everyWatch(Consumer<ScriptedReply> script) {
		this.server.onEvery(ScriptedPods::isResumedWatch, script);
	}

	void probe(String version) {
		this.server.on(ScriptedPods::isProbe, (reply) -> reply.json(200, podList(version, "")));
	}

	void everyProbe(String version) {
		this.server.onEvery(ScriptedPods::isProbe, (reply) -> reply.json(200, podList(version, "")));
	}

	Informer<V1Pod> start() {
		return start((builder) -> builder);
	}

	Informer<V1Pod> start(UnaryOperator<Informers.Builder> settings) {
		return start(this.client, InformerSpec.of(V1Pod.class), settings);
	}

	Informer<V1Pod> start(ApiClient apiClient, InformerSpec<V1Pod> spec, UnaryOperator<Informers.Builder> settings) {
		return start(apiClient, spec, settings, null);
	}

	private Informer<V1Pod> start(ApiClient apiClient, InformerSpec<V1Pod> spec,
			UnaryOperator<Informers.Builder> settings, @Nullable TransformFunc transform) {
		this.informers = settings.apply(Informers.builder(apiClient).timings(FAST).listMode(this.mode)).build();
		Informer<V1Pod> pods = this.informers.informer(spec);
		if (transform != null) {
			pods.setTransform(transform);
		}
		this.registration = pods.addHandler(this.recorder, HandlerOptions.defaults().withId("recorder"));
		this.informers.start();
		return pods;
	}

	Informer<V1Pod> startAndSync() throws InterruptedException {
		return startAndSync((builder) -> builder);
	}

	Informer<V1Pod> startAndSync(UnaryOperator<Informers.Builder> settings) throws InterruptedException {
		Informer<V1Pod> pods = start(settings);
		awaitSync();
		return pods;
	}

	Informer<V1Pod> startAndSyncTransformed(TransformFunc transform) throws InterruptedException {
		Informer<V1Pod> pods = start(this.client, InformerSpec.of(V1Pod.class), (builder) -> builder, transform);
		awaitSync();
		return pods;
	}

	void awaitSync() throws InterruptedException {
		assertThat(this.registration.awaitSync(LONG)).isTrue();
	}

	void awaitDelivered(String... delivered) {
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly(delivered));
	}

	/**
	 * Returns the requests, written alike in both ways: {@code FULL version} for a list
	 * (with the watch after it) or a streaming list, {@code PAGE}, {@code WATCH version}
	 * and {@code PROBE}. The version is "0" or missing if there is none.
	 */
	List<String> asked() {
		List<String> asked = new ArrayList<>();
		boolean listed = false;
		for (RecordedRequest request : requests()) {
			String version = Objects.requireNonNullElse(request.parameter("resourceVersion"), "");
			String from = (version.isEmpty() || version.equals("0")) ? "" : " " + version;
			if (request.query().containsKey("continue")) {
				asked.add("PAGE");
			}
			else if (isProbe(request)) {
				asked.add("PROBE");
			}
			else if (isFullState(request)) {
				asked.add("FULL" + from);
			}
			else if (!listed) {
				asked.add("WATCH" + from);
			}
			listed = isListOrPage(request) && request.status() == 200;
		}
		return asked;
	}

	void awaitAsked(String... asked) {
		await().untilAsserted(() -> assertThat(asked()).containsExactly(asked));
	}

	/**
	 * Returns the ways in which full states were requested: {@code LIST} or {@code
	 * STREAM}.
	 */
	List<String> ways() {
		return requests().stream()
			.filter(ScriptedPods::isFullState)
			.map((request) -> request.isWatch() ? "STREAM" : "LIST")
			.toList();
	}

	List<RecordedRequest> requests() {
		return this.server.requests();
	}

	/** Returns the times between consecutive requests of the client. */
	static List<Duration> gaps(List<RecordedRequest> requests) {
		List<Duration> gaps = new ArrayList<>();
		Instant before = null;
		for (RecordedRequest request : requests) {
			if (before != null) {
				gaps.add(Duration.between(before, request.at()));
			}
			before = request.at();
		}
		return gaps;
	}

	Recorder<V1Pod> recorder() {
		return this.recorder;
	}

	Informers informers() {
		return this.informers;
	}

	ScriptedApiServer server() {
		return this.server;
	}

	/**
	 * Waits for the end of the script, stops the informer and compares what was asked for
	 * with the script.
	 */
	@Override
	public void close() {
		try {
			// The last watch may be asked for after its state was reported.
			await().untilAsserted(this.server::verify);
		}
		finally {
			if (this.informers != null) {
				this.informers.close();
			}
			this.server.close();
		}
		this.server.verify();
		assertThat(requests()).allMatch((request) -> request.protocol().equals(recorded(this.protocol)));
		assertThat(requests().stream().limit((this.encoding == WireEncoding.PROTOBUF) ? 1 : 0))
			.allMatch((request) -> request.header("Accept").startsWith("application/vnd.kubernetes.protobuf"));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	static boolean isFullState(RecordedRequest request) {
		return isStream(request) || isListOrPage(request);
	}

	static boolean isStream(RecordedRequest request) {
		return request.isWatch() && request.query().containsKey("sendInitialEvents");
	}

	static boolean isListOrPage(RecordedRequest request) {
		return request.isList() && !isProbe(request);
	}

	static boolean isResumedWatch(RecordedRequest request) {
		return request.isWatch() && !isStream(request);
	}

	static boolean isProbe(RecordedRequest request) {
		return request.isList() && "1".equals(request.parameter("limit"));
	}

	static ScriptedReply initialEvents(ScriptedReply reply, String... pods) {
		Stream.of(pods).forEach((pod) -> reply.event("ADDED", pod(pod)));
		return reply;
	}

	static String podList(String version, String next, String... pods) {
		return "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%s\",\"continue\":\"%s\"},\"items\":[%s]}"
			.formatted(version, next, Stream.of(pods).map(ScriptedPods::pod).collect(Collectors.joining(",")));
	}

	static String pod(String notation) {
		return pod(notation, Map.of());
	}

	static String pod(String notation, Map<String, String> labels) {
		Matcher matcher = NOTATION.matcher(notation);
		assertThat(matcher.matches()).as(notation).isTrue();
		String uid = matcher.group(1) + Objects.requireNonNullElse(matcher.group(2), "");
		String spec = (matcher.group(3) != null) ? "7" : "{\"containers\":[{\"name\":\"app\"}]}";
		String labelled = labels.entrySet()
			.stream()
			.map((label) -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
			.collect(Collectors.joining(","));
		return "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"blog\",\"name\":\"%s\",\"uid\":\"%s\",\"resourceVersion\":\"%s\",\"labels\":{%s}},\"spec\":%s}"
			.formatted(matcher.group(1), uid, matcher.group(4), labelled, spec);
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
