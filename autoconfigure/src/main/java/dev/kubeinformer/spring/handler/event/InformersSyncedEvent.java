package dev.kubeinformer.spring.handler.event;

import org.springframework.context.ApplicationEvent;

import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Application event that is published when all informers of a cluster are synced: each
 * informer holds a full state, and each handler that starts automatically has finished
 * every event of that state. Published once for each cluster after each start of the
 * application context, on a separate thread. Informers and handlers that are added later
 * are ignored.
 */
public class InformersSyncedEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final transient InformerHandlerRegistry registry;

	private final String cluster;

	InformersSyncedEvent(InformerHandlerRegistry registry, String cluster) {
		super(registry);
		this.registry = registry;
		this.cluster = cluster;
	}

	/**
	 * Returns the name of the cluster whose informers and handlers are synced.
	 * @return the name; {@code default} for the default cluster
	 */
	public String getCluster() {
		return this.cluster;
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
		return "InformersSyncedEvent[cluster '%s', handlers %s]".formatted(this.cluster,
				new ClusterHandlers(this.registry, this.cluster).all()
					.stream()
					.map(InformerHandlerContainer::id)
					.toList());
	}

}
