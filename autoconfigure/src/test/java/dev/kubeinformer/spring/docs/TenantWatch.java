package dev.kubeinformer.spring.docs;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.springframework.stereotype.Service;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Handlers that are registered while the application runs.
 */
@Service
class TenantWatch {

	private final List<String> seen = new CopyOnWriteArrayList<>();

	private final InformerHandlerRegistry handlers;

	TenantWatch(InformerHandlerRegistry handlers) {
		this.handlers = handlers;
	}

	void begin(String tenant) {
		InformerSpec<V1ConfigMap> spec = InformerSpec.of(V1ConfigMap.class).withNamespaces(tenant);
		EventHandler<V1ConfigMap> handler = (event) -> this.seen
			.add(event.type() + " " + event.object().getMetadata().getName());
		this.handlers.register("watch-" + tenant, spec, HandlerOptions.defaults().withConcurrency(2), handler);
	}

	void widen(String tenant, Collection<String> namespaces) {
		this.handlers.get("watch-" + tenant).namespaces(namespaces);
	}

	void end(String tenant) {
		this.handlers.unregister("watch-" + tenant);
	}

	List<String> seen() {
		return List.copyOf(this.seen);
	}

}
