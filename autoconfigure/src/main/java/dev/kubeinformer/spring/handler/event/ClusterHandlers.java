package dev.kubeinformer.spring.handler.event;

import java.util.Collection;

import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Handlers of an application context in one cluster.
 *
 * @param registry the handlers in all clusters
 * @param cluster the name of the cluster
 */
public record ClusterHandlers(InformerHandlerRegistry registry, String cluster) implements InformerHandlerRegistry {

	@Override
	public Collection<InformerHandlerContainer> all() {
		return this.registry.all().stream().filter((container) -> container.cluster().equals(this.cluster)).toList();
	}

}
