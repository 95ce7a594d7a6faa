package dev.kubeinformer.spring.handler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Check that ids name one thing each, and that the configuration names only handlers that
 * exist.
 */
final class HandlerIdValidator {

	/**
	 * Taken by the list of RBAC rules among the things that can be asked for by id.
	 */
	private static final String RESERVED = "rbac";

	private final Informers informers;

	private final ConfiguredSettings configured;

	private final Supplier<List<String>> parentHandlers;

	HandlerIdValidator(Informers informers, ConfiguredSettings configured, Supplier<List<String>> parentHandlers) {
		this.informers = informers;
		this.configured = configured;
		this.parentHandlers = parentHandlers;
	}

	void validate(List<DefaultInformerHandlerContainer<?>> containers) {
		requireUnique(containers);
		List<String> ids = new ArrayList<>(containers.stream().map(InformerHandlerContainer::id).toList());
		ids.addAll(this.parentHandlers.get());
		Set<String> canonicalIds = ids.stream().map(InformerIds::canonical).collect(Collectors.toSet());
		for (String key : this.configured.handlerKeys()) {
			if (!canonicalIds.contains(InformerIds.canonical(key))) {
				throw new UnknownHandlerKeyException(key, ids);
			}
		}
	}

	private void requireUnique(List<DefaultInformerHandlerContainer<?>> containers) {
		Map<String, String> taken = new HashMap<>();
		taken.put(InformerIds.canonical(RESERVED), "the list of RBAC rules");
		this.informers.all().forEach((informer) -> takeInformer(informer.id(), taken));
		containers.forEach((container) -> takeInformer(container.spec().id(), taken));
		// Those of other contexts: handlers are found before the reconcilers of their
		// own.
		this.informers.reconcilers()
			.all()
			.forEach((reconciler) -> taken.put(InformerIds.canonical(reconciler.id()),
					"the reconciler '%s'".formatted(reconciler.id())));
		for (DefaultInformerHandlerContainer<?> container : containers) {
			String owner = taken.putIfAbsent(InformerIds.canonical(container.id()), container.bean().toString());
			if (owner != null) {
				throw new DuplicateHandlerIdException(container.bean(), container.id(), owner);
			}
		}
	}

	private static void takeInformer(String id, Map<String, String> taken) {
		taken.put(InformerIds.canonical(id), "the informer '%s'".formatted(id));
	}

}
