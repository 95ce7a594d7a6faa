package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.types.ObjectKey;

/**
 * What is known of one run of a reconciler. The exception that a run throws is not in it,
 * because its message may quote an object: its class is, and {@link #getError()} is a
 * stand-in that says no more.
 */
public final class ReconcilerObservationContext extends Observation.Context {

	private final ClusterScopedId reconciler;

	private final String resource;

	private final ObjectKey key;

	private final int attempt;

	private final boolean cleanup;

	private final boolean clusterNamed;

	private volatile @Nullable RunOutcome outcome;

	private volatile @Nullable String exception;

	ReconcilerObservationContext(ClusterScopedId reconciler, String resource, ObjectKey key, int attempt,
			boolean cleanup, boolean clusterNamed) {
		this.reconciler = reconciler;
		this.resource = resource;
		this.key = key;
		this.attempt = attempt;
		this.cleanup = cleanup;
		this.clusterNamed = clusterNamed;
	}

	/**
	 * Returns the id of the reconciler, without the name of its cluster.
	 * @return the id
	 */
	public String getReconciler() {
		return this.reconciler.id();
	}

	/**
	 * Returns the name of the cluster. Either all observations have one, or none.
	 * @return the name; {@code null} where there is only the default cluster
	 */
	public @Nullable String getCluster() {
		return this.clusterNamed ? this.reconciler.cluster() : null;
	}

	/**
	 * Returns the resource of the primary, such as {@code pods} or
	 * {@code deployments.apps}.
	 * @return the plural and the group
	 */
	public String getResource() {
		return this.resource;
	}

	/**
	 * Returns namespace and name of the primary. There are too many for a tag of low
	 * cardinality, and what becomes part of a span leaves the application.
	 * @return the key
	 */
	public ObjectKey getKey() {
		return this.key;
	}

	/**
	 * Returns the number of the attempt.
	 * @return 1, and one more for each failed run before
	 */
	public int getAttempt() {
		return this.attempt;
	}

	/**
	 * Returns whether it is a run of the cleanup of an object that is being deleted.
	 * @return whether it is
	 */
	public boolean isCleanup() {
		return this.cleanup;
	}

	/**
	 * Returns how the run ended.
	 * @return the outcome; {@code null} as long as it is active
	 */
	public @Nullable RunOutcome getOutcome() {
		return this.outcome;
	}

	/**
	 * Returns the simple name of the class of the exception that ended the run.
	 * @return the name; {@code null} if there was none
	 */
	public @Nullable String getException() {
		return this.exception;
	}

	boolean isOf(ClusterScopedId candidate, ObjectKey candidateKey) {
		return this.reconciler.equals(candidate) && this.key.equals(candidateKey);
	}

	void ended(ReconcileRun run) {
		this.outcome = run.outcome();
		if (run.error() != null) {
			this.exception = HandlerFailure.name(run.error());
		}
	}

}
