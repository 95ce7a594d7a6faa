package dev.kubeinformer.spring.handler.event;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Thread that publishes application events in order. It is separate because a slow
 * listener must not block an informer. Each start of the context has its own thread, so
 * events that are still pending when the context stops are not published after the next
 * start.
 */
public final class EventThread {

	private static final Logger logger = LoggerFactory.getLogger(EventThread.class);

	private final ApplicationEventPublisher publisher;

	private final ExecutorService executor;

	private volatile boolean stopped;

	EventThread(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("informer-events-");
		threads.setDaemon(true);
		ThreadPoolExecutor single = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads, new ThreadPoolExecutor.DiscardPolicy());
		single.allowCoreThreadTimeOut(true);
		this.executor = single;
	}

	/**
	 * Runs work after all pending work. If the thread is stopped first, the work never
	 * runs.
	 * @param work the work
	 */
	void execute(Runnable work) {
		this.executor.execute(() -> {
			if (!this.stopped) {
				work.run();
			}
		});
	}

	/**
	 * Publishes an event. Called on this thread.
	 * @param event the event
	 */
	void publish(ApplicationEvent event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			// Continue, because a failing listener must not prevent later events.
			logger.error("A listener of {} failed", event.getClass().getSimpleName(), ex);
		}
	}

	/**
	 * Drops pending work. Does not wait for a running listener.
	 */
	void stop() {
		this.stopped = true;
		this.executor.shutdown();
	}

}
