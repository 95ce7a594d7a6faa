package dev.kubeinformer.spring.test;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Creates the generated definitions of classes in the embedded APIs of a context
 * hierarchy. A definition that a test has created is left alone. Thread-safe.
 */
class EmbeddedDefinitions {

	private final Map<EmbeddedKubernetes, Generated> byServer = new ConcurrentHashMap<>();

	/**
	 * Creates the definitions of classes unless they exist.
	 * @param server the API
	 * @param types the classes. Further classes of a kind become versions of its
	 * definition
	 * @throws RuntimeException if no definition can be generated from a class
	 */
	void add(EmbeddedKubernetes server, Collection<Class<?>> types) {
		this.byServer.computeIfAbsent(server, Generated::new).add(types);
	}

	/**
	 * Generated definitions of one API.
	 */
	private static final class Generated {

		private final ApiResources<V1CustomResourceDefinition> definitions;

		private final Map<String, V1CustomResourceDefinitionSpec> created = new HashMap<>();

		private Set<Class<?>> types = Set.of();

		private Generated(EmbeddedKubernetes server) {
			this.definitions = server.resources(V1CustomResourceDefinition.class);
		}

		private synchronized void add(Collection<Class<?>> added) {
			Set<Class<?>> all = new LinkedHashSet<>(this.types);
			if (all.addAll(added)) {
				CustomResourceDefinitions.of(all).all().forEach(this::write);
				this.types = all;
			}
		}

		private void write(V1CustomResourceDefinition definition) {
			String name = definition.getMetadata().getName();
			V1CustomResourceDefinition current = this.definitions.get(name);
			if (current == null || current.getSpec().equals(this.created.get(name))) {
				this.created.put(name, this.definitions.createOrUpdate(definition).getSpec());
			}
		}

	}

}
