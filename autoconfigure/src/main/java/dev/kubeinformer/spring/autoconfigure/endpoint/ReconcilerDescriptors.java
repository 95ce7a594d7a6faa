package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.FailingFunction;
import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.ReconcilerDetails;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.settings.ShownText;
import dev.kubeinformer.types.FailedWrite;

/**
 * Creates descriptions of the current reconcilers.
 *
 * @param reconcilers the reconcilers
 * @param missingRights the permissions that reconcilers were denied
 */
record ReconcilerDescriptors(Reconcilers reconcilers, MissingRights missingRights) {

	ReconcilerDescriptor of(ClusterContents.Content<ReconcilerContainer> content) {
		ReconcilerContainer container = content.value();
		ReconcilerSpec<?> spec = container.spec();
		ReconcilerStatus status = container.status();
		ReconcilerDetails details = this.reconcilers.details(container);
		ReconcilerStatus.Runs runs = status.runs();
		return new ReconcilerDescriptor(container.id(), content.cluster(), details.beanName(), spec.type().name(),
				spec.owned().stream().map((owned) -> owned.type().name()).toList(),
				spec.watched().stream().map((watched) -> watched.type().name()).toList(), status.state().name(),
				text(status.since()), details.autoStartup(), details.readiness(), spec.leadership() != null,
				status.state() == ReconcilerState.STANDBY, status.synced(),
				status.sources().stream().map(ReconcilerDescriptors::source).toList(), queue(status.queue()),
				runs.active(), Descriptors.seconds(runs.longestActive()),
				new ReconcilerDescriptor.Runs(runs.total(), runs.failed(), runs.conflicts(), runs.ownWriteTimeouts()),
				runs.loops(), status.queue().failingKeys(),
				status.failing().stream().map(ReconcilerDescriptors::failing).toList(),
				status.failingFunctions().stream().map(ReconcilerDescriptors::failing).toList(), runs.lastError(),
				requiredRbac(container, status, details), settings(spec));
	}

	private static ReconcilerDescriptor.Source source(ReconcilerSource source) {
		return new ReconcilerDescriptor.Source(source.informer(), source.resource(), source.role().name(),
				source.state().name(), source.synced());
	}

	private static ReconcilerDescriptor.Queue queue(ReconcilerStatus.Queue queue) {
		Map<String, Integer> ready = new LinkedHashMap<>();
		for (QueueLane lane : QueueLane.values()) {
			ready.put(lane.name(), queue.ready().getOrDefault(lane, 0));
		}
		return new ReconcilerDescriptor.Queue(ready, Descriptors.seconds(queue.oldestReadyAge()), queue.delayed(),
				queue.parked(), queue.slowedKeys(), queue.waiting());
	}

	private static ReconcilerDescriptor.Failing failing(FailingKey failing) {
		return new ReconcilerDescriptor.Failing(ShownText.of(failing.key().toString()), failing.attempts(),
				failing.failingSince().toString(), text(failing.nextAttempt()), failing.exceptionClass(),
				failing.cleanup(), (failing.write() != null) ? write(failing.write()) : null);
	}

	private static ReconcilerDescriptor.Write write(FailedWrite write) {
		return new ReconcilerDescriptor.Write(write.verb(), write.resource(), write.kind(),
				ShownText.of(write.key().toString()), (write.status() > 0) ? write.status() : null,
				text(write.reason()), text(write.refusedBy()), write.fields());
	}

	private static @Nullable String text(String text) {
		return text.isEmpty() ? null : text;
	}

	private static ReconcilerDescriptor.FailingFunction failing(FailingFunction failing) {
		return new ReconcilerDescriptor.FailingFunction(failing.kind().name(), failing.resource(), failing.objects(),
				failing.failedAt().toString(), failing.key(), failing.exceptionClass());
	}

	private List<String> requiredRbac(ReconcilerContainer container, ReconcilerStatus status,
			ReconcilerDetails details) {
		Stream<String> ofSources = status.sources()
			.stream()
			.map(ReconcilerSource::requiredRbac)
			.filter(Objects::nonNull);
		Stream<String> ofRuns = this.missingRights.of(container, details.ownedVerbs())
			.stream()
			.map(RequiredRbac::toString);
		return Stream.concat(ofSources, ofRuns).distinct().toList();
	}

	private static ReconcilerDescriptor.Settings settings(ReconcilerSpec<?> spec) {
		List<String> namespaces = spec.namespaces().isEmpty() ? List.of("*") : List.copyOf(spec.namespaces());
		return new ReconcilerDescriptor.Settings(namespaces, spec.labelSelector(), spec.fieldSelector(),
				spec.concurrency(), Descriptors.text(spec.resync()), Descriptors.text(spec.timeout()),
				Descriptors.text(spec.minInterval()), Descriptors.text(spec.ownWritesTimeout()), spec.fieldManager(),
				spec.finalizer());
	}

	private static @Nullable String text(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

}
