package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.reconciler.method.MapMethod;
import dev.kubeinformer.spring.reconciler.method.OwnedDeclaration;
import dev.kubeinformer.spring.reconciler.method.ReconcilerMethods;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Adds the owned and watched resources of reconcilers to their specs.
 *
 * @param values the resolver of annotation values
 * @param specs the factory of informer specs
 */
record SourceDeclarations(AnnotationValues values, InformerSpecs specs) {

	<T extends KubernetesObject> ReconcilerSpec<T> add(ReconcilerSpec<T> spec, AnnotatedBean<Reconciler> bean,
			ReconcilerMethods methods, ReconcilerBody.Calls calls) {
		ReconcilerSpec<T> added = spec;
		for (OwnedResource<?> owned : owned(spec, bean, methods.owned())) {
			added = added.withOwned(owned);
		}
		for (MapMethod method : methods.watched()) {
			added = added.withWatched(
					watched(spec, bean, method, ReconcilerDefinitionFactory.resourceType(bean, method.model()), calls));
		}
		return added.withWhole(
				Stream
					.concat(added.owned().stream().map(OwnedResource::type),
							added.watched().stream().map(WatchedResource::type))
					.filter(this.specs::isWhole)
					.toList());
	}

	private List<OwnedResource<?>> owned(ReconcilerSpec<?> spec, AnnotatedBean<Reconciler> bean,
			List<OwnedDeclaration> declarations) {
		Map<Class<?>, OwnedDeclaration> byClass = new LinkedHashMap<>();
		for (OwnedDeclaration declaration : declarations) {
			OwnedDeclaration before = byClass.putIfAbsent(declaration.model().objectClass(), declaration);
			if (before != null && before.model().metadata() != declaration.model().metadata()) {
				throw new InvalidReconcilerException(bean,
						"owns the objects of '%s' whole and as metadata"
							.formatted(declaration.model().objectClass().getName()),
						"Write Owned<C> or Owned<Metadata<C>> in all places, and @Owns alike: there is one watch for "
								+ "each class.");
			}
			if (before != null && declaration.annotation() != null) {
				requireSame(bean, before, declaration);
				byClass.put(declaration.model().objectClass(), declaration);
			}
		}
		List<OwnedResource<?>> owned = new ArrayList<>();
		byClass.values()
			.forEach((declaration) -> owned.add(owned(spec, bean, declaration,
					ReconcilerDefinitionFactory.resourceType(bean, declaration.model()))));
		return owned;
	}

	private static void requireSame(AnnotatedBean<Reconciler> bean, OwnedDeclaration one, OwnedDeclaration other) {
		Owns first = one.annotation();
		Owns second = other.annotation();
		if (first != null && second != null && (!first.labelSelector().equals(second.labelSelector())
				|| first.controllerOnly() != second.controllerOnly())) {
			throw new InvalidReconcilerException(bean,
					"narrows what it owns of '%s' in two ways".formatted(one.model().objectClass().getName()),
					"Write @Owns once, or alike: there is one watch for each class.");
		}
	}

	private <C extends KubernetesObject> OwnedResource<C> owned(ReconcilerSpec<?> spec, AnnotatedBean<Reconciler> bean,
			OwnedDeclaration declaration, ResourceType<C> type) {
		if (type.metadata().equals(spec.type().metadata())) {
			throw new InvalidReconcilerException(bean, "owns objects of its own resource '%s'".formatted(type.name()),
					"Take the others from a Lister, or map them to the keys that they concern by a @Watches method.");
		}
		if (spec.type().namespaced() && !type.namespaced()) {
			throw new InvalidReconcilerException(bean,
					"owns '%s', which are cluster-scoped, by '%s', which are in namespaces".formatted(type.name(),
							spec.type().name()),
					"The garbage collector would delete them. Write them by run.applyUnowned, and name the class in "
							+ "@Reconciler(unowned = ...) instead.");
		}
		Owns annotation = declaration.annotation();
		String where = declaration.where();
		InformerSettings asked = settings(
				(annotation != null) ? this.values.labelSelector(where, annotation.labelSelector()) : null);
		InformerSpec<C> informer = this.specs.create(where, type, withNamespaces(asked, spec, type));
		return new OwnedResource<>(type, informer.labelSelector(), annotation == null || annotation.controllerOnly());
	}

	private static InformerSettings settings(@Nullable String labelSelector) {
		Map<String, @Nullable Object> said = new HashMap<>();
		said.put(Setting.LABEL_SELECTOR.name(), labelSelector);
		return InformerSettings.of(said);
	}

	private static InformerSettings withNamespaces(InformerSettings asked, ReconcilerSpec<?> spec,
			ResourceType<?> type) {
		// Use the namespaces of the reconciler by default, not those of the common
		// properties.
		List<String> namespaces = spec.namespaces().isEmpty() ? List.of("*") : List.copyOf(spec.namespaces());
		return type.namespaced() ? asked.orElse(InformerSettings.of(Map.of(Setting.NAMESPACES.name(), namespaces)))
				: asked;
	}

	private <C extends KubernetesObject> WatchedResource<C> watched(ReconcilerSpec<?> spec,
			AnnotatedBean<Reconciler> bean, MapMethod method, ResourceType<C> type, ReconcilerBody.Calls calls) {
		String where = "@Watches method '%s' of %s".formatted(method.method().getName(), bean);
		InformerSettings asked = this.values.read(where, AnnotationUtils.getAnnotationAttributes(method.annotation()),
				Setting.SELECTION);
		InformerSpec<C> informer = this.specs.create(where, type, withNamespaces(asked, spec, type));
		if (type.namespaced() && informer.namespaces().isEmpty() && !spec.namespaces().isEmpty()) {
			throw InvalidReconcilerException.ofMethod(bean, method.method(),
					"which watches all namespaces, while its reconciler has %s".formatted(spec.namespaces()),
					"Name namespaces in @Watches, leave them out for those of the reconciler, "
							+ "or let the reconciler watch all.");
		}
		return new WatchedResource<>(type, informer.namespaces(), informer.labelSelector(), informer.fieldSelector(),
				(object) -> calls.map(method, object));
	}

	/**
	 * Returns the specs of a reconciler's informers.
	 * @param spec the settings of the reconciler
	 * @return the specs, with that of the primaries first
	 */
	static List<InformerSpec<?>> informers(ReconcilerSpec<?> spec) {
		List<InformerSpec<?>> informers = new ArrayList<>();
		informers.add(InformerSpec.of(spec.type())
			.withNamespaces(spec.namespaces())
			.withLabelSelector(spec.labelSelector())
			.withFieldSelector(spec.fieldSelector())
			.withShard(spec.shard())
			.withShards(spec.shards()));
		for (OwnedResource<?> owned : spec.owned()) {
			informers.add(InformerSpec.of(owned.type())
				.withNamespaces(owned.type().namespaced() ? spec.namespaces() : Set.of())
				.withLabelSelector(owned.labelSelector())
				.withShard(spec.shardOf(owned.type()))
				.withShards(spec.shardsOf(owned.type())));
		}
		for (WatchedResource<?> watched : spec.watched()) {
			Set<String> namespaces = watched.namespaces().isEmpty() ? spec.namespaces() : watched.namespaces();
			informers.add(InformerSpec.of(watched.type())
				.withNamespaces(watched.type().namespaced() ? namespaces : Set.of())
				.withLabelSelector(watched.labelSelector())
				.withFieldSelector(watched.fieldSelector())
				.withShard(spec.shardOf(watched.type()))
				.withShards(spec.shardsOf(watched.type())));
		}
		return informers;
	}

}
