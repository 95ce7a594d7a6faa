package dev.kubeinformer.spring.reconciler;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.settings.AnnotationValues;

/**
 * Adds the resources of unowned objects to the spec of a reconciler.
 *
 * @param values the resolver of annotation values
 */
record UnownedObjects(AnnotationValues values) {

	private static final String ALL = "*";

	<T extends KubernetesObject> ReconcilerSpec<T> add(ReconcilerSpec<T> spec, AnnotatedBean<Reconciler> bean,
			@Nullable String configuredFinalizer) {
		Set<String> namespaces = namespaces(bean);
		String present = spec.finalizer();
		String finalizer = (present != null) ? present : Objects.requireNonNullElseGet(configuredFinalizer,
				() -> FinalizerNames.byDefault(spec.type(), spec.id()));
		ReconcilerSpec<T> added = spec;
		for (Class<? extends KubernetesObject> each : new LinkedHashSet<>(List.of(bean.annotation().unowned()))) {
			ResourceType<? extends KubernetesObject> type = ReconcilerDefinitionFactory.resourceType(bean, each);
			try {
				added = added.withUnowned(finalizer,
						new UnownedResource<>(type, type.namespaced() ? namespaces : Set.of()));
			}
			catch (IllegalArgumentException ex) {
				throw new InvalidReconcilerException(bean,
						"cannot write unowned objects of '%s': %s".formatted(each.getName(), ex.getMessage()),
						"Name other classes in @Reconciler(unowned = ...), or another finalizer in 'kubernetes.reconcilers.%s.finalizer'."
							.formatted(spec.id()),
						ex);
			}
		}
		return added;
	}

	private Set<String> namespaces(AnnotatedBean<Reconciler> bean) {
		List<String> namespaces = this.values.list(bean.toString(), "unownedNamespaces",
				bean.annotation().unownedNamespaces());
		if (namespaces == null) {
			return Set.of();
		}
		if (namespaces.contains(ALL)) {
			throw new InvalidReconcilerException(bean, "has all namespaces as those of unowned objects",
					"Name them, or leave 'unownedNamespaces' out for those of the reconciler.");
		}
		return new LinkedHashSet<>(namespaces);
	}

}
