package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a deletion. With any settings, the object is only deleted if it still has
 * the UID of the passed object.
 *
 * @param propagationPolicy the handling of the dependents; {@code null} to keep the
 * policy of a deletion in progress (finalizers {@code orphan} and
 * {@code foregroundDeletion}), and to use {@link PropagationPolicy#BACKGROUND} otherwise
 * @param onlyIfUnchanged {@code true} to delete the object only if it also still has the
 * {@code resourceVersion} of the passed object
 */
public record DeleteOptions(@Nullable PropagationPolicy propagationPolicy, boolean onlyIfUnchanged) {

	private static final DeleteOptions DEFAULTS = new DeleteOptions(null, false);

	/**
	 * Returns the options of {@link Reconciliation#delete(KubernetesObject)}.
	 * @return the defaults
	 */
	public static DeleteOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns options with another propagation policy.
	 * @param policy the policy
	 * @return the new options
	 */
	public DeleteOptions withPropagationPolicy(PropagationPolicy policy) {
		return new DeleteOptions(policy, this.onlyIfUnchanged);
	}

	/**
	 * Returns options that require the {@code resourceVersion} of the passed object. If
	 * the object has changed, the deletion is rejected with HTTP 409, and the run is
	 * repeated with the newer version.
	 * @return the new options
	 */
	public DeleteOptions ifUnchanged() {
		return new DeleteOptions(this.propagationPolicy, true);
	}

}
