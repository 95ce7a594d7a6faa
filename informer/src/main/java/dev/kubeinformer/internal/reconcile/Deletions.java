package dev.kubeinformer.internal.reconcile;

import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.PropagationPolicy;
import dev.kubeinformer.internal.transport.ApiWrites.Deletion;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/** Converts the options of a deletion into preconditions and a policy for an object. */
final class Deletions {

	private Deletions() {
	}

	/**
	 * Returns the deletion of an object.
	 * @param type the resource of the object
	 * @param object the object or its metadata
	 * @param options the options
	 * @return the deletion
	 * @throws IllegalArgumentException if the object lacks a value that a precondition
	 * needs
	 */
	static Deletion of(ResourceType<?> type, KubernetesObject object, DeleteOptions options) {
		V1ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
		String uid = required(metadata.getUid(), "UID, without which another object of that name might be deleted",
				type, object);
		String version = options.onlyIfUnchanged() ? required(metadata.getResourceVersion(),
				"resourceVersion, by which the API server tells whether it has changed", type, object) : null;
		return new Deletion(uid, version, policy(metadata, options).value());
	}

	private static String required(@Nullable String value, String what, ResourceType<?> type, KubernetesObject object) {
		if (value == null || value.isEmpty()) {
			throw new IllegalArgumentException(
					"%s '%s' has no %s; pass the object as a cache or the API server returned it".formatted(type.kind(),
							ObjectKey.of(object), what));
		}
		return value;
	}

	// The API server would decide in the same way, except that its default depends on the
	// type. A second deletion must not turn a foreground deletion that a client waits for
	// into another one.
	private static PropagationPolicy policy(V1ObjectMeta metadata, DeleteOptions options) {
		PropagationPolicy policy = options.propagationPolicy();
		if (policy != null) {
			return policy;
		}
		List<String> finalizers = Objects.requireNonNullElse(metadata.getFinalizers(), List.of());
		if (finalizers.contains("orphan")) {
			return PropagationPolicy.ORPHAN;
		}
		return finalizers.contains("foregroundDeletion") ? PropagationPolicy.FOREGROUND : PropagationPolicy.BACKGROUND;
	}

}
