package dev.kubeinformer.spring.observation;

import java.util.Locale;
import java.util.Objects;

import io.micrometer.common.KeyValues;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.spring.observation.ReconcilerObservation.HighCardinalityTags;
import dev.kubeinformer.spring.observation.ReconcilerObservation.LowCardinalityTags;

/**
 * Default {@link ReconcilerObservationConvention}. Tags do not contain data of the
 * object, with one exception: if {@code kubernetes.informers.observations.object-names}
 * is set, spans have the namespace and the name of the object.
 */
public class DefaultReconcilerObservationConvention implements ReconcilerObservationConvention {

	/**
	 * Name of the observation.
	 */
	public static final String NAME = "kubernetes.reconciler";

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(ReconcilerObservationContext context) {
		return context.getReconciler() + (context.isCleanup() ? " cleanup" : " reconcile");
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReconcilerObservationContext context) {
		KeyValues values = KeyValues.of(LowCardinalityTags.RECONCILER.withValue(context.getReconciler()),
				LowCardinalityTags.RESOURCE.withValue(context.getResource()),
				LowCardinalityTags.OUTCOME.withValue(outcome(context.getOutcome())),
				LowCardinalityTags.EXCEPTION.withValue(Objects.requireNonNullElse(context.getException(), "none")));
		String cluster = context.getCluster();
		return (cluster != null) ? values.and(LowCardinalityTags.CLUSTER.withValue(cluster)) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ReconcilerObservationContext context) {
		return context.isObjectNamed()
				? ObjectTags.of(context.getKey(), HighCardinalityTags.NAMESPACE, HighCardinalityTags.NAME)
				: KeyValues.empty();
	}

	private static String outcome(@Nullable RunOutcome outcome) {
		return (outcome != null) ? outcome.name().toLowerCase(Locale.ROOT).replace('_', '-') : "unknown";
	}

}
