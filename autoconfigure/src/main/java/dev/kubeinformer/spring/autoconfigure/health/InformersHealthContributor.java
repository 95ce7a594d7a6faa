package dev.kubeinformer.spring.autoconfigure.health;

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
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Health of all handlers, and of all informers that no handler uses, as they are at the
 * moment it is asked for.
 */
final class InformersHealthContributor implements CompositeHealthContributor {

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final InformerStatusMapper statusMapper;

	InformersHealthContributor(Informers informers, InformerHandlerRegistry handlers,
			InformerStatusMapper statusMapper) {
		this.informers = informers;
		this.handlers = handlers;
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
		// What only handlers use that are started by hand is left to the listers.
		this.handlers.all()
			.stream()
			.filter((container) -> container.isRunning() || container.isAutoStartup())
			.forEach((container) -> bySpec.remove(container.spec()));
		// A lister that came later may have the id of a handler.
		bySpec.values()
			.stream()
			.sorted(Comparator.comparing(Informer::id))
			.forEach((informer) -> children.putIfAbsent(informer.id(),
					new InformerHealthIndicator(informer, this.statusMapper)));
		return children;
	}

}
