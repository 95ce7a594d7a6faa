package dev.kubeinformer.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of writes by reconcilers.
 */
public enum ReconcilerWriteObservation implements ObservationDocumentation {

	/**
	 * Write of a run to the API server: an apply, create, patch, update or delete. Either
	 * a method of the run sends it, or the starter's {@code ApiClient} on the thread of
	 * the run.
	 */
	WRITE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReconcilerWriteObservationConvention.class;
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
		 * Plural, group and subresource of the written resource, such as
		 * {@code deployments.apps/status}.
		 */
		RESOURCE("resource"),

		/**
		 * Verb of the write: {@code create}, {@code apply}, {@code patch}, {@code update}
		 * or {@code delete}.
		 */
		VERB("verb"),

		/**
		 * HTTP status of the response, such as {@code 409}. Without a response, it is
		 * {@code cancelled} or the kind of the failure, such as {@code silent}. While the
		 * observation is active, it is {@code unknown}.
		 */
		STATUS("status"),

		/**
		 * Simple name of the exception class if there is no response; otherwise
		 * {@code none}.
		 */
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

		/** Namespace of the object; absent for cluster-scoped objects. */
		NAMESPACE("namespace"),

		/** Name of the object; absent if the API server generates it. */
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
