package dev.kubeinformer.spring.docs;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.gson.JsonObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Handler and lister of a resource without a class.
 */
@InformerHandler(resource = "gadgets.v1.example.com")
class GadgetHandler {

	private final List<String> sizes = new CopyOnWriteArrayList<>();

	private final Lister<DynamicKubernetesObject> parts;

	GadgetHandler(@InformerSource(resource = "parts.v1.example.com") Lister<DynamicKubernetesObject> parts) {
		this.parts = parts;
	}

	@OnAdd
	@OnUpdate
	void changed(DynamicKubernetesObject gadget) {
		JsonObject spec = gadget.getRaw().getAsJsonObject("spec");
		this.sizes.add("%s of size %d, of %d parts".formatted(gadget.getMetadata().getName(),
				spec.get("size").getAsInt(), this.parts.list().size()));
	}

	List<String> sizes() {
		return List.copyOf(this.sizes);
	}

}
