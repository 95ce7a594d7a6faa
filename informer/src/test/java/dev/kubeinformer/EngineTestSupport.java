package dev.kubeinformer;

import java.time.Duration;
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

import dev.kubeinformer.reflector.ReflectorTimings;

/**
 * Informers on a test server, with the protocol's durations scaled down.
 */
final class EngineTestSupport {

	static final ReflectorTimings FAST = new ReflectorTimings(Duration.ofMillis(20), Duration.ofMillis(200),
			Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofSeconds(300), Duration.ofMillis(500),
			Duration.ofSeconds(1), Duration.ofHours(24));

	/** Waits that begin as short, and become as long as against real servers. */
	static final ReflectorTimings LONGER_AND_LONGER = new ReflectorTimings(FAST.backoffBase(), Duration.ofSeconds(30),
			FAST.backoffReset(), FAST.shortWatch(), FAST.watchTimeout(), FAST.errorEventPatience(), FAST.syncDeadline(),
			FAST.streamMemo());

	private EngineTestSupport() {
	}

	static Informers informers(String url) {
		return informers(url, (builder) -> builder);
	}

	static Informers informers(String url, UnaryOperator<Informers.Builder> settings) {
		return settings.apply(Informers.builder(client(url)).timings(FAST)).build();
	}

	/**
	 * A client with connections of its own.
	 * @param url the server
	 * @return the client
	 */
	static ApiClient client(String url) {
		ApiClient client = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool()).build());
		client.setBasePath(url);
		return client;
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

	static Set<String> engineThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("informer-"))
			.collect(Collectors.toSet());
	}

}
