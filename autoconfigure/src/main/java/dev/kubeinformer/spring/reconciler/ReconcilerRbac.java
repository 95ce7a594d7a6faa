package dev.kubeinformer.spring.reconciler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.resource.ResourceType;

/**
 * RBAC rules that a reconciler needs according to its spec, whether it is running or not.
 * Internal to the starter.
 */
public final class ReconcilerRbac {

	private static final List<String> READ = List.of("get", "list", "watch");

	private static final String EVENTS_GROUP = "events.k8s.io";

	/** Namespace of events about cluster-scoped objects, as in client-go's recorder. */
	private static final String NAMESPACE_OF_OTHER_EVENTS = "default";

	private final ReconcilerSpec<?> spec;

	private final List<RequiredRbac> rules = new ArrayList<>();

	private ReconcilerRbac(ReconcilerSpec<?> spec) {
		this.spec = spec;
	}

	/**
	 * Returns the rules of a reconciler.
	 * @param spec the spec of the reconciler
	 * @param ownedVerbs the verbs that the reconciler uses on owned objects; list and
	 * watch are always included
	 * @return the rules
	 */
	public static List<RequiredRbac> of(ReconcilerSpec<?> spec, Collection<String> ownedVerbs) {
		ReconcilerRbac rbac = new ReconcilerRbac(spec);
		rbac.primary();
		rbac.events();
		rbac.owned(ownedVerbs);
		spec.unowned().forEach(rbac::unowned);
		spec.watched().forEach(rbac::watched);
		return rbac.rules;
	}

	private void primary() {
		ResourceType<?> type = this.spec.type();
		List<String> names = names(type, this.spec.fieldSelector());
		add(type, type.plural(), names, READ);
		if (this.spec.finalizer() != null) {
			// Finalizers are part of the object's own metadata.
			add(type, type.plural(), names, List.of("patch"));
		}
		add(type, type.plural() + "/status", names, List.of("patch"));
		// Needed for blockOwnerDeletion in the ownerReferences of children if the
		// admission plugin OwnerReferencesPermissionEnforcement is enabled.
		add(type, type.plural() + "/finalizers", names, List.of("update"));
	}

	private void events() {
		Set<String> namespaces = this.spec.type().namespaced() ? this.spec.namespaces()
				: Set.of(NAMESPACE_OF_OTHER_EVENTS);
		add(EVENTS_GROUP, "events", List.of(), List.of("create", "patch"), namespaces);
	}

	private void owned(Collection<String> verbs) {
		Set<String> all = new LinkedHashSet<>(List.of("list", "watch"));
		all.addAll(verbs);
		for (OwnedResource<?> owned : this.spec.owned()) {
			add(owned.type(), owned.type().plural(), List.of(), List.copyOf(all));
		}
	}

	private void unowned(UnownedResource<?> unowned) {
		ResourceType<?> type = unowned.type();
		Set<String> namespaces = unowned.namespaces().isEmpty() ? this.spec.namespaces() : unowned.namespaces();
		add(type.group(), type.plural(), List.of(), List.of("get", "list", "watch", "create", "patch", "delete"),
				type.namespaced() ? namespaces : Set.of());
	}

	private void watched(WatchedResource<?> watched) {
		ResourceType<?> type = watched.type();
		Set<String> namespaces = watched.namespaces().isEmpty() ? this.spec.namespaces() : watched.namespaces();
		add(type.group(), type.plural(), names(type, watched.fieldSelector()), READ,
				type.namespaced() ? namespaces : Set.of());
	}

	private static List<String> names(ResourceType<?> type, @Nullable String fieldSelector) {
		String name = InformerSpec.of(type).withFieldSelector(fieldSelector).objectName();
		return (name != null) ? List.of(name) : List.of();
	}

	private void add(ResourceType<?> type, String resource, List<String> names, List<String> verbs) {
		add(type.group(), resource, names, verbs, type.namespaced() ? this.spec.namespaces() : Set.of());
	}

	private void add(String group, String resource, List<String> names, List<String> verbs, Set<String> namespaces) {
		if (namespaces.isEmpty()) {
			this.rules.add(new RequiredRbac(group, resource, names, verbs, null));
		}
		namespaces.forEach((namespace) -> this.rules.add(new RequiredRbac(group, resource, names, verbs, namespace)));
	}

}
