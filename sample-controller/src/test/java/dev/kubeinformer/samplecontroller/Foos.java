package dev.kubeinformer.samplecontroller;

import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Foos for tests.
 */
final class Foos {

	private Foos() {
	}

	static Foo foo(String namespace, String name, int replicas) {
		Foo foo = new Foo();
		foo.setMetadata(new V1ObjectMeta().namespace(namespace).name(name));
		foo.getSpec().setDeploymentName(name);
		foo.getSpec().setReplicas(replicas);
		return foo;
	}

}
