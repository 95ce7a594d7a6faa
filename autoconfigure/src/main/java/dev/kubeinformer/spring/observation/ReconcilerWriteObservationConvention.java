package dev.kubeinformer.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags of the observations of writes by reconcilers. A bean of this type
 * replaces the default.
 */
public interface ReconcilerWriteObservationConvention extends ObservationConvention<ReconcilerWriteObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReconcilerWriteObservationContext;
	}

}
