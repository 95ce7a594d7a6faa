package dev.kubeinformer.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of handlers.
 */
public enum InformerHandlerObservation implements ObservationDocumentation {

	/**
	 * Attempt of an {@code @InformerHandler} bean to handle an event: the evaluation of
	 * its condition and the call of its method.
	 */
	HANDLER {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultInformerHandlerObservationConvention.class;
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

		/** Id of the informer. */
		INFORMER("informer"),

		/** Id of the handler. */
		HANDLER("handler"),

		/** Plural and group of the resource, such as {@code deployments.apps}. */
		RESOURCE("resource"),

		/** Type of the event: {@code add}, {@code update} or {@code delete}. */
		EVENT("event"),

		/**
		 * Outcome of the attempt: {@code success} or {@code error}; {@code unknown} while
		 * the observation is active.
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

		/** Namespace of the object; absent for cluster-scoped objects. */
		NAMESPACE("namespace"),

		/** Name of the object. */
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
