package dev.kubeinformer.spring.handler;

import org.springframework.context.ApplicationEvent;

/**
 * Application event: all informers hold a full state, and all handlers that start by
 * themselves have finished every event of theirs. It is published once after each start
 * of the application context, by a thread of its own; informers and handlers that come
 * later do not count.
 */
public class InformersSyncedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient InformerHandlerRegistry registry;

	InformersSyncedEvent(InformerHandlerRegistry registry) {
		super(registry);
		this.registry = registry;
	}

	/**
	 * Returns the handlers of the application context.
	 * @return the registry
	 */
	public InformerHandlerRegistry getRegistry() {
		return this.registry;
	}

	@Override
	public String toString() {
		return "InformersSyncedEvent[handlers %s]"
			.formatted(this.registry.all().stream().map(InformerHandlerContainer::id).toList());
	}

}
