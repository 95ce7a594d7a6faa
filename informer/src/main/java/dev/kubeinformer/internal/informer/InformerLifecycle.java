package dev.kubeinformer.internal.informer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.shard.Shards;

/**
 * Lifecycle of one informer: starts and stops its reflectors and handlers, which can be
 * added and removed while it runs. Safe for use by several threads.
 *
 * @param <T> the model class
 */
public final class InformerLifecycle<T extends KubernetesObject> {

	private final String id;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final InformerNotices notices;

	private final InformerPartitions<T> partitions;

	private final List<SharedHandler<T>> handlers = new CopyOnWriteArrayList<>();

	/** Leader-only handlers, including those on standby. */
	private final Set<HandlerRegistration> leaderOnly = ConcurrentHashMap.newKeySet();

	/**
	 * Lock that is held during a complete start or stop, including waits for threads to
	 * end.
	 */
	private final TransitionLock transition = new TransitionLock(this::isInCallback, () -> this.stopping);

	/**
	 * Guards the state that is read when a handler or a namespace is added. Never held
	 * while waiting.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Follows the slots that this process gains and loses; {@code null} if the objects
	 * are not divided by slots.
	 */
	private final @Nullable SlotWork<T> slots;

	private volatile @Nullable InformerRuntime runtime;

	private volatile boolean stopping;

	/**
	 * Whether a start of all informers was requested, and this informer has not started
	 * yet or has failed to start.
	 */
	private volatile boolean startDue;

	private volatile boolean retired;

	InformerLifecycle(String id, ObjectStore<T> store, StatusTracker status, InformerNotices notices,
			InformerPartitions<T> partitions, @Nullable Shards shards) {
		this.id = id;
		this.store = store;
		this.status = status;
		this.notices = notices;
		this.partitions = partitions;
		this.slots = (shards != null) ? new SlotWork<>(shards, store, status, notices, partitions, () -> this.handlers)
				: null;
	}

	/** Notifies listeners of pending changes. The caller must not hold a lock. */
	public void notifyListeners() {
		this.notices.deliver();
	}

	/** Notes that the informer should start with all others. */
	void setStartDue() {
		this.startDue = true;
	}

	/**
	 * Returns whether a start of all informers was requested and this informer has not
	 * started yet, or has failed to start.
	 * @return {@code true} if the informer should start
	 */
	boolean isStartDue() {
		return this.startDue && !this.retired;
	}

	/**
	 * Requires that the informer was not closed with its last lease.
	 * @throws IllegalStateException if the informer was closed and cannot be started any
	 * more
	 */
	void requireNotRetired() {
		if (this.retired) {
			throw new IllegalStateException(
					"Informer '%s' was closed with its last lease, and cannot be started again".formatted(this.id));
		}
	}

	boolean isRunning() {
		return this.runtime != null;
	}

	/**
	 * Returns whether a permanent stop of the informer has begun. The informer does not
	 * close handlers that are added after this.
	 * @return {@code true} if the informer cannot be started again
	 */
	boolean isRetired() {
		return this.retired;
	}

