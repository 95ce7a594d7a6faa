package dev.kubeinformer.sample;

import java.time.Duration;
import java.time.Instant;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

import dev.kubeinformer.sample.page.Experiment;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Experiment that makes a handler slow for a while and resyncs it. It works with any
 * cluster, because it affects this application only.
 */
@Component("slow-handler")
class SlowHandlerExperiment implements Experiment {

	private final AuditHandler handler;

	private final InformerHandlerRegistry handlers;

	private final TaskScheduler scheduler;

	private final Duration pause;

	private final Duration time;

	SlowHandlerExperiment(AuditHandler handler, InformerHandlerRegistry handlers, TaskScheduler scheduler,
			@Value("${sample.slow-handler.pause:2s}") Duration pause,
			@Value("${sample.slow-handler.time:12s}") Duration time) {
		this.handler = handler;
		this.handlers = handlers;
		this.scheduler = scheduler;
		this.pause = pause;
		this.time = time;
	}

	@Override
	public Duration start() {
		this.handler.slowDown(this.pause);
		this.handlers.get("auditHandler").resync();
		this.scheduler.schedule(() -> this.handler.slowDown(Duration.ZERO), Instant.now().plus(this.time));
		return this.time;
	}

}
