package dev.kubeinformer.codec.generator;

import java.util.Map;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Known differences between models and messages, each with its reason.
 */
final class KnownDifferences {

	/**
	 * Fields of the descriptors only. The descriptors of client 27 are from a development
	 * version of Kubernetes; neither 1.36 nor the models have these fields.
	 */
	private static final Set<String> ONLY_IN_DESCRIPTORS = Set.of(
			"k8s.io.api.autoscaling.v1.HorizontalPodAutoscalerCondition.observedGeneration",
			"k8s.io.api.autoscaling.v2.HorizontalPodAutoscalerCondition.observedGeneration");

	/**
	 * Readers for claim templates. The API server sets their kind and version, as in
	 * stored JSON, but protobuf has no field for them.
	 */
	private static final Map<String, String> READERS = Map.of("k8s.io.api.apps.v1.StatefulSetSpec.volumeClaimTemplates",
			"reader.list(tag, model.getVolumeClaimTemplates(), ClaimTemplateDecoder.INSTANCE)");

	private KnownDifferences() {
	}

	/**
	 * Fields of a model that its message does not have.
	 * @param modelClass the class of the model
	 * @return the names in JSON
	 */
	static Set<String> notInProtobuf(Class<?> modelClass) {
		// JSON has these fields once, in the enclosing object.
		return KubernetesObject.class.isAssignableFrom(modelClass) ? Set.of("apiVersion", "kind") : Set.of();
	}

	static boolean isOnlyInDescriptors(String message, String name) {
		return ONLY_IN_DESCRIPTORS.contains(message + "." + name);
	}

	static @Nullable String reader(String message, String jsonName) {
		return READERS.get(message + "." + jsonName);
	}

}
