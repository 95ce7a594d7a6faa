package dev.kubeinformer.chaos;

import dev.kubeinformer.fixtures.CustomObject;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * A custom resource, each object of which is to have one child of each reconciler.
 */
@KubernetesResource(group = Gadget.GROUP, version = "v1", plural = "parents")
class Parent extends CustomObject {

	private long value;

	long getValue() {
		return this.value;
	}

}
