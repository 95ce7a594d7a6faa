package dev.kubeinformer.spring.autoconfigure.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterScopedId;
import dev.kubeinformer.spring.observation.DefaultInformerHandlerObservationConvention;
import dev.kubeinformer.types.HandlingOutcome;

/**
 * Meters of one handler.
 */
final class HandlerMeters extends SubjectMeters<HandlerRegistration> {

	private final Timer queueTime;

	private final Counter retries;

	private final Counter exhausted;

	HandlerMeters(MeterRegistry registry, ClusterTag clusterTag, Informer<?> informer, HandlerRegistration handler) {
		super(registry, handler, "kubernetes.informer.handler.",
				clusterTag.of(informer.cluster())
					.and("informer", ClusterScopedId.of(informer).id(), "handler",
							ClusterScopedId.of(informer, handler).id(), "resource", informer.spec().type().name()));
		gauge("synced", "Whether the handler has finished the initial state (1) or not (0)", handler,
				(current) -> current.hasSynced() ? 1 : 0);
		gauge("queue.size", "Events that wait for the handler", handler, (current) -> current.status().queue().size());
		functionCounter("merged", "Events that were merged into one that waits", handler,
				(current) -> current.status().queue().merged());
		this.queueTime = timer("queue.time", "Time that events wait before their first attempt");
		this.retries = counter("retries", "Attempts after the first of an event");
		this.exhausted = counter("exhausted", "Events that were given up");
	}

	void handled(HandledEvent event) {
		if (event.attempt() == 1) {
			this.queueTime.record(event.waited());
		}
		else {
			this.retries.increment();
		}
		if (event.outcome() == HandlingOutcome.EXHAUSTED) {
			this.exhausted.increment();
		}
	}

	@Override
	void removeAll() {
		remove();
		ObservedTimers.of(DefaultInformerHandlerObservationConvention.NAME).removeFrom(registry(), tags());
	}

}
