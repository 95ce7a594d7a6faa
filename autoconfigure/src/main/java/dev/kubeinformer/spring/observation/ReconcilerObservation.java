package dev.kubeinformer.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of reconcilers.
 */
public enum ReconcilerObservation implements ObservationDocumentation {

	/**
	 * Run of a {@code @Reconciler} bean, until its outcome is known. A cleanup is a run,
	 * too.
	 */
	RECONCILER {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReconcilerObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityTags.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityTags.values();
		}

	};

	/**
	 * Tags of low cardinality.
	 */
	public enum LowCardinalityTags implements KeyName {

		/** Id of the reconciler. */
		RECONCILER("reconciler"),

		/**
		 * Plural and group of the primary's resource, such as {@code deployments.apps}.
		 */
		RESOURCE("resource"),

		/**
		 * Outcome of the run: {@code done}, {@code requeue}, {@code error},
		 * {@code conflict}, {@code gave-up}, {@code timeout} or {@code unknown}. It is
		 * {@code unknown} in three cases: the observation is still active; a stop or the
		 * end of a term ended the run; or the run has added the finalizer and waits for
		 * its own write.
		 */
		OUTCOME("outcome"),

		/** Simple name of the class of the exception, or {@code none}. */
		EXCEPTION("exception"),

		/** Name of the cluster; absent if there is only the default cluster. */
		CLUSTER("cluster");

		private final String key;

		LowCardinalityTags(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Tags of high cardinality, which spans have but meters do not. They are absent
	 * unless {@code kubernetes.informers.observations.object-names} is set.
	 */
	public enum HighCardinalityTags implements KeyName {

		/** Namespace of the primary; absent for cluster-scoped objects. */
		NAMESPACE("namespace"),

		/** Name of the primary. */
		NAME("name");

		private final String key;

		HighCardinalityTags(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
