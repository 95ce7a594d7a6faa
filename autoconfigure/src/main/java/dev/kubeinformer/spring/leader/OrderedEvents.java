package dev.kubeinformer.spring.leader;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Publishes application events in order on a separate thread, so that listeners do not
 * delay the publishing code. Internal to the starter.
 */
public final class OrderedEvents {

	private static final Logger logger = LoggerFactory.getLogger(OrderedEvents.class);

	private final Consumer<ApplicationEvent> publisher;

	private final ExecutorService thread;

	/**
	 * Thread that is notifying the listeners of an event; {@code null} between two
	 * events.
	 */
	private volatile @Nullable Thread publishing;

	/**
	 * Creates a publisher.
	 * @param threadName the prefix of the name of the thread
	 * @param publisher the publisher of application events
	 */
	public OrderedEvents(String threadName, Consumer<ApplicationEvent> publisher) {
		this.publisher = publisher;
		CustomizableThreadFactory threads = new CustomizableThreadFactory(threadName);
		threads.setDaemon(true);
		ThreadPoolExecutor single = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads, new ThreadPoolExecutor.DiscardPolicy());
		single.allowCoreThreadTimeOut(true);
		this.thread = single;
	}

	/**
	 * Returns the publisher for a context. If a parent of the context publishes the same
	 * events, the returned publisher notifies only the listeners of the context itself.
	 * The usual publisher would also notify the listeners of the parent.
	 * @param beanFactory the beans of the context
	 * @param publisher the publisher of the context
	 * @param type the type of the bean that publishes the events
	 * @return the publisher
	 */
	public static Consumer<ApplicationEvent> publisher(ConfigurableListableBeanFactory beanFactory,
			ApplicationEventPublisher publisher, Class<?> type) {
		BeanFactory parent = beanFactory.getParentBeanFactory();
		boolean child = parent != null && parent.getBeanProvider(type).stream().findAny().isPresent();
		return child ? (event) -> publishHere(event, beanFactory) : publisher::publishEvent;
	}

	private static void publishHere(ApplicationEvent event, BeanFactory beanFactory) {
		beanFactory
			.getBean(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
					ApplicationEventMulticaster.class)
			.multicastEvent(event);
	}

	/**
	 * Publishes an event after all earlier ones. Returns at once.
	 * @param event the event
	 */
	public void publish(ApplicationEvent event) {
		this.thread.execute(() -> {
			this.publishing = Thread.currentThread();
			try {
				this.publisher.accept(event);
			}
			catch (RuntimeException ex) {
				logger.error("A listener of {} failed", event.getClass().getSimpleName(), ex);
			}
			finally {
				this.publishing = null;
			}
		});
	}

	/**
	 * Ends the thread after the pending events have been published.
	 * @param callback the callback that is called after the last pending event. Beans
	 * that listeners use may be closed only then
	 */
	public void stop(Runnable callback) {
		if (this.publishing == Thread.currentThread()) {
			// A listener is closing the context on this thread, so a wait for the thread
			// would never end.
			callback.run();
		}
		else {
			this.thread.execute(callback);
		}
		this.thread.shutdown();
	}

}