	/**
	 * Starts the reflectors and handlers. If one of them fails to start, none is started;
	 * the informer stays stopped and can be started again. Does nothing if it runs or was
	 * closed with its last lease.
	 * @param started the resources that all informers share
	 */
	void start(InformerRuntime started) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			if (this.retired) {
				return;
			}
			if (this.runtime == null) {
				startAll(started);
			}
			this.startDue = false;
		}
		finally {
			this.transition.leave();
		}
	}

	private void startAll(InformerRuntime started) {
		try {
			this.lock.lock();
			try {
				this.partitions.negotiate(started);
				this.runtime = started;
				this.stopping = false;
				this.status.started(this.partitions.names());
				if (this.slots != null) {
					this.slots.register();
				}
				this.handlers.forEach((handler) -> handler.start(started.timer()));
				this.partitions.startAll(started);
			}
			finally {
				this.lock.unlock();
			}
		}
		catch (Throwable ex) {
			boolean due = this.startDue;
			beginStop();
			awaitStop();
			this.startDue = due;
			throw ex;
		}
	}

	/**
	 * Begins to stop: cancels requests and makes handlers process only their pending
	 * events. Waits for neither.
	 */
	void beginStop() {
		if (!this.transition.enter()) {
			return;
		}
		try {
			this.startDue = false;
			if (this.runtime == null) {
				this.store.wakeWaits();
				this.handlers.forEach(SharedHandler::endWaits);
			}
			else {
				this.lock.lock();
				try {
					this.stopping = true;
					this.transition.refuseCallbacks();
					this.partitions.stopAll();
					// A handler that waits for the cache would delay the drain.
					this.store.endWaits();
					this.handlers.forEach(SharedHandler::drain);
				}
				finally {
					this.lock.unlock();
				}
			}
		}
		finally {
			this.transition.leave();
		}
	}

	/**
	 * Waits until the stop that {@link #beginStop()} began is complete. The caller must
	 * notify listeners once it holds no lock.
	 */
	void awaitStop() {
		if (!this.transition.enter()) {
			return;
		}
		try {
			if (this.runtime == null || !this.stopping) {
				return;
			}
			this.partitions.awaitEnd();
			this.handlers.forEach(SharedHandler::awaitDrained);
			long until = System.nanoTime() + HandlerDispatcher.GRACE.toNanos();
			this.handlers.forEach((handler) -> handler.awaitEnd(until));
			// From here on the store rejects the reflectors' writes.
			this.store.awaitFullStateAgain();
			if (this.retired) {
				this.store.endWaits();
			}
			this.lock.lock();
			try {
				this.partitions.ended();
				this.runtime = null;
				this.status.stopped();
			}
			finally {
				this.lock.unlock();
			}
		}
		finally {
			this.transition.leave();
		}
	}

	/**
	 * Stops, waits for the end and notifies listeners.
	 */
	void stop() {
		beginStop();
		awaitStop();
		notifyListeners();
	}

	/** Stops permanently. Handlers process their pending events and are removed. */
	public void retire() {
		this.retired = true;
		stop();
		if (this.slots != null) {
			this.slots.close();
		}
		this.store.endWaits();
		this.leaderOnly.forEach(HandlerRegistration::close);
		this.handlers.forEach(SharedHandler::close);
		this.notices.add(InformerListener::informerRemoved);
		notifyListeners();
	}

	/** Clears the cache of an informer that is retired. */
	public void clear() {
		this.partitions.names().forEach(this.store::removePartition);
	}

	/**
	 * Returns whether the calling thread runs a handler, a transform or an index function
	 * of this informer. Such a callback must not wait for anything that depends on its
	 * own end.
	 * @return {@code true} if the caller is such a callback
	 */
	public boolean isInCallback() {
		return this.handlers.stream().anyMatch(SharedHandler::isInCallback) || this.partitions.isCurrentThread();
	}

	/**
	 * Adds a namespace, and lists and watches it if the informer is running.
	 * @param namespace the namespace
	 * @return {@code true} if the namespace was not cached yet
	 */
	boolean addNamespace(String namespace) {
		this.lock.lock();
		try {
			if (!this.partitions.add(namespace)) {
				return false;
			}
			InformerRuntime current = this.runtime;
			if (current != null && !this.stopping) {
				this.status.namespaceAdded(namespace);
				try {
					this.partitions.start(namespace, current);
				}
				catch (Throwable ex) {
					drop(namespace);
					throw ex;
				}
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes a namespace other than the last one.
	 * @param namespace the namespace
	 * @return the reflectors of the namespace, which are about to end
	 * @throws IllegalArgumentException if the namespace is not cached
	 * @throws IllegalStateException if the namespace is the last one
	 */
	List<RunningReflector<T>> removeNamespace(String namespace) {
		this.lock.lock();
		try {
			requireCached(namespace);
			if (this.partitions.names().size() == 1) {
				throw new IllegalStateException(
						"'%s' is the last namespace of informer '%s'; without any, stop it instead".formatted(namespace,
								this.id));
			}
			return drop(namespace);
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<RunningReflector<T>> drop(String namespace) {
		List<RunningReflector<T>> ended = this.partitions.remove(namespace);
		this.status.namespaceRemoved(namespace, this.store.snapshot());
		if (this.store.hasFullState()) {
			this.status.synced();
		}
		return ended;
	}

	/**
	 * Requires that a namespace is cached separately.
	 * @param namespace the namespace
	 * @throws IllegalArgumentException if the namespace is not cached separately
	 */
	void requireCached(String namespace) {
		if (!this.partitions.names().contains(namespace)) {
			throw new IllegalArgumentException("Informer '%s' caches the namespaces %s, not '%s'".formatted(this.id,
					this.partitions.names(), namespace));
		}
	}

	List<SharedHandler<T>> handlers() {
		return List.copyOf(this.handlers);
	}

	/**
	 * Adds a handler, without delivering events yet.
	 * @param handler the handler
	 * @see #connect(SharedHandler)
	 */
	void add(SharedHandler<T> handler) {
		this.handlers.add(handler);
		if (this.slots != null) {
			this.slots.added(handler);
		}
	}

	/**
	 * Adds a leader-only handler, which is closed when the informer is retired.
	 * @param handler the handler
	 */
	void addLeaderOnly(HandlerRegistration handler) {
		this.leaderOnly.add(handler);
	}

	void removeLeaderOnly(HandlerRegistration handler) {
		this.leaderOnly.remove(handler);
	}

	/**
	 * Connects a handler to the store, and starts it if the informer is running.
	 * @param added the handler
	 */
	void connect(SharedHandler<T> added) {
		this.lock.lock();
		try {
			this.store.addSink(added.sink());
			if (!this.handlers.contains(added)) {
				// The handler was removed meanwhile.
				this.store.removeSink(added.sink());
			}
			else {
				InformerRuntime current = this.runtime;
				if (current != null && !this.stopping) {
					added.start(current.timer());
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes a handler.
	 * @param handler the handler
	 */
	void remove(SharedHandler<T> handler) {
		// Remove the handler first: connect() checks for it after adding the sink.
		this.handlers.remove(handler);
		this.store.removeSink(handler.sink());
	}

	/**
	 * Sets the transform of objects before they are stored.
	 * @param transform the transform; {@code null} for none
	 * @throws IllegalStateException if the informer is running
	 */
	void transform(@Nullable TransformFunc transform) {
		this.lock.lock();
		try {
			if (this.runtime != null) {
				throw new IllegalStateException(
						"The transform of informer '%s' cannot be set while it runs; set it before its start, or stop it first"
							.formatted(this.id));
			}
			this.partitions.transform(transform);
		}
		finally {
			this.lock.unlock();
		}
	}

}
