package dev.kubeinformer.internal.reconcile;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.Containment;
import dev.kubeinformer.internal.codec.model.WantedContent;
import dev.kubeinformer.internal.events.EventRecorder;
import dev.kubeinformer.internal.reconcile.AppliedDigest.AppliedBody;
import dev.kubeinformer.internal.transport.ApiWrites;

/**
 * Writing facilities that all runs of a reconciler share.
 *
 * @param <T> the model class of the primary
 * @param spec the settings
 * @param cluster the name of the cluster
 * @param writes sends the requests
 * @param json reads and writes JSON
 * @param applied the earlier applies to children
 * @param events reports events
 * @param digest writes the bodies of applies
 * @param takeover takes over fields that former managers created or updated
 */
public record ReconcilerWriter<T extends KubernetesObject>(ReconcilerSpec<T> spec, String cluster, ApiWrites writes,
		ModelJson json, AppliedStateCache applied, EventRecorder events, AppliedDigest digest, FieldTakeover takeover) {

	/**
	 * Creates the writing facilities.
	 * @param spec the settings
	 * @param cluster the name of the cluster
	 * @param writes sends the requests
	 * @param json reads and writes JSON
	 * @param applied the earlier applies to children
	 * @param takeover takes over fields that former managers created or updated
	 * @param events reports events
	 */
	public ReconcilerWriter(ReconcilerSpec<T> spec, String cluster, ApiWrites writes, ModelJson json,
			AppliedStateCache applied, FieldTakeover takeover, EventRecorder events) {
		this(spec, cluster, writes, json, applied, events,
				new AppliedDigest(json, spec.fieldManager(), spec.formerFieldManagers()), takeover);
	}

	/**
	 * Writes the body of an apply.
	 * @param tree the object, which this method changes
	 * @param there the object as the cache holds it; {@code null} if there is none
	 * @param whole {@code true} if the cache holds whole objects; {@code false} if it
	 * holds only metadata, which does not show whether the rest has changed since the
	 * apply
	 * @return the body
	 */
	AppliedBody body(Map<String, @Nullable Object> tree, @Nullable KubernetesObject there, boolean whole) {
		boolean annotated = this.spec.appliedDigest() && whole;
		if (annotated && there != null && this.digest.isForeign(there)) {
			annotated = this.applied.mayAnnotate(there);
		}
		return this.digest.write(tree, annotated);
	}

	/**
	 * Returns whether applying an object would change nothing.
	 * @param desired the object
	 * @param there the object as the cache holds it
	 * @param body the request
	 * @return {@code true} if the request need not be sent
	 */
	boolean isInPlace(KubernetesObject desired, KubernetesObject there, AppliedBody body) {
		if (this.takeover.isPending(there)) {
			return false;
		}
		if (body.isThatOf(there)) {
			Containment found = held(desired, there, body);
			if (found == Containment.HOLDS) {
				return true;
			}
			if (found == Containment.HOLDS_AND_MORE) {
				return this.applied.isOutcomeUnlessKnown(there, body.hash());
			}
		}
		return this.applied.isOutcome(there, body.hash());
	}

	/**
	 * Remembers the outcome of a request.
	 * @param returned the object as the API server returned it
	 * @param desired the desired object
	 * @param body the request
	 * @param status whether the object has a status that no cache shows
	 */
	void remember(KubernetesObject returned, KubernetesObject desired, AppliedBody body, boolean status) {
		boolean held = body.isThatOf(returned) && held(desired, returned, body) == Containment.HOLDS;
		this.applied.applied(returned, new AppliedStateCache.Request(body.hash(), body.annotation() != null), !held,
				status);
	}

	private static Containment held(KubernetesObject desired, KubernetesObject there, AppliedBody body) {
		return WantedContent.in(there, desired, body.metadata(), ReconcilerSpec.APPLIED_ANNOTATION);
	}

}
