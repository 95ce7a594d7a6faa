package dev.kubeinformer.chaos;

import dev.kubeinformer.fixtures.CustomObject;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * A custom resource.
 */
@KubernetesResource(group = Gadget.GROUP, version = "v1", plural = "gadgets")
class Gadget extends CustomObject {

	static final String GROUP = "chaos.example.com";

	private long value;

	long getValue() {
		return this.value;
	}

}
