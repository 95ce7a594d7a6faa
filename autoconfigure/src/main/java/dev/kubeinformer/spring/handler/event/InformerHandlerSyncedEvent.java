package dev.kubeinformer.spring.handler.event;

import java.time.Duration;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.spring.handler.InformerHandlerContainer;

/**
 * Application event that is published when a handler has finished every event of the
 * initial state. Published after each start of the handler or its informer, on a separate
 * thread.
 */
public class InformerHandlerSyncedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient InformerHandlerContainer container;

	private final Duration duration;

	InformerHandlerSyncedEvent(InformerHandlerContainer container, Duration duration) {
		super(container);
		this.container = container;
		this.duration = duration;
	}

	/**
	 * Returns the handler that is synced.
	 * @return the handler's container
	 */
	public InformerHandlerContainer getContainer() {
		return this.container;
	}

	/**
	 * Returns the name of the cluster whose events are handled.
	 * @return the name; {@code default} for the default cluster
	 */
	public String getCluster() {
		return this.container.cluster();
	}

	/**
	 * Returns the time since the start of the handler or its informer, whichever is
	 * later.
	 * @return the time
	 */
	public Duration getDuration() {
		return this.duration;
	}

	@Override
	public String toString() {
		return "InformerHandlerSyncedEvent[%s after %s]".formatted(this.container, this.duration);
	}

}
