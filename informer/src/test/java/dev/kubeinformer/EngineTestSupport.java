package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import dev.kubeinformer.internal.reflector.ReflectorTimings;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.WireEncoding;

/**
 * Informers on a test server, with the protocol's durations scaled down.
 */
final class EngineTestSupport {

	static final ReflectorTimings FAST = new ReflectorTimings(Duration.ofMillis(20), Duration.ofMillis(200),
			Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofSeconds(300), Duration.ofSeconds(5),
			Duration.ofMillis(300), Duration.ofSeconds(10), Duration.ofHours(24), Duration.ofMillis(400), Duration.ZERO,
			Duration.ofSeconds(150), Duration.ofMillis(20));

	/** Waits that begin as short, and become as long as against real servers. */
	static final ReflectorTimings LONGER_AND_LONGER = new ReflectorTimings(FAST.backoffBase(), Duration.ofSeconds(30),
			FAST.backoffReset(), FAST.shortWatch(), FAST.watchTimeout(), FAST.watchOverrun(), FAST.errorEventPatience(),
			FAST.syncDeadline(), FAST.streamMemo(), FAST.slotPatience(), FAST.verifyEvery(), FAST.idleTimeout(),
			FAST.probation());

	private EngineTestSupport() {
	}

	/** Returns equally short timings, with watches that last a second or two. */
	static ReflectorTimings withShortWatches(Duration overrun) {
		return new ReflectorTimings(FAST.backoffBase(), FAST.backoffCap(), FAST.backoffReset(), FAST.shortWatch(),
				Duration.ofSeconds(1), overrun, FAST.errorEventPatience(), FAST.syncDeadline(), FAST.streamMemo(),
				FAST.slotPatience(), FAST.verifyEvery(), FAST.idleTimeout(), FAST.probation());
	}

	/**
	 * Returns equally short timings, in which even watches that a busy server took a
	 * while for count as short.
	 */
	static ReflectorTimings withEveryWatchShort() {
		return new ReflectorTimings(FAST.backoffBase(), FAST.backoffCap(), FAST.backoffReset(), Duration.ofMinutes(1),
				FAST.watchTimeout(), FAST.watchOverrun(), FAST.errorEventPatience(), FAST.syncDeadline(),
				FAST.streamMemo(), FAST.slotPatience(), FAST.verifyEvery(), FAST.idleTimeout(), FAST.probation());
	}

	/** Returns equally short timings, with a longer tolerance for errors in watches. */
	static ReflectorTimings withErrorEventPatience(Duration patience) {
		return new ReflectorTimings(FAST.backoffBase(), FAST.backoffCap(), FAST.backoffReset(), FAST.shortWatch(),
				FAST.watchTimeout(), FAST.watchOverrun(), patience, FAST.syncDeadline(), FAST.streamMemo(),
				FAST.slotPatience(), FAST.verifyEvery(), FAST.idleTimeout(), FAST.probation());
	}

	/**
	 * Returns equally short timings, with another time that resumed watches must last to
	 * count as live.
	 */
	static ReflectorTimings withProbation(Duration probation) {
		return new ReflectorTimings(FAST.backoffBase(), FAST.backoffCap(), FAST.backoffReset(), FAST.shortWatch(),
				FAST.watchTimeout(), FAST.watchOverrun(), FAST.errorEventPatience(), FAST.syncDeadline(),
				FAST.streamMemo(), FAST.slotPatience(), FAST.verifyEvery(), FAST.idleTimeout(), probation);
	}

	/** Returns equally short timings, with slots for syncs that are never lent. */
	static ReflectorTimings withPatientSlots() {
		return new ReflectorTimings(FAST.backoffBase(), FAST.backoffCap(), FAST.backoffReset(), FAST.shortWatch(),
				FAST.watchTimeout(), FAST.watchOverrun(), FAST.errorEventPatience(), FAST.syncDeadline(),
				FAST.streamMemo(), Duration.ofHours(1), FAST.verifyEvery(), FAST.idleTimeout(), FAST.probation());
	}

	static Informers informers(String url) {
		return informers(url, (builder) -> builder);
	}

	static Informers informers(String url, UnaryOperator<Informers.Builder> settings) {
		return informers(client(url, Protocol.HTTP_1_1), settings);
	}

	static Informers informers(ApiClient client, UnaryOperator<Informers.Builder> settings) {
		return settings.apply(Informers.builder(client).timings(FAST)).build();
	}

	/**
	 * A client with connections of its own, of HTTP/1.1.
	 * @param url the server
	 * @return the client
	 */
	static ApiClient client(String url) {
		return client(url, Protocol.HTTP_1_1);
	}

	/**
	 * A client with connections of its own.
	 * @param url the server
	 * @param protocol the protocol, {@link Protocol#HTTP_1_1} or HTTP/2 without TLS,
	 * {@link Protocol#H2_PRIOR_KNOWLEDGE}
	 * @return the client
	 */
	static ApiClient client(String url, Protocol protocol) {
		ApiClient client = new ApiClient(
				new OkHttpClient.Builder().connectionPool(new ConnectionPool()).protocols(List.of(protocol)).build());
		client.setBasePath(url);
		return client;
	}

	/**
	 * A client with connections of its own.
	 * @param url the server, which speaks JSON
	 * @param protocol the protocol
	 * @param encoding how the client sees what the server answers on pods
	 * @return the client
	 */
	static ApiClient client(String url, Protocol protocol, WireEncoding encoding) {
		ApiClient client = client(url, protocol);
		if (encoding == WireEncoding.PROTOBUF) {
			client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(new ProtobufTranslation()).build());
		}
		return client;
	}

	/**
	 * A server records protocols by other names than clients.
	 */
	static String recorded(Protocol protocol) {
		return (protocol == Protocol.HTTP_1_1) ? "HTTP/1.1" : "HTTP/2.0";
	}

	/**
	 * Waits for a condition and asks often, because many small waits add up.
	 */
	static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
	}

	static V1Pod pod(String namespace, String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name).putLabelsItem("app", name))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("app").image("app:1")));
	}

	static V1Pod relabelled(V1Pod pod, String value) {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(pod.getMetadata().getNamespace())
			.name(pod.getMetadata().getName())
			.putLabelsItem("app", value);
		return new V1Pod().metadata(metadata).spec(pod.getSpec());
	}

	/**
	 * Returns whether a request asks only for the server's version, which is a list on
	 * the wire.
	 * @param request the request
	 * @return {@code true} for a probe
	 */
	static boolean isProbe(RecordedRequest request) {
		return request.isList() && "1".equals(request.parameter("limit"));
	}

	/**
	 * Returns whether a request asks for a full state in one of the two ways.
	 * @param request the request
	 * @return {@code true} for a list or a streaming list
	 */
	static boolean isFullList(RecordedRequest request) {
		return (request.isList() && !isProbe(request)) || request.parameter("sendInitialEvents") != null;
	}

	static Set<String> engineThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("informer-"))
			.collect(Collectors.toSet());
	}

}
