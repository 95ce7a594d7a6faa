package dev.kubeinformer.internal.informer;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.PoolBudget;
import dev.kubeinformer.internal.reflector.Reflector;
import dev.kubeinformer.internal.reflector.SlotMoves;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.PoolBounds;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.slots.SlotSource;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.DiscoveringConnection;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.Slots;

/**
 * Reflector with its thread.
 *
 * @param <T> the model class
 * @param partition the partition that the reflector fills
 * @param reflector the reflector
 * @param sink the receiver of its lists and events
 * @param thread the thread
 * @param pools the share of its decoder in the memory budget of all pools
 * @param moves follows the slots that move; {@code null} if the objects are not divided
 * by slots
 */
public record RunningReflector<T extends KubernetesObject>(String partition, Reflector<T> reflector,
		PartitionSink<T> sink, Thread thread, PoolBudget.Share pools, @Nullable SlotMoves<T> moves) {

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
		String name = "informer-" + reports.notices().informerId() + (partition.isEmpty() ? "" : "-" + partition);
		SlotMoves<T> moves = (spec.shards() != null) ? new SlotMoves<>(
				slots(spec.shards().division(), partition, store),
				(filter) -> connection(selection(partition, spec, filter), spec, runtime, new PartitionDecoding<>(
						decoding.mappers(),
						decoding.codecs(spec.type(), transform.function() != null,
								PoolBounds.share(reports.reflectors(), pools), () -> store.snapshot().size(partition)),
						reports.negotiation(), reports.notices()::warned)),
				(work) -> named(runtime.threads().newThread(work), name + "-slots")) : null;
		Selection selection = (moves != null) ? selection(partition, spec, moves::filter) : selection(partition, spec);
		Reflector<T> reflector = new Reflector<>(
				connection(selection, spec, runtime,
						new PartitionDecoding<>(decoding.mappers(), codecs, reports.negotiation(),
								reports.notices()::warned)),
				sink, runtime.reflectorOptions().withPageSize(spec.pageSize()), runtime.syncSlots(), runtime.outages(),
				store.snapshot().resourceVersion(partition), moves);
		Thread thread = Objects.requireNonNull(runtime.threads().newThread(reflector),
				() -> "The thread factory created no thread for informer '%s'"
					.formatted(reports.notices().informerId()));
		thread.setName(name + "-reflector");
		return new RunningReflector<>(partition, reflector, sink, thread, pools, moves);
	}

	private static Thread named(@Nullable Thread thread, String name) {
		Thread made = Objects.requireNonNull(thread,
				() -> "The thread factory has made no thread '%s'".formatted(name));
		made.setName(name);
		return made;
	}

	private static SlotSource slots(Slots division, String partition, ObjectStore<?> store) {
		return new SlotSource() {

			@Override
			public Slots division() {
				return division;
			}

			@Override
			public boolean isSettled() {
				return store.isSettled();
			}

			@Override
			public HeldSlots held() {
				return store.heldSlots();
			}

			@Override
			public HeldSlots full() {
				return store.fullSlots(partition);
			}

		};
	}

	/**
	 * Opens a separate connection that requests the objects of an informer.
	 * @param <T> the model class
	 * @param partition the namespace, or the empty string
	 * @param spec the spec of the informer
	 * @param runtime the resources that all informers share
	 * @return the connection
	 */
	public static <T extends KubernetesObject> ApiConnection<T> connection(String partition, InformerSpec<T> spec,
			InformerRuntime runtime) {
		return connection(selection(partition, spec), spec, runtime);
	}

	/**
	 * Opens a separate connection that requests the objects of an informer whose slots
	 * move between replicas.
	 * @param <T> the model class
	 * @param partition the namespace, or the empty string
	 * @param spec the spec of the informer
	 * @param runtime the resources that all informers share
	 * @param slots the slots whose objects are requested
	 * @return the connection
	 */
	public static <T extends KubernetesObject> ApiConnection<T> connection(String partition, InformerSpec<T> spec,
			InformerRuntime runtime, HeldSlots slots) {
		Shards shards = Objects.requireNonNull(spec.shards());
		ShardFilter filter = ShardFilter.of(shards.division(), slots.slots());
		return connection(selection(partition, spec, () -> filter), spec, runtime);
	}

	private static <T extends KubernetesObject> ApiConnection<T> connection(Selection selection, InformerSpec<T> spec,
			InformerRuntime runtime) {
		InformerRuntime.Decoding decoding = runtime.decoding().apply(spec.type());
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
		ShardFilter filter = (shard != null) ? ShardFilter.of(shard) : null;
		return selection(partition, spec, (filter != null) ? () -> filter : null);
	}

	private static Selection selection(String partition, InformerSpec<?> spec, @Nullable Supplier<ShardFilter> filter) {
		return new Selection(partition.isEmpty() ? null : partition, spec.labelSelector(), spec.fieldSelector(),
				filter);
	}

	private static <T extends KubernetesObject> ApiConnection<T> connection(Selection selection, InformerSpec<T> spec,
			InformerRuntime runtime, PartitionDecoding<T> partitionDecoding) {
		OkHttpApiConnection<T> connection = new OkHttpApiConnection<>(runtime.connections(), spec.type(), selection,
				partitionDecoding.mappers(), partitionDecoding.codecs(), partitionDecoding.negotiation(),
				partitionDecoding.warnings());
		return spec.type().isDynamic() ? new DiscoveringConnection<>(connection, spec.type(), selection,
				partitionDecoding.mappers(), partitionDecoding.codecs()) : connection;
	}

	/**
	 * Notes that slots were gained or lost. Called after the store has received the
	 * change.
	 */
	void slotsChanged() {
		if (this.moves != null) {
			this.moves.changed();
		}
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
	 * Returns whether the calling thread belongs to the reflector, so the caller is a
	 * transform or an index function.
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
	 * @param mappers the JSON mappers for error responses
	 * @param codecs the codecs of the resource
	 * @param negotiation chooses the encoding of responses
	 * @param warnings receives the warnings of responses
	 */
	private record PartitionDecoding<T extends KubernetesObject>(JsonMappers mappers, Codecs<T> codecs,
			Negotiation negotiation, Consumer<String> warnings) {

	}

}
