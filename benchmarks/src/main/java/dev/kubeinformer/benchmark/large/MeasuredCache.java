package dev.kubeinformer.benchmark.large;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.Informers;
import dev.kubeinformer.benchmark.compare.ObjectsState;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;

/**
 * Cache with a handler, and its costs for this process.
 *
 * @param <T> the type of the objects
 */
final class MeasuredCache<T extends KubernetesObject> implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(15);

	private final WireCount wire = new WireCount();

	private final WireCount plain = new WireCount();

	private final AtomicLong events = new AtomicLong();

	private final Informers informers;

	private final Informer<T> informer;

	private final HandlerRegistration handler;

	private long retained;

	MeasuredCache(ApiClient client, InformerSpec<T> spec, boolean protobuf) {
		client.setHttpClient(client.getHttpClient()
			.newBuilder()
			.addInterceptor(this.plain)
			.addNetworkInterceptor(this.wire)
			.build());
		this.informers = Informers.builder(client).protobuf(protobuf).syncDeadline(LIMIT).build();
		this.informer = this.informers.informer(spec);
		this.handler = this.informer.addHandler((event) -> this.events.incrementAndGet(), HandlerOptions.defaults());
	}

	/**
	 * Fills the cache and describes the costs.
	 * @return one line of {@code name=value}
	 * @throws IOException if the memory of the process cannot be read
	 * @throws InterruptedException if interrupted
	 */
	String fill() throws IOException, InterruptedException {
		long empty = OwnProcess.live();
		double cpu = OwnProcess.cpu();
		long begin = System.nanoTime();
		this.informers.start();
		if (!this.handler.awaitSync(LIMIT)) {
			throw new IllegalStateException("No sync: " + this.informer.status());
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		cpu = OwnProcess.cpu() - cpu;
		long received = this.wire.bytes();
		long inflated = this.plain.bytes();
		this.retained = OwnProcess.live() - empty;
		ObjectsState state = state();
		InformerStatus status = this.informer.status();
		InformerStatus.Sharding sharding = status.sharding();
		return String.format(Locale.ROOT,
				"objects=%d digest=%016x handled=%d retained=%d each=%d wire=%d plain=%d peak=%d cpu=%.1f seconds=%.1f encoding=%s metadata=%s shard=%s foreign=%d",
				state.objects(), state.digest(), this.events.get(), this.retained,
				this.retained / Math.max(1, state.objects()), received, inflated, OwnProcess.peakMemory(), cpu, seconds,
				status.encoding(), status.metadata(), (sharding != null) ? sharding.mode() : null,
				(sharding != null) ? sharding.foreign() : 0);
	}

	private ObjectsState state() {
		long objects = 0;
		long digest = 0;
		for (T object : this.informer.lister().list()) {
			V1ObjectMeta metadata = object.getMetadata();
			objects++;
			digest += ObjectsState.hash(Objects.toString(metadata.getNamespace(), ""),
					Objects.requireNonNull(metadata.getName()), Objects.requireNonNull(metadata.getResourceVersion()));
		}
		return new ObjectsState(objects, digest);
	}

	Informers informers() {
		return this.informers;
	}

	Informer<T> informer() {
		return this.informer;
	}

	long events() {
		return this.events.get();
	}

	long retained() {
		return this.retained;
	}

	@Override
	public void close() {
		this.informers.close();
	}

}
