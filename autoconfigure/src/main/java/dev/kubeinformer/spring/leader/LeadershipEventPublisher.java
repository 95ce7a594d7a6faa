package dev.kubeinformer.spring.leader;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Publishes the terms of this replica as application events, in order and on a separate
 * thread, from before the elector starts until after it has stopped.
 */
final class LeadershipEventPublisher implements SmartLifecycle {

	static final int PHASE = LeadershipLifecycle.PHASE - 1;

	private static final Logger logger = LoggerFactory.getLogger(LeadershipEventPublisher.class);

	private final Leadership leadership;

	private final Consumer<ApplicationEvent> publisher;

	private volatile @Nullable Run run;

	/**
	 * Creates a publisher.
	 * @param leadership the leadership
	 * @param publisher the publisher of application events
	 */
	LeadershipEventPublisher(Leadership leadership, Consumer<ApplicationEvent> publisher) {
		this.leadership = leadership;
		this.publisher = publisher;
	}

	@Override
	public void start() {
		Run started = new Run(newThread());
		this.run = started;
		this.leadership.addListener(started);
	}

	private static ExecutorService newThread() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("leader-events-");
		threads.setDaemon(true);
		ThreadPoolExecutor single = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads, new ThreadPoolExecutor.DiscardPolicy());
		single.allowCoreThreadTimeOut(true);
		return single;
	}

	@Override
	public void stop() {
		stop(() -> {
			// The last events may still be published during the stop.
		});
	}

	@Override
	public void stop(Runnable callback) {
		Run current = this.run;
		this.run = null;
		if (current == null) {
			callback.run();
			return;
		}
		this.leadership.removeListener(current);
		if (current.publishing == Thread.currentThread()) {
			// A listener closes the context, and would wait for its own end.
			callback.run();
		}
		else {
			// Run this after the pending events, because their listeners may use beans
			// that are closed later.
			current.thread.execute(callback);
		}
		current.thread.shutdown();
	}

	@Override
	public boolean isRunning() {
		return this.run != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * State between a start and its stop.
	 */
	private final class Run implements LeadershipListener {

		private final ExecutorService thread;

		/**
		 * Thread that is notifying the listeners of an event; {@code null} between two
		 * events.
		 */
		private volatile @Nullable Thread publishing;

		private Run(ExecutorService thread) {
			this.thread = thread;
		}

		@Override
		public void granted(Leadership.Term term) {
			publish(new LeadershipGrantedEvent(LeadershipEventPublisher.this.leadership, term));
		}

		@Override
		public void revoked(Leadership.Term term, RevocationReason reason) {
			publish(new LeadershipRevokedEvent(LeadershipEventPublisher.this.leadership, term, reason));
		}

		private void publish(ApplicationEvent event) {
			this.thread.execute(() -> {
				this.publishing = Thread.currentThread();
				try {
					LeadershipEventPublisher.this.publisher.accept(event);
				}
				catch (RuntimeException ex) {
					logger.error("A listener of {} failed", event.getClass().getSimpleName(), ex);
				}
				finally {
					this.publishing = null;
				}
			});
		}

	}

}
