package dev.kubeinformer.spring.test;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionSpec;

import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.definitions.InvalidDefinitionException;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Generates the definitions of classes and creates them in the embedded APIs of a context
 * hierarchy. Definitions that a test has created are not changed. Thread-safe.
 */
class EmbeddedDefinitions {

	private final Map<EmbeddedKubernetes, Generated> byServer = new ConcurrentHashMap<>();

	/**
	 * Creates the definitions of classes unless they exist.
	 * @param server the API
	 * @param types the classes; several classes with the same kind are versions of one
	 * definition
	 * @throws IllegalStateException if no definition can be generated from a class whose
	 * definition does not exist
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
				generate(all).forEach(this::write);
				this.types = all;
			}
		}

		private List<V1CustomResourceDefinition> generate(Collection<Class<?>> all) {
			// Skip classes whose definition the test creates: generation may fail for
			// some of them.
			List<Class<?>> missing = all.stream().filter((type) -> !isOfTheTest(name(type))).toList();
			try {
				return CustomResourceDefinitions.of(missing).all();
			}
			catch (InvalidDefinitionException ex) {
				throw new IllegalStateException(("%s. Or let a bean of the test create the definition, or use "
						+ "@EmbeddedKubernetesTest(definitions = false), which creates none")
					.formatted(ex.getMessage()), ex);
			}
		}

		private static String name(Class<?> type) {
			KubernetesResource resource = type.getAnnotation(KubernetesResource.class);
			return resource.plural() + "." + resource.group();
		}

		private boolean isOfTheTest(String name) {
			V1CustomResourceDefinition current = this.definitions.get(name);
			return current != null && !current.getSpec().equals(this.created.get(name));
		}

		private void write(V1CustomResourceDefinition definition) {
			String name = definition.getMetadata().getName();
			if (!isOfTheTest(name)) {
				this.created.put(name, this.definitions.createOrUpdate(definition).getSpec());
			}
		}

	}

}
