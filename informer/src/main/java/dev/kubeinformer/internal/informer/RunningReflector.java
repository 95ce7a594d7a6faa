package dev.kubeinformer.internal.informer;

import java.util.Objects;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.internal.reflector.Reflector;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.PoolBounds;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.DiscoveringConnection;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.types.Shard;

/**
 * Reflector with its thread.
 *
 * @param <T> the model class
 * @param partition the partition that it fills
 * @param reflector the reflector
 * @param sink the receiver of its lists and events
 * @param thread the thread
 * @param pools its decoder's share of the budget of all pools
 */
public record RunningReflector<T extends KubernetesObject>(String partition, Reflector<T> reflector,
		PartitionSink<T> sink, Thread thread, PoolBudget.Share pools) {

	static <T extends KubernetesObject> RunningReflector<T> of(String partition, InformerSpec<T> spec,
			ObjectStore<T> store, Observers reports, PartitionTransform transform, InformerRuntime runtime) {
		PoolBudget.Share pools = runtime.pools().share();
		try {
			return of(partition, spec, store, reports, transform, runtime, pools);
		}
		catch (RuntimeException | Error ex) {
			pools.close();
			throw ex;
		}
	}

	private static <T extends KubernetesObject> RunningReflector<T> of(String partition, InformerSpec<T> spec,
			ObjectStore<T> store, Observers reports, PartitionTransform transform, InformerRuntime runtime,
			PoolBudget.Share pools) {
		Selection selection = selection(partition, spec);
		PartitionSink<T> sink = new PartitionSink<>(partition, spec, store, reports.status(), reports.notices(),
				transform);
		InformerRuntime.Decoding decoding = runtime.decoding().apply(spec.type());
		// Transforms may change their argument, so decode mutable objects for them.
		Codecs<T> codecs = decoding.codecs(spec.type(), transform.function() != null,
				PoolBounds.share(reports.reflectors(), pools), () -> store.snapshot().size(partition));
		if (codecs.shareParts()) {
			// Objects share parts, so a change by user code in one object affects others.
			// Comparing by content at a start repairs that.
			sink.compareContent();
		}
		Reflector<T> reflector = new Reflector<>(
				connection(selection, spec, runtime,
						new PartitionDecoding<>(decoding.mappers(), codecs, reports.negotiation(),
								reports.notices()::warned)),
				sink, runtime.reflectorOptions().withPageSize(spec.pageSize()), runtime.syncSlots(), runtime.outages(),
				store.snapshot().resourceVersion(partition));
		Thread thread = Objects.requireNonNull(runtime.threads().newThread(reflector),
				() -> "The thread factory created no thread for informer '%s'"
					.formatted(reports.notices().informerId()));
		thread.setName("informer-" + reports.notices().informerId() + (partition.isEmpty() ? "" : "-" + partition)
				+ "-reflector");
		return new RunningReflector<>(partition, reflector, sink, thread, pools);
	}

	/**
	 * Opens a separate connection for the content of an informer.
	 * @param <T> the model class
	 * @param partition the namespace, or the empty string
	 * @param spec the spec of the informer
	 * @param runtime the shared parts of informers
	 * @return the connection
	 */
	public static <T extends KubernetesObject> ApiConnection<T> connection(String partition, InformerSpec<T> spec,
			InformerRuntime runtime) {
		InformerRuntime.Decoding decoding = runtime.decoding().apply(spec.type());
		Selection selection = selection(partition, spec);
		return connection(selection, spec, runtime,
				new PartitionDecoding<>(decoding.mappers(),
						decoding.codecs(spec.type(), true, PoolBounds.ofItsOwn(), () -> 0),
						decoding.negotiation(spec.type(), (why) -> {
						}, runtime.reflectorOptions().nanoTime()), (warning) -> {
							// The informer itself receives the warnings, too.
						}));
	}

	private static Selection selection(String partition, InformerSpec<?> spec) {
		Shard shard = spec.shard();
		return new Selection(partition.isEmpty() ? null : partition, spec.labelSelector(), spec.fieldSelector(),
				(shard != null) ? ShardFilter.of(shard) : null);
	}

	private static <T extends KubernetesObject> ApiConnection<T> connection(Selection selection, InformerSpec<T> spec,
			InformerRuntime runtime, PartitionDecoding<T> partitionDecoding) {
		OkHttpApiConnection<T> connection = new OkHttpApiConnection<>(runtime.connections(), spec.type(), selection,
				partitionDecoding.mappers(), partitionDecoding.codecs(), partitionDecoding.negotiation(),
				partitionDecoding.warnings());
		return spec.type().isDynamic() ? new DiscoveringConnection<>(connection, spec.type(), selection,
				partitionDecoding.mappers(), partitionDecoding.codecs()) : connection;
	}

	void askForMostRecentState() {
		this.reflector.askForMostRecentState();
	}

	boolean isFilledFresh(long since) {
		return this.reflector.isFreshSince(since);
	}

	void start() {
		this.thread.start();
	}

	void stop() {
		this.sink.end();
		this.reflector.stop();
		this.pools.close();
	}

	void awaitEnd() {
		if (isCurrentThread()) {
			return;
		}
		try {
			this.thread.join(InformerRuntime.REFLECTOR_GRACE.toMillis());
			if (this.thread.isAlive()) {
				this.thread.interrupt();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns whether the calling thread is the reflector's, which means that the caller
	 * is a transform or an index function.
	 * @return {@code true} if the thread belongs to the reflector
	 */
	boolean isCurrentThread() {
		return this.thread == Thread.currentThread();
	}

	/**
	 * Parts that all reflectors of an informer share.
	 *
	 * @param status the state of the informer
	 * @param notices notifies listeners
	 * @param negotiation the negotiation of encodings
	 * @param reflectors the number of reflectors
	 */
	record Observers(StatusTracker status, InformerNotices notices, Negotiation negotiation, int reflectors) {

	}

	/**
	 * Facilities for reading responses.
	 *
	 * @param <T> the model class
	 * @param mappers the mappers of errors
	 * @param codecs the codecs of the resource
	 * @param negotiation the negotiation of the codec
	 * @param warnings receives the warnings of responses
	 */
	private record PartitionDecoding<T extends KubernetesObject>(JsonMappers mappers, Codecs<T> codecs,
			Negotiation negotiation, Consumer<String> warnings) {

	}

}
