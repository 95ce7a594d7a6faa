package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of the observations of reconcilers. A bean of this type replaces the
 * default.
 */
public interface ReconcilerObservationConvention extends ObservationConvention<ReconcilerObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReconcilerObservationContext;
	}

}
