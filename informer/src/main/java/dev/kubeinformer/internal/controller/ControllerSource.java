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
import dev.kubeinformer.internal.informer.RunningReflector;
import dev.kubeinformer.internal.informer.SharedHandler;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;

/**
 * Source of a reconciler while it is started: the use of an informer, and what a session
 * has connected to it.
 *
 * @param <C> the model class
 */
final class ControllerSource<C extends KubernetesObject> implements AutoCloseable {

	private final ReconcilerSource.Role role;

	private final InformerLease<C> lease;

	private final SharedInformer<C> informer;

	private final @Nullable OwnedResource<C> owned;

	private final @Nullable WatchedResource<C> watched;

	/** Handlers of this source, by the function that each calls. */
	private final Map<UserFunction, HandlerRegistration> handlers = new ConcurrentHashMap<>();

	// Of the thread that starts or stops something of the reconciler.

	private final List<Runnable> ends = new ArrayList<>();

	private @Nullable CacheFilledSink followed;

	/**
	 * Creates a source to which nothing is connected.
	 * @param role what the reconciler uses it for
	 * @param lease the use of the informer
	 * @param owned what the reconciler owns; {@code null} if it is another source
	 * @param watched what the reconciler watches; {@code null} if it is another source
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
	 * Follows whether the cache is filled, from now on until the source is closed.
	 * @param filled called when the cache holds its full state; under the lock of the
	 * store
	 * @param emptied called when it does not any more; under the same lock
	 */
	void follow(Consumer<ControllerSource<?>> filled, Consumer<ControllerSource<?>> emptied) {
		CacheFilledSink sink = new CacheFilledSink(filled, emptied);
		this.followed = sink;
		store().addSinkWithoutReplay(sink);
	}

	/**
	 * Adds a sink for this session. It is given what changes from now on.
	 * @param sink the sink
	 */
	void connect(DeltaSink<C> sink) {
		this.ends.add(() -> store().removeSink(sink));
		store().addSinkWithoutReplay(sink);
	}

	/**
	 * Adds a handler for this session.
	 * @param handler the handler
	 * @param options its options
	 * @param function the function of the user that it calls
	 * @param settled called when it has handled an event, which may have been the last
	 */
	void handle(EventHandler<C> handler, HandlerOptions options, UserFunction function, Runnable settled) {
		SharedHandler<C> registration = this.informer.addShared(handler, options);
		registration.whenSettled(settled);
		this.handlers.put(function, registration);
		this.ends.add(registration::close);
	}

	/**
	 * Adds what is done at the end of this session.
	 * @param end what is done
	 */
	void whenDetached(Runnable end) {
		this.ends.add(end);
	}

	/**
	 * Returns whether the handlers of this source have handled all that came.
	 * @return whether they have
	 */
	boolean hasHandledAll() {
		return this.handlers.values()
			.stream()
			.map(HandlerRegistration::status)
			.allMatch((status) -> status.queue().size() == 0 && status.handling() == null);
	}

	/**
	 * Returns the functions of users that fail on objects of this source.
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
	 * Returns what finds out whether the cache is as new as the API server.
	 * @param runtime what informers share
	 * @param nanoTime the clock
	 * @return a probe for each partition
	 */
	List<PartitionProbe<C>> probes(InformerRuntime runtime, LongSupplier nanoTime) {
		List<PartitionProbe<C>> probes = new ArrayList<>();
		for (String partition : this.informer.partitions()) {
			probes.add(new PartitionProbe<>(partition, store(),
					RunningReflector.connection(partition, this.informer.spec(), runtime), nanoTime));
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

	/**
	 * Removes what the session has added, the last first.
	 */
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

	/**
	 * Sink that only notes whether the cache is filled.
	 */
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
