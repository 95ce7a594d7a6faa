package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * Health of all handlers and reconcilers, and of all informers that none of them uses, as
 * they are at the moment it is asked for.
 */
final class InformersHealthContributor implements CompositeHealthContributor {

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final Reconcilers reconcilers;

	private final MissingRights missingRights;

	private final InformerStatusMapper statusMapper;

	InformersHealthContributor(Informers informers, InformerHandlerRegistry handlers, Reconcilers reconcilers,
			MissingRights missingRights, InformerStatusMapper statusMapper) {
		this.informers = informers;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.missingRights = missingRights;
		this.statusMapper = statusMapper;
	}

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return children().get(name);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return children().entrySet()
			.stream()
			.map((child) -> new HealthContributors.Entry(child.getKey(), child.getValue()));
	}

	Map<String, HealthIndicator> children() {
		Map<InformerSpec<?>, Informer<?>> bySpec = new HashMap<>();
		this.informers.all().forEach((informer) -> bySpec.put(informer.spec(), informer));
		Map<String, HealthIndicator> children = new LinkedHashMap<>();
		for (InformerHandlerContainer container : this.handlers.all()) {
			children.putIfAbsent(container.id(),
					new HandlerHealthIndicator(container, bySpec.get(container.spec()), this.statusMapper));
		}
		Collection<ReconcilerContainer> containers = this.reconcilers.of(this.informers).all();
		for (ReconcilerContainer container : containers) {
			children.putIfAbsent(container.id(), new ReconcilerHealthIndicator(
					new ReconcilerSources(this.informers, container), this.missingRights, this.statusMapper));
		}
		// What only handlers use that are started by hand is left to the listers.
		this.handlers.all()
			.stream()
			.filter((container) -> container.isRunning() || container.isAutoStartup())
			.forEach((container) -> bySpec.remove(container.spec()));
		containers.stream()
			.filter((container) -> container.isRunning() || this.reconcilers.details(container).autoStartup())
			.flatMap((container) -> this.reconcilers.sources(container).stream())
			.forEach(bySpec::remove);
		// A lister that came later may have the id of a handler.
		bySpec.values()
			.stream()
			.sorted(Comparator.comparing(Informer::id))
			.forEach((informer) -> children.putIfAbsent(informer.id(),
					new InformerHealthIndicator(informer, this.statusMapper)));
		return children;
	}

}
