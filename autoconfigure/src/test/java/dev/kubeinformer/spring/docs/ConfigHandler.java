package dev.kubeinformer.spring.docs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;

import dev.kubeinformer.spring.annotation.InformerHandler;

/**
 * The handler with the official interface of the page.
 */
@InformerHandler(id = "config", namespaces = "${app.namespace}", labelSelector = "app=${spring.application.name}",
		resync = "10m")
class ConfigHandler implements ResourceEventHandler<V1ConfigMap> {

	private final Map<String, V1ConfigMap> known = new ConcurrentHashMap<>();

	@Override
	public void onAdd(V1ConfigMap added) {
		this.known.put(added.getMetadata().getName(), added);
	}

	@Override
	public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
		this.known.put(after.getMetadata().getName(), after);
	}

	@Override
	public void onDelete(V1ConfigMap deleted, boolean finalStateUnknown) {
		this.known.remove(deleted.getMetadata().getName());
	}

	Map<String, V1ConfigMap> known() {
		return this.known;
	}

}
