package dev.kubeinformer.internal.controller;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.internal.informer.SharedInformer;
import dev.kubeinformer.internal.reconcile.OwnedSource;
import dev.kubeinformer.types.InformerState;

/**
 * Sources of a reconciler with leadership, from its start to its stop: their caches are
 * filled and kept up to date whoever leads, so that a new leader need not list anything.
 */
final class StandbySources implements AutoCloseable {

	private final ReconcilerSpec<?> spec;

	private final SourceSet sources;

	private final Executor executor;

	private final Consumer<Boolean> listener;

	/** Taken under the locks of stores; no other is taken under it. */
	private final ReentrantLock lock = new ReentrantLock();

	private final Set<ControllerSource<?>> unfilled = new HashSet<>();

	private boolean closed;

	/**
	 * Creates sources that are not used yet.
	 * @param spec the settings of the reconciler
	 * @param context what reconcilers have of the informers
	 * @param executor reports, by one thread at a time
	 * @param listener is notified of whether all caches are filled
	 */
	StandbySources(ReconcilerSpec<?> spec, ControllerContext context, Executor executor, Consumer<Boolean> listener) {
		this.spec = spec;
		this.sources = new SourceSet(context);
		this.executor = executor;
		this.listener = listener;
	}

	/**
	 * Starts the informers of all sources.
	 */
	void start() {
		this.sources.lease(ReconcilerSource.Role.PRIMARY, SourceSpecs.primary(this.spec));
		this.spec.owned().forEach(this::own);
		for (WatchedResource<?> watched : this.spec.watched()) {
			this.sources.lease(ReconcilerSource.Role.WATCHED, SourceSpecs.watched(this.spec, watched));
		}
		List<ControllerSource<?>> all = this.sources.all();
		this.lock.lock();
		try {
			this.unfilled.addAll(all);
		}
		finally {
			this.lock.unlock();
		}
		all.forEach(this::watch);
		this.sources.run();
	}

	private <C extends KubernetesObject> void own(OwnedResource<C> owned) {
		ControllerSource<C> source = this.sources.lease(ReconcilerSource.Role.OWNED,
				SourceSpecs.owned(this.spec, owned));
		// It takes its time for many objects, which a new leader has none of.
		OwnedSource.index(source.store());
	}

	private <C extends KubernetesObject> void watch(ControllerSource<C> source) {
		source.connect(new FillSink<>(source, this::filled, this::emptied));
	}

	private void filled(ControllerSource<?> source) {
		this.lock.lock();
		try {
			if (this.unfilled.remove(source)) {
				report(() -> this.unfilled.add(source));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void emptied(ControllerSource<?> source) {
		this.lock.lock();
		try {
			this.unfilled.add(source);
			report(() -> {
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	private void report(Runnable undo) {
		try {
			this.executor.execute(this::report);
		}
		catch (Throwable ex) {
			// Such as for want of a thread: the store reports it again.
			undo.run();
			throw ex;
		}
	}

	private void report() {
		boolean synced;
		this.lock.lock();
		try {
			if (this.closed) {
				return;
			}
			synced = this.unfilled.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
		this.listener.accept(synced);
	}

	/**
	 * Returns the sources that are being filled for the first time. What is denied or not
	 * served is not among them: it may stay so for ever, on all replicas.
	 * @return the ids of their informers
	 */
	Collection<String> awaiting() {
		return this.sources.all()
			.stream()
			.map(ControllerSource::informer)
			.filter((informer) -> !informer.hasSynced() && informer.state() == InformerState.SYNCING)
			.map(SharedInformer::id)
			.distinct()
			.toList();
	}

	SourceSet set() {
		return this.sources;
	}

	@Override
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
		}
		finally {
			this.lock.unlock();
		}
		this.sources.close();
	}

}
