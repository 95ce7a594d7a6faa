package dev.kubeinformer.internal.controller;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.internal.informer.PartitionProbe;
import dev.kubeinformer.internal.informer.SharedHandler;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;

/**
 * Informer that a started reconciler uses as a source. Sinks and handlers are added for a
 * session, which is the time in which this process may run the reconciler.
 *
 * @param <C> the model class
 */
final class ControllerSource<C extends KubernetesObject> implements AutoCloseable {

	private final ReconcilerSource.Role role;

	private final InformerLease<C> lease;

	private final SharedInformer<C> informer;

	private final @Nullable OwnedResource<C> owned;

	private final @Nullable WatchedResource<C> watched;

	/** Handlers of this source, by the user function that each calls. */
	private final Map<UserFunction, HandlerRegistration> handlers = new ConcurrentHashMap<>();

	// Actions at the end of the session; confined to the thread that starts or stops it.

	private final List<Runnable> ends = new ArrayList<>();

	private @Nullable CacheFilledSink followed;

	/**
	 * Creates an unconnected source.
	 * @param role the role of the source for the reconciler
	 * @param lease the lease of the informer
	 * @param owned the owned resource; {@code null} if this is another source
	 * @param watched the watched resource; {@code null} if this is another source
	 */
	ControllerSource(ReconcilerSource.Role role, InformerLease<C> lease, @Nullable OwnedResource<C> owned,
			@Nullable WatchedResource<C> watched) {
		this.role = role;
		this.lease = lease;
		this.informer = (SharedInformer<C>) lease.informer();
		this.owned = owned;
		this.watched = watched;
	}

	@Nullable OwnedResource<C> owned() {
		return this.owned;
	}

	@Nullable WatchedResource<C> watched() {
		return this.watched;
	}

	SharedInformer<C> informer() {
		return this.informer;
	}

	ObjectStore<C> store() {
		return this.informer.store();
	}

	/**
	 * Returns the objects that the cache should hold at the moment.
	 * @return the share
	 */
	ObjectShare share() {
		Shards shards = this.informer.spec().shards();
		Shard shard = this.informer.spec().shard();
		return (shards != null) ? ObjectShare.of(shards.division(), this::isListed)
				: (shard != null) ? ObjectShare.of(shard) : ObjectShare.ALL;
	}

	/**
	 * Returns whether the objects of the cache are divided into slots that move between
	 * replicas.
	 * @return {@code true} if the cache holds the objects of some slots only
	 */
	boolean isDivided() {
		return this.informer.spec().shards() != null;
	}

	/**
	 * Returns whether the cache holds a full state of a slot.
	 * @param slot the index of the slot
	 * @return {@code true} if the cache holds it; {@code true} also for a cache that is
	 * not divided
	 */
	boolean isListed(int slot) {
		return !isDivided() || store().listedSlots().present().contains(slot);
	}

	/**
	 * Observes whether the cache is filled, from now on until the source is closed.
	 * @param filled called when the cache holds its full state; under the lock of the
	 * store
	 * @param emptied called when the cache no longer holds its full state; under the same
	 * lock
	 */
	void follow(Consumer<ControllerSource<?>> filled, Consumer<ControllerSource<?>> emptied) {
		CacheFilledSink sink = new CacheFilledSink(filled, emptied);
		this.followed = sink;
		store().addSinkWithoutReplay(sink);
	}

	/**
	 * Adds a sink for the current session. It receives the changes from now on.
	 * @param sink the sink
	 */
	void connect(DeltaSink<C> sink) {
		this.ends.add(() -> store().removeSink(sink));
		store().addSinkWithoutReplay(sink);
	}

	/**
	 * Adds a handler for the current session.
	 * @param handler the handler
	 * @param options the options of the handler
	 * @param function the user function that the handler calls
	 * @param settled called after each processed event, because it may have been the last
	 * pending one
	 */
	void handle(EventHandler<C> handler, HandlerOptions options, UserFunction function, Runnable settled) {
		SharedHandler<C> registration = this.informer.addShared(handler, options);
		registration.whenSettled(settled);
		this.handlers.put(function, registration);
		this.ends.add(registration::close);
	}

	/**
	 * Adds an action that runs at the end of the current session.
	 * @param end the action
	 */
	void whenDetached(Runnable end) {
		this.ends.add(end);
	}

	/**
	 * Returns whether the handlers of this source have processed all events.
	 * @return {@code true} if no event is pending
	 */
	boolean hasHandledAll() {
		return this.handlers.values()
			.stream()
			.map(HandlerRegistration::status)
			.allMatch((status) -> status.queue().size() == 0 && status.handling() == null);
	}

	/**
	 * Returns the user functions that fail for objects of this source.
	 * @return the functions
	 */
	List<FailingFunction> failing() {
		List<FailingFunction> failing = new ArrayList<>();
		this.handlers.forEach((function, handler) -> {
			FailingFunction found = function.failing(handler.status());
			if (found != null) {
				failing.add(found);
			}
		});
		return failing;
	}

	/**
	 * Returns the probes that check whether the cache is as new as the API server.
	 * @param runtime the resources that all informers share
	 * @param nanoTime the clock
	 * @param share the objects that are compared
	 * @return a probe for each partition
	 */
	List<PartitionProbe<C>> probes(InformerRuntime runtime, LongSupplier nanoTime, ObjectShare share) {
		List<PartitionProbe<C>> probes = new ArrayList<>();
		for (String partition : this.informer.partitions()) {
			probes.add(new PartitionProbe<>(partition, store(), this.informer.connection(partition, runtime), nanoTime,
					share));
		}
		return probes;
	}

	/**
	 * Returns the status.
	 * @return the status
	 */
	ReconcilerSource status() {
		InformerStatus status = this.informer.status();
		InformerError error = status.lastError();
		Instant since = status.since();
		String rbac = status.requiredRbac().stream().map(RequiredRbac::toString).collect(Collectors.joining("; "));
		return new ReconcilerSource(this.informer.id(), this.informer.spec().type().name(), this.role, status.state(),
				since, status.sync().synced(), (error != null) ? error.message() : null, rbac.isEmpty() ? null : rbac);
	}

	/** Removes the sinks and handlers of the current session, the last one first. */
	void detach() {
		List<Runnable> last = new ArrayList<>(this.ends);
		this.ends.clear();
		Collections.reverse(last);
		last.forEach(Runnable::run);
		this.handlers.clear();
	}

	@Override
	public void close() {
		if (this.followed != null) {
			store().removeSink(this.followed);
		}
		this.lease.close();
	}

	@Override
	public String toString() {
		return this.informer.id();
	}

	/** Sink that only observes whether the cache is filled. */
	private final class CacheFilledSink implements DeltaSink<C> {

		private final Consumer<ControllerSource<?>> filled;

		private final Consumer<ControllerSource<?>> emptied;

		CacheFilledSink(Consumer<ControllerSource<?>> filled, Consumer<ControllerSource<?>> emptied) {
			this.filled = filled;
			this.emptied = emptied;
		}

		@Override
		public void initialStateComplete() {
			this.filled.accept(ControllerSource.this);
		}

		@Override
		public void frozen() {
			this.emptied.accept(ControllerSource.this);
		}

		@Override
		public void initialStateReset() {
			this.emptied.accept(ControllerSource.this);
		}

	}

}
