package dev.kubeinformer.spring.leader;

import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import dev.kubeinformer.Informers;
import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.types.InformerState;

/**
 * Starts and stops the elector with its application context. The elector stands for
 * election when the context has been refreshed and the informers, if there are any, have
 * been started. It stops after the web server, schedulers, handlers and reconcilers, and
 * before the caches.
 */
final class LeadershipLifecycle implements SmartLifecycle, ApplicationListener<ContextRefreshedEvent> {

	static final int PHASE = DEFAULT_PHASE - 3072;

	private final Leadership leadership;

	private final Informers informers;

	private final ApplicationContext context;

	private final InformerListener start = new Start();

	private final ReentrantLock lock = new ReentrantLock();

	private volatile boolean running;

	private volatile boolean refreshed;

	LeadershipLifecycle(Leadership leadership, Informers informers, ApplicationContext context) {
		this.leadership = leadership;
		this.informers = informers;
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		// Events of child contexts arrive here, too.
		if (event.getApplicationContext() == this.context) {
			this.refreshed = true;
			stand();
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.informers.addListener(this.start);
		if (this.refreshed) {
			stand();
		}
	}

	private void stand() {
		this.lock.lock();
		try {
			// Informers may be configured to start later, so wait for their start unless
			// there are none.
			if (this.running && this.refreshed && (this.informers.isRunning() || this.informers.all().isEmpty())
					&& this.leadership instanceof LeaderElector elector) {
				this.informers.removeListener(this.start);
				elector.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void stop() {
		this.informers.removeListener(this.start);
		this.lock.lock();
		try {
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
		if (this.leadership instanceof LeaderElector elector) {
			elector.stop();
		}
	}

	@Override
	public void stop(Runnable callback) {
		// Drain the work and release the Lease on another thread.
		stopAside(this.leadership, this::stop, callback);
	}

	/**
	 * Stops a component on another thread, or on the calling thread if this thread runs a
	 * callback of the component.
	 * @param component the component
	 * @param stop the stop of the component
	 * @param callback the callback after the stop
	 */
	static void stopAside(Object component, Runnable stop, Runnable callback) {
		Executor executor = CallbackAware.isInCallback(component) ? Runnable::run
				: new SimpleAsyncTaskExecutor("leader-stop-");
		executor.execute(() -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		});
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
			stand();
		}

	}

}
