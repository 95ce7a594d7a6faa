package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of the observations of handlers. A bean of this type replaces the
 * default.
 */
public interface InformerHandlerObservationConvention extends ObservationConvention<InformerHandlerObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof InformerHandlerObservationContext;
	}

}
