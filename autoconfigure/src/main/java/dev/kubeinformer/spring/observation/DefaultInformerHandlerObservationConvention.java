package dev.kubeinformer.spring.observation;

import java.util.Locale;
import java.util.Objects;

import io.micrometer.common.KeyValues;

import dev.kubeinformer.spring.observation.InformerHandlerObservation.HighCardinalityTags;
import dev.kubeinformer.spring.observation.InformerHandlerObservation.LowCardinalityTags;
import dev.kubeinformer.types.ObjectKey;

/**
 * Default {@link InformerHandlerObservationConvention}. Tags do not contain data of the
 * object, with one exception: if {@code kubernetes.informers.observations.object-names}
 * is set, spans have the namespace and the name of the object.
 */
public class DefaultInformerHandlerObservationConvention implements InformerHandlerObservationConvention {

	/**
	 * Name of the observation.
	 */
	public static final String NAME = "kubernetes.informer.handler";

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(InformerHandlerObservationContext context) {
		return context.getHandler() + " " + event(context);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(InformerHandlerObservationContext context) {
		KeyValues values = KeyValues.of(LowCardinalityTags.INFORMER.withValue(context.getInformer()),
				LowCardinalityTags.HANDLER.withValue(context.getHandler()),
				LowCardinalityTags.RESOURCE.withValue(context.getResource()),
				LowCardinalityTags.EVENT.withValue(event(context)),
				LowCardinalityTags.OUTCOME.withValue(outcome(context)),
				LowCardinalityTags.EXCEPTION.withValue(Objects.requireNonNullElse(context.getException(), "none")));
		String cluster = context.getCluster();
		return (cluster != null) ? values.and(LowCardinalityTags.CLUSTER.withValue(cluster)) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(InformerHandlerObservationContext context) {
		return context.isObjectNamed() ? ObjectTags.of(ObjectKey.of(context.getEvent().object()),
				HighCardinalityTags.NAMESPACE, HighCardinalityTags.NAME) : KeyValues.empty();
	}

	private static String event(InformerHandlerObservationContext context) {
		return context.getEvent().type().name().toLowerCase(Locale.ROOT);
	}

	private static String outcome(InformerHandlerObservationContext context) {
		Boolean succeeded = context.getSucceeded();
		if (succeeded == null) {
			return "unknown";
		}
		return succeeded ? "success" : "error";
	}

}
