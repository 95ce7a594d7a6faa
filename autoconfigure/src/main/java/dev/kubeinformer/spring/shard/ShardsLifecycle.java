package dev.kubeinformer.spring.shard;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.bean.ContainersLifecycle;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Lets this replica join its group of replicas when the informers start, and leave it
 * when the application context stops. It does not wait for the end of the start, because
 * the start may wait for caches, and a cache that is divided into slots is not filled
 * before this replica knows its slots. It leaves before handlers, reconcilers and
 * informers stop, so that another replica takes over its slots while this one still works
 * on them.
 */
final class ShardsLifecycle implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent> {

	/** Lifecycle phase: start before the informers. */
	static final int PHASE = DEFAULT_PHASE - 4096 - 1;

	private final Shards shards;

	private final ClusterRuntimes clusters;

	private final ApplicationContext context;

	private final InformerListener start = new Start();

	private final ReentrantLock lock = new ReentrantLock();

	private volatile boolean running;

	private volatile boolean refreshed;

	ShardsLifecycle(Shards shards, ClusterRuntimes clusters, ApplicationContext context) {
		this.shards = shards;
		this.clusters = clusters;
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		// Events of child contexts arrive here, too.
		if (event.getApplicationContext() == this.context) {
			this.refreshed = true;
			join();
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.clusters.all().forEach((cluster) -> cluster.informers().addListener(this.start));
		join();
	}

	private void join() {
		this.lock.lock();
		try {
			if (this.running && (areInformersRunning() || (this.refreshed && isWithoutInformers()))) {
				removeListener();
				ShardsControl.start(this.shards);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean areInformersRunning() {
		return this.clusters.all().stream().anyMatch((cluster) -> cluster.informers().isRunning());
	}

	private boolean isWithoutInformers() {
		return this.clusters.all().stream().allMatch((cluster) -> cluster.informers().all().isEmpty());
	}

	private void removeListener() {
		this.clusters.all().forEach((cluster) -> cluster.informers().removeListener(this.start));
	}

	@Override
	public void stop() {
		removeListener();
		this.lock.lock();
		try {
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
		ShardsControl.stop(this.shards);
	}

	@Override
	public void stop(Runnable callback) {
		// Hand over the slots on another thread, because this waits until work on them
		// has ended.
		ContainersLifecycle.stopAll(List.of(this.shards), UnaryOperator.identity(), (shards) -> stop())
			.whenComplete((none, ex) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * Detects the start of the informers by the start of the first informer.
	 */
	private final class Start implements InformerListener {

		@Override
		public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
			join();
		}

	}

	/**
	 * Lets this replica leave the group before handlers and reconcilers stop.
	 */
	static final class HandOver implements SmartLifecycle {

		/** Lifecycle phase: stop before handlers and reconcilers. */
		static final int PHASE = ContainersLifecycle.PHASE + 1;

		private final ShardsLifecycle lifecycle;

		private volatile boolean running;

		HandOver(ShardsLifecycle lifecycle) {
			this.lifecycle = lifecycle;
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.lifecycle.stop();
		}

		@Override
		public void stop(Runnable callback) {
			this.running = false;
			this.lifecycle.stop(callback);
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return PHASE;
		}

	}

}
