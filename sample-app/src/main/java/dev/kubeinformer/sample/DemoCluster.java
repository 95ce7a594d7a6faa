package dev.kubeinformer.sample;

import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.samplecontroller.Foo;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Content of the embedded API: two blogs of wordpress and mysql, and a redis, on three
 * nodes; and the foos of {@code FooReconciler}.
 */
final class DemoCluster {

	static final List<String> NAMESPACES = List.of("blog", "shop");

	static final List<String> NODES = List.of("node-1", "node-2", "node-3");

	private DemoCluster() {
	}

	static void fill(EmbeddedKubernetes kubernetes) {
		for (int i = 0; i < NODES.size(); i++) {
			kubernetes.resources(V1Node.class).create(node(NODES.get(i), "zone-" + (char) ('a' + i)));
		}
		for (int i = 0; i < NAMESPACES.size(); i++) {
			String namespace = NAMESPACES.get(i);
			kubernetes.resources(V1Namespace.class)
				.create(new V1Namespace().metadata(new V1ObjectMeta().name(namespace)));
			kubernetes.resources(V1Pod.class)
				.create(pod(namespace, "wordpress", "wordpress-6f9c7d5b4-x2x7k", NODES.get(i), "Running"));
			kubernetes.resources(V1Pod.class).create(pod(namespace, "mysql", "mysql-0", NODES.get(i + 1), "Running"));
		}
		kubernetes.resources(V1Pod.class).create(redis());
		CustomResourceDefinitions.of(Foo.class)
			.all()
			.forEach(kubernetes.resources(V1CustomResourceDefinition.class)::create);
		foos(kubernetes).create(foo("shop", "storefront", "storefront", 2));
		foos(kubernetes).create(foo("shop", "checkout", "checkout", 1));
		foos(kubernetes).create(foo("blog", "comments", "comments", 3));
	}

	static ApiResources<Foo> foos(EmbeddedKubernetes kubernetes) {
		return kubernetes.resources(Foo.class);
	}

	static Foo foo(String namespace, String name, String deployment, int replicas) {
		Foo foo = new Foo();
		foo.setMetadata(new V1ObjectMeta().namespace(namespace).name(name));
		foo.getSpec().setDeploymentName(deployment);
		foo.getSpec().setReplicas(replicas);
		return foo;
	}

	private static V1Node node(String name, String zone) {
		return new V1Node().metadata(new V1ObjectMeta().name(name).labels(Map.of("topology.kubernetes.io/zone", zone)));
	}

	// Returns the pod that the activity does not change.
	static V1Pod redis() {
		return pod("shop", "redis", "redis-0", "node-2", "Running");
	}

	static V1Pod pod(String namespace, String application, String name, String node, String phase) {
		Map<String, String> labels = Map.of("app", application, "app.kubernetes.io/part-of", namespace);
		V1Container container = new V1Container().name(application).image(application + ":latest");
		return new V1Pod().metadata(new V1ObjectMeta().namespace(namespace).name(name).labels(labels))
			.spec(new V1PodSpec().nodeName(node).containers(List.of(container)))
			.status(new V1PodStatus().phase(phase));
	}

}
