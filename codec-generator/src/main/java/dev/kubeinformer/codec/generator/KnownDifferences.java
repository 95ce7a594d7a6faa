package dev.kubeinformer.codec.generator;

import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Known differences between model classes, protobuf messages and their descriptors, with
 * the reasons.
 */
final class KnownDifferences {

	/**
	 * Fields that only the descriptors have. The descriptors of client-java 27 are from a
	 * development version of Kubernetes: neither Kubernetes 1.36 nor the model classes
	 * have these fields.
	 */
	private static final Set<String> ONLY_IN_DESCRIPTORS = Set.of(
			"k8s.io.api.autoscaling.v1.HorizontalPodAutoscalerCondition.observedGeneration",
			"k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerCondition.observedGeneration");

	/**
	 * Expressions that read fields with a special decoder. In JSON, the API server sets
	 * kind and apiVersion of claim templates, for which protobuf has no fields.
	 */
	private static final Map<String, String> READERS = Map.of("k8s.io.api.apps.v1.StatefulSetSpec.volumeClaimTemplates",
			"reader.list(tag, model.getVolumeClaimTemplates(), ClaimTemplateDecoder.INSTANCE)");

	private KnownDifferences() {
	}

	/**
	 * Returns the fields of a model class that its message does not have.
	 * @param modelClass the class of the model
	 * @return the names in JSON
	 */
	static Set<String> notInProtobuf(Class<?> modelClass) {
		// Protobuf has these fields once, in the envelope around the message.
		return KubernetesObject.class.isAssignableFrom(modelClass) ? Set.of("apiVersion", "kind") : Set.of();
	}

	static boolean isOnlyInDescriptors(String message, String name) {
		return ONLY_IN_DESCRIPTORS.contains(message + "." + name);
	}

	static @Nullable String reader(String message, String jsonName) {
		return READERS.get(message + "." + jsonName);
	}

}
