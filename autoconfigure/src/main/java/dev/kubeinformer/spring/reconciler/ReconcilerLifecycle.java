package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.spring.bean.ContainersLifecycle;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Starts and stops all reconcilers with the application context. If informers are
 * configured to start later, reconcilers wait for them.
 */
final class ReconcilerLifecycle extends ContainersLifecycle implements ClusterRuntimes.Member {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerLifecycle.class);

	private final ClusterRuntimes clusters;

	private final Reconcilers.Member reconcilers;

	private final InformerListener start = new Start();

	/** Reconcilers that wait for the start of the informers. */
	private final Set<ReconcilerContainer> waiting = ConcurrentHashMap.newKeySet();

	/** Monitor that is held while a reconciler starts. */
	private final Object starting = new Object();

	ReconcilerLifecycle(ClusterRuntimes clusters, Reconcilers.Member reconcilers) {
		this.clusters = clusters;
		this.reconcilers = reconcilers;
	}

	@Override
	protected List<Member> members() {
		return members((container) -> true);
	}

	private List<Member> members(Predicate<ReconcilerContainer> filter) {
		return this.reconcilers.registry()
			.all()
			.stream()
			.filter(filter)
			.<Member>map(
					(container) -> new Startable(container, this.reconcilers.all().details(container).autoStartup()))
			.toList();
	}

	private Informers informers(ReconcilerContainer container) {
		return this.reconcilers.informers(container);
	}

	@Override
	public void start() {
		this.clusters.join(this, (all) -> {
			super.start();
			listen();
		});
	}

	@Override
	public void added(ClusterRuntime cluster) {
		start(members((container) -> informers(container) == cluster.informers()));
		listen();
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		// The registry closes the reconcilers that it removes.
		this.waiting.stream().filter((container) -> informers(container) == cluster.informers()).forEach(this::forget);
		cluster.informers().removeListener(this.start);
	}

	private void listen() {
		if (!this.waiting.isEmpty()) {
			this.waiting.stream().map(this::informers).distinct().forEach((informers) -> {
				informers.removeListener(this.start);
				informers.addListener(this.start);
			});
			startWaiting();
		}
	}

	private void startWaiting() {
		RuntimeException failure = null;
		for (ReconcilerContainer container : this.waiting) {
			try {
				if (informers(container).isRunning()) {
					startWaiting(container);
				}
			}
			catch (RuntimeException ex) {
				// Continue with the other reconcilers.
				if (failure == null) {
					failure = ex;
				}
				else {
					failure.addSuppressed(ex);
				}
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void startWaiting(ReconcilerContainer container) {
		// Hold the monitor, so that a concurrent stop either prevents the start or stops
		// the started reconciler.
		synchronized (this.starting) {
			try {
				if (this.waiting.contains(container)) {
					container.start();
				}
			}
			finally {
				this.waiting.remove(container);
			}
		}
	}

	private void forget(ReconcilerContainer container) {
		synchronized (this.starting) {
			this.waiting.remove(container);
		}
	}

	@Override
	public void stop() {
		leave();
		super.stop();
	}

	@Override
	public void stop(Runnable callback) {
		leave();
		super.stop(callback);
	}

	private void leave() {
		this.clusters.leave(this);
		this.clusters.all().forEach((cluster) -> cluster.informers().removeListener(this.start));
	}

	/**
	 * Reconciler as a member of the lifecycle.
	 */
	private final class Startable implements Member {

		private final ReconcilerContainer container;

		private final boolean autoStartup;

		private Startable(ReconcilerContainer container, boolean autoStartup) {
			this.container = container;
			this.autoStartup = autoStartup;
		}

		@Override
		public String id() {
			return this.container.id();
		}

		@Override
		public Object container() {
			return this.container;
		}

		@Override
		public boolean isAutoStartup() {
			return this.autoStartup;
		}

		@Override
		public boolean isRunning() {
			return this.container.isRunning() || ReconcilerLifecycle.this.waiting.contains(this.container);
		}

		@Override
		public void start() {
			if (informers(this.container).isRunning()) {
				this.container.start();
			}
			else {
				ReconcilerLifecycle.this.waiting.add(this.container);
			}
		}

		@Override
		public void stop() {
			forget(this.container);
			this.container.stop();
		}

	}

	/**
	 * Detects the start of the informers by the start of the first informer.
	 */
	private final class Start implements InformerListener {

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			startAside(informer);
		}

		@Override
		public void synced(Informer<?> informer, Duration duration) {
			startAside(informer);
		}

		private void startAside(Informer<?> informer) {
			if (!ReconcilerLifecycle.this.waiting.isEmpty() && ReconcilerLifecycle.this.clusters.isStarted(informer)) {
				// Use another thread, because callbacks of informers must return quickly.
				new SimpleAsyncTaskExecutor("reconciler-start-").execute(this::startWaiting);
			}
		}

		private void startWaiting() {
			try {
				ReconcilerLifecycle.this.startWaiting();
			}
			catch (RuntimeException ex) {
				logger.error("Some reconcilers could not be started", ex);
			}
		}

	}

}
