package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.types.ObjectKey;

/**
 * Context of one run of a reconciler. It does not contain the exception of the run,
 * because the message of the exception may quote an object. It contains the name of the
 * exception's class, and {@link #getError()} returns a placeholder.
 */
public final class ReconcilerObservationContext extends Observation.Context {

	private final ClusterScopedId reconciler;

	private final String resource;

	private final ObjectKey key;

	private final int attempt;

	private final boolean cleanup;

	private final boolean clusterNamed;

	private final boolean objectNamed;

	private volatile @Nullable RunOutcome outcome;

	private volatile @Nullable String exception;

	ReconcilerObservationContext(ClusterScopedId reconciler, String resource, ObjectKey key, int attempt,
			boolean cleanup, boolean clusterNamed, boolean objectNamed) {
		this.reconciler = reconciler;
		this.resource = resource;
		this.key = key;
		this.attempt = attempt;
		this.cleanup = cleanup;
		this.clusterNamed = clusterNamed;
		this.objectNamed = objectNamed;
	}

	/**
	 * Returns the id of the reconciler, without the name of its cluster.
	 * @return the id
	 */
	public String getReconciler() {
		return this.reconciler.id();
	}

	/**
	 * Returns the name of the cluster. Either all observations of the application have a
	 * cluster, or none.
	 * @return the name; {@code null} if there is only the default cluster
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
	 * Returns the namespace and the name of the primary. Do not use them as a tag of
	 * meters, because the number of keys is not limited. If you use them as a tag of
	 * spans, they are exported from the application.
	 * @return the key
	 */
	public ObjectKey getKey() {
		return this.key;
	}

	/**
	 * Returns the number of the attempt.
	 * @return 1 plus the number of preceding failed runs
	 */
	public int getAttempt() {
		return this.attempt;
	}

	/**
	 * Returns whether the run cleans up an object that is being deleted.
	 * @return {@code true} for a cleanup
	 */
	public boolean isCleanup() {
		return this.cleanup;
	}

	/**
	 * Returns whether spans have the namespace and the name of the primary as tags.
	 * @return the value of {@code kubernetes.informers.observations.object-names}
	 */
	public boolean isObjectNamed() {
		return this.objectNamed;
	}

	/**
	 * Returns the outcome of the run.
	 * @return the outcome; {@code null} in three cases: the run is still active; a stop
	 * or the end of this replica's leadership ended the run; or the run has added the
	 * finalizer and waits for its own write
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
