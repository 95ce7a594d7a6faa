package com.example.namespaceinventory;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Counts the objects of each namespace, from caches that hold their metadata only. The
 * kinds are configured, so the informers are made by code and not by annotations.
 */
@Component
class Inventory {

	private final Map<String, Informer<? extends Metadata<?>>> kinds = new LinkedHashMap<>();

	private final AtomicBoolean changed = new AtomicBoolean();

	Inventory(Informers informers, InformerHandlerRegistry handlers, @Value("${inventory.kinds}") List<String> kinds) {
		for (String kind : kinds) {
			ResourceType<?> type = ResourceType.parse(kind);
			InformerSpec<? extends Metadata<?>> spec = InformerSpec.metadata(type);
			handlers.register("inventory-" + type.name().replace('.', '-'), spec, HandlerOptions.defaults(),
					(event) -> this.changed.set(true));
			this.kinds.put(type.name(), informers.informer(spec));
		}
	}

	/**
	 * Returns the number of objects by namespace and kind. It takes no request to the API
	 * server.
	 */
	SortedMap<String, Map<String, Integer>> counts() {
		SortedMap<String, Map<String, Integer>> counts = new TreeMap<>();
		this.kinds.forEach((kind, informer) -> {
			for (Metadata<?> object : informer.snapshot().list()) {
				String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "(cluster)");
				counts.computeIfAbsent(namespace, (name) -> new TreeMap<>()).merge(kind, 1, Integer::sum);
			}
		});
		return counts;
	}

	/**
	 * Returns whether something changed since the last call, and forgets it.
	 */
	boolean changedSinceLastCall() {
		return this.changed.getAndSet(false);
	}

}
