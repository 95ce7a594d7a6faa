package dev.kubeinformer.spring.observation;

import java.util.Objects;

import io.micrometer.common.KeyValues;

import dev.kubeinformer.spring.observation.ReconcilerWriteObservation.HighCardinalityTags;
import dev.kubeinformer.spring.observation.ReconcilerWriteObservation.LowCardinalityTags;

/**
 * Default {@link ReconcilerWriteObservationConvention}. Tags do not contain data of the
 * object, with one exception: if {@code kubernetes.informers.observations.object-names}
 * is set, spans have the namespace and the name of the object.
 */
public class DefaultReconcilerWriteObservationConvention implements ReconcilerWriteObservationConvention {

	/**
	 * Name of the observation.
	 */
	public static final String NAME = "kubernetes.reconciler.write";

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(ReconcilerWriteObservationContext context) {
		return context.getVerb() + " " + context.getResource();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReconcilerWriteObservationContext context) {
		KeyValues values = KeyValues.of(LowCardinalityTags.RECONCILER.withValue(context.getReconciler()),
				LowCardinalityTags.RESOURCE.withValue(context.getResource()),
				LowCardinalityTags.VERB.withValue(context.getVerb()),
				LowCardinalityTags.STATUS.withValue(Objects.requireNonNullElse(context.getStatus(), "unknown")),
				LowCardinalityTags.EXCEPTION.withValue(Objects.requireNonNullElse(context.getException(), "none")));
		String cluster = context.getCluster();
		return (cluster != null) ? values.and(LowCardinalityTags.CLUSTER.withValue(cluster)) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ReconcilerWriteObservationContext context) {
		return context.isObjectNamed()
				? ObjectTags.of(context.getKey(), HighCardinalityTags.NAMESPACE, HighCardinalityTags.NAME)
				: KeyValues.empty();
	}

}
