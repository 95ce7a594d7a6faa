package dev.kubeinformer.internal.informer;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.internal.informer.InformerRegistry.Turn;
import dev.kubeinformer.internal.runtime.ClientLink;
import dev.kubeinformer.internal.runtime.InformerRuntime;

/**
 * Starts and stops the informers of an application, all of them or one. Safe for use by
 * several threads.
 */
public final class InformerStarter {

	private final InformerRegistry registry;

	private final ClientLink link;

	/** Held through a whole start or stop, also while waiting for threads to end. */
	private final TransitionLock transition = new TransitionLock(this::isInCallback, () -> true);

	public InformerStarter(InformerRegistry registry, ClientLink link) {
		this.registry = registry;
		this.link = link;
	}

	/**
	 * Starts all informers.
	 * @see Informers#start()
	 */
	public void start() {
		if (!this.transition.enter()) {
			return;
		}
		Turn turn;
		try {
			turn = this.registry.begin();
		}
		finally {
			this.transition.leave();
		}
		// The transition is not held while waiting for the client, as a stop would wait.
		InformerRuntime started = turn.empty() ? null : connect(turn);
		try {
			if (started != null) {
				startDue(started, turn);
			}
		}
		finally {
			if (!this.registry.isCurrent(turn) && !this.registry.isRunning()) {
				// A callback of what started first could not wait for the rest.
				stop();
			}
			all().forEach(InformerLifecycle::notifyListeners);
		}
	}

	private @Nullable InformerRuntime connect(Turn turn) {
		try {
			return this.link.runtime();
		}
		catch (Throwable ex) {
			this.registry.takeBack(turn);
			throw ex;
		}
	}

	private void startDue(InformerRuntime started, Turn turn) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			Throwable failure = null;
			for (InformerLifecycle<?> informer : all()) {
				if (!informer.isStartDue() || !this.registry.isCurrent(turn)) {
					continue;
				}
				try {
					informer.start(started);
				}
				catch (Throwable ex) {
					if (failure == null) {
						failure = ex;
					}
					else {
						failure.addSuppressed(ex);
					}
				}
			}
			if (failure instanceof RuntimeException ex) {
				throw ex;
			}
			if (failure instanceof Error ex) {
				throw ex;
			}
			if (failure != null) {
				// Languages without checked exceptions throw them anywhere.
				throw new IllegalStateException("An informer cannot be started", failure);
			}
		}
		finally {
			this.transition.leave();
		}
	}

	/**
	 * Starts an informer if all run and it does not yet.
	 * @param informer the informer
	 */
	public void startWithAll(InformerLifecycle<?> informer) {
		boolean done = !informer.isStartDue();
		while (!done && this.registry.isRunning()) {
			InformerRuntime started = this.link.runtime();
			done = started != null && startOrStop(informer, started);
		}
	}

	/**
	 * Starts one informer, whether or not the others run.
	 * @param informer the informer
	 * @throws IllegalStateException if it was closed with its last lease
	 */
	public void start(InformerLifecycle<?> informer) {
		boolean done = false;
		while (!done) {
			informer.requireNotRetired();
			InformerRuntime started = this.link.runtime();
			try {
				// Without a client, a stop came after the call.
				done = started == null || startOrStop(informer, started);
			}
			finally {
				informer.notifyListeners();
			}
		}
	}

	private boolean startOrStop(InformerLifecycle<?> informer, InformerRuntime started) {
		informer.start(started);
		if (this.link.isCurrent(started)) {
			return true;
		}
		// All were stopped meanwhile, and what they shared is gone.
		informer.stop();
		return false;
	}

	/**
	 * Stops all informers.
	 * @see Informers#stop()
	 */
	public void stop() {
		// First of all, so that what is asked for meanwhile does not start, and a start
		// that cannot be waited for ends what it has started.
		this.registry.end();
		if (!this.transition.enter()) {
			return;
		}
		List<InformerLifecycle<?>> all;
		try {
			this.registry.end();
			InformerRuntime ended = this.link.end();
			all = all();
			all.forEach(InformerLifecycle::beginStop);
			all.forEach(InformerLifecycle::awaitStop);
			if (ended != null) {
				ended.timer().shutdownNow();
			}
		}
		finally {
			this.transition.leave();
		}
		// Not before: listeners may take their time, start again, or wait for others who
		// stop.
		all.forEach(InformerLifecycle::notifyListeners);
	}

	private List<InformerLifecycle<?>> all() {
		return this.registry.all().stream().<InformerLifecycle<?>>map(SharedInformer::lifecycle).toList();
	}

	/**
	 * Returns whether the calling thread runs a callback of one of the informers.
	 * @return whether it does
	 */
	boolean isInCallback() {
		return all().stream().anyMatch(InformerLifecycle::isInCallback);
	}

}
