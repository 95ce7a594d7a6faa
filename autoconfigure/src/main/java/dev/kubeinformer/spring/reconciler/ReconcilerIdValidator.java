package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Check that ids name one thing each, and that the configuration names only reconcilers
 * that exist.
 */
final class ReconcilerIdValidator {

	/**
	 * Taken by the list of RBAC rules among the things that can be asked for by id.
	 */
	private static final String RESERVED = "rbac";

	private final Informers informers;

	private final ConfiguredSettings configured;

	private final InformerHandlerRegistry handlers;

	private final Reconcilers reconcilers;

	private final Supplier<List<String>> parentReconcilers;

	/**
	 * Creates the check.
	 * @param informers the informers
	 * @param configured the configuration
	 * @param handlers the handlers of all contexts that share the informers
	 * @param reconcilers the reconcilers of all contexts
	 * @param parentReconcilers gives the ids of those of the parents
	 */
	ReconcilerIdValidator(Informers informers, ConfiguredSettings configured, InformerHandlerRegistry handlers,
			Reconcilers reconcilers, Supplier<List<String>> parentReconcilers) {
		this.informers = informers;
		this.configured = configured;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.parentReconcilers = parentReconcilers;
	}

	void validate(List<ReconcilerDefinition<?>> definitions) {
		requireUnique(definitions);
		List<String> ids = new ArrayList<>(definitions.stream().map(ReconcilerDefinition::id).toList());
		ids.addAll(this.parentReconcilers.get());
		Set<String> canonicalIds = ids.stream().map(InformerIds::canonical).collect(Collectors.toSet());
		for (String key : this.configured.reconcilerKeys()) {
			if (!canonicalIds.contains(InformerIds.canonical(key))) {
				throw new UnknownReconcilerKeyException(key, ids);
			}
		}
	}

	private void requireUnique(List<ReconcilerDefinition<?>> definitions) {
		Map<String, String> taken = new HashMap<>();
		taken.put(InformerIds.canonical(RESERVED), "the list of RBAC rules");
		this.informers.all().forEach((informer) -> takeInformer(informer.id(), taken));
		definitions.forEach((definition) -> definition.sources().forEach((source) -> takeInformer(source.id(), taken)));
		this.handlers.all()
			.forEach((handler) -> taken.put(InformerIds.canonical(handler.id()),
					"the handler of bean '%s'".formatted(handler.beanName())));
		Stream.of(this.informers.reconcilers(), this.reconcilers.of(this.informers))
			.flatMap((registry) -> registry.all().stream())
			.forEach((container) -> taken.put(InformerIds.canonical(container.id()), name(container)));
		for (ReconcilerDefinition<?> definition : definitions) {
			String owner = taken.putIfAbsent(InformerIds.canonical(definition.id()), definition.bean().toString());
			if (owner != null) {
				throw new DuplicateReconcilerIdException(definition.bean(), definition.id(), owner);
			}
		}
	}

	private String name(ReconcilerContainer container) {
		String bean = this.reconcilers.details(container).beanName();
		return (bean != null) ? "the reconciler of bean '%s'".formatted(bean)
				: "the reconciler '%s'".formatted(container.id());
	}

	private static void takeInformer(String id, Map<String, String> taken) {
		taken.put(InformerIds.canonical(id), "the informer '%s'".formatted(id));
	}

}
