package dev.kubeinformer.spring.reconciler;

import java.util.Set;

import dev.kubeinformer.resource.ResourceType;

/**
 * Names of finalizers.
 */
final class FinalizerNames {

	/** Suffixes of API groups of Kubernetes, which must not be used for finalizers. */
	private static final Set<String> KUBERNETES = Set.of("k8s.io", "kubernetes.io");

	private static final String OURS = "kubeinformer.dev";

	private FinalizerNames() {
	}

	/**
	 * Returns the default finalizer of a reconciler.
	 * @param type the resource of the primary
	 * @param id the id of the reconciler
	 * @return the finalizer
	 */
	static String byDefault(ResourceType<?> type, String id) {
		return (isKubernetes(type.group()) ? OURS : type.group()) + "/" + id;
	}

	private static boolean isKubernetes(String group) {
		// API groups of custom resources are domain names, so they contain a dot.
		return !group.contains(".") || KUBERNETES.stream().anyMatch((domain) -> group.endsWith("." + domain));
	}

}
