package dev.kubeinformer.spring.reconciler;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.types.ObjectKey;

/**
 * Extracts from an exception the permission that the API server denied. Does not keep any
 * other part of the response.
 */
final class RefusedRight {

	private static final int DEEPEST_CAUSE = 10;

	private static final int FORBIDDEN = 403;

	/**
	 * Response of kube-apiserver ({@code forbiddenMessage} in responsewriters/errors.go
	 * of k8s.io/apiserver), as escaped in JSON.
	 */
	private static final Pattern RBAC = Pattern.compile(
			"cannot ([a-z]{1,63}) resource \\\\\"([a-z0-9./-]{1,253})\\\\\" in API group \\\\\"([a-z0-9.-]{0,253})\\\\\""
					+ " (?:at the cluster scope|in the namespace \\\\\"([a-z0-9-]{1,63})\\\\\")");

	/**
	 * Response of the admission plugin OwnerReferencesPermissionEnforcement
	 * (plugin/pkg/admission/gc of Kubernetes) if the user may not update the finalizers
	 * of the owner.
	 */
	private static final String BLOCKED_OWNER = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";

	/**
	 * Response of the plugin OwnerReferencesPermissionEnforcement if the user may not
	 * delete the child whose owner changes.
	 */
	private static final String UNDELETABLE_CHILD = "cannot set an ownerRef on a resource you can't delete";

	private static final Pattern GROUP = Pattern.compile("\"group\"\\s*:\\s*\"([a-z0-9.-]{1,253})\"");

	private static final Pattern PLURAL = Pattern.compile("\"kind\"\\s*:\\s*\"([a-z0-9-]{1,63})\"");

	private RefusedRight() {
	}

	/**
	 * Returns the permission that a run was denied.
	 * @param error the exception of the run; {@code null} if there was none
	 * @param spec the spec of the reconciler
	 * @param key the object that was reconciled
	 * @return the rule that grants the permission; {@code null} if no permission was
	 * denied
	 */
	static @Nullable RequiredRbac of(@Nullable Throwable error, ReconcilerSpec<?> spec, ObjectKey key) {
		Throwable cause = error;
		for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
			if (cause instanceof ApiException refusal && refusal.getCode() == FORBIDDEN) {
				return of(String.valueOf(refusal.getResponseBody()), spec, key);
			}
			cause = cause.getCause();
		}
		return null;
	}

	private static @Nullable RequiredRbac of(String answer, ReconcilerSpec<?> spec, ObjectKey key) {
		Matcher matcher = RBAC.matcher(answer);
		if (matcher.find()) {
			return new RequiredRbac(matcher.group(3), matcher.group(2), List.of(), List.of(matcher.group(1)),
					matcher.group(4));
		}
		String namespace = key.namespace().isEmpty() ? null : key.namespace();
		if (answer.contains(BLOCKED_OWNER)) {
			return new RequiredRbac(spec.type().group(), spec.type().plural() + "/finalizers", List.of(),
					List.of("update"), namespace);
		}
		Matcher plural = PLURAL.matcher(answer);
		// The pattern does not match the kind of the response itself, "Status", because
		// it begins with a capital letter.
		if (answer.contains(UNDELETABLE_CHILD) && plural.find()) {
			Matcher group = GROUP.matcher(answer);
			return new RequiredRbac(group.find() ? group.group(1) : "", plural.group(1), List.of(), List.of("delete"),
					namespace);
		}
		return null;
	}

}
