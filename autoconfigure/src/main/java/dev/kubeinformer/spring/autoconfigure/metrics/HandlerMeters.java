package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.LocalId;
import dev.kubeinformer.spring.observation.DefaultInformerHandlerObservationConvention;
import dev.kubeinformer.types.HandlingOutcome;

/**
 * The meters of one handler.
 */
final class HandlerMeters {

	private static final String PREFIX = "kubernetes.informer.handler.";

	private final MeterRegistry registry;

	private final HandlerRegistration handler;

	private final Tags tags;

	private final List<Meter> meters = new ArrayList<>();

	private final Timer queueTime;

	private final Counter retries;

	private final Counter exhausted;

	HandlerMeters(MeterRegistry registry, ClusterTag clusterTag, Informer<?> informer, HandlerRegistration handler) {
		this.registry = registry;
		this.handler = handler;
		this.tags = clusterTag.of(informer.cluster())
			.and("informer", LocalId.of(informer).id(), "handler", LocalId.of(informer, handler).id(), "resource",
					informer.spec().type().name());
		added(Gauge.builder(PREFIX + "synced", handler, (current) -> current.hasSynced() ? 1 : 0)
			.description("Whether the handler has finished the initial state (1) or not (0)")
			.tags(this.tags)
			.register(registry));
		added(Gauge.builder(PREFIX + "queue.size", handler, (current) -> current.status().queue().size())
			.description("Events that wait for the handler")
			.tags(this.tags)
			.register(registry));
		added(FunctionCounter.builder(PREFIX + "merged", handler, (current) -> current.status().queue().merged())
			.description("Events that were merged into one that waits")
			.tags(this.tags)
			.register(registry));
		this.queueTime = added(Timer.builder(PREFIX + "queue.time")
			.description("Time that events wait before their first attempt")
			.tags(this.tags)
			.register(registry));
		this.retries = counter("retries", "Attempts after the first of an event");
		this.exhausted = counter("exhausted", "Events that were given up");
	}

	private Counter counter(String name, String description) {
		return added(Counter.builder(PREFIX + name).description(description).tags(this.tags).register(this.registry));
	}

	private <M extends Meter> M added(M meter) {
		this.meters.add(meter);
		return meter;
	}

	boolean isOf(HandlerRegistration candidate) {
		return this.handler == candidate;
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

	/**
	 * Removes what others of the same id will have too.
	 */
	void remove() {
		this.meters.forEach(this.registry::remove);
	}

	/**
	 * Removes the timers of the handler's observations too: it is gone.
	 */
	void removeAll() {
		remove();
		ObservedTimers.of(DefaultInformerHandlerObservationConvention.NAME).removeFrom(this.registry, this.tags);
	}

}
