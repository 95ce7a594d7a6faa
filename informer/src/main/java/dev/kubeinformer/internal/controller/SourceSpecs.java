package dev.kubeinformer.internal.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;

/**
 * Specs of the informers that a reconciler has as sources.
 */
public final class SourceSpecs {

	private SourceSpecs() {
	}

	static <T extends KubernetesObject> InformerSpec<T> primary(ReconcilerSpec<T> spec) {
		return InformerSpec.of(spec.type())
			.withNamespaces(spec.namespaces())
			.withLabelSelector(spec.labelSelector())
			.withFieldSelector(spec.fieldSelector())
			.withShard(spec.shard());
	}

	static <C extends KubernetesObject> InformerSpec<C> owned(ReconcilerSpec<?> spec, OwnedResource<C> owned) {
		return InformerSpec.of(owned.type())
			.withNamespaces(namespaces(spec, owned.type(), Set.of()))
			.withLabelSelector(owned.labelSelector())
			.withShard(spec.shardOf(owned.type()));
	}

	static <C extends KubernetesObject> InformerSpec<C> watched(ReconcilerSpec<?> spec, WatchedResource<C> watched) {
		return InformerSpec.of(watched.type())
			.withNamespaces(namespaces(spec, watched.type(), watched.namespaces()))
			.withLabelSelector(watched.labelSelector())
			.withFieldSelector(watched.fieldSelector())
			.withShard(spec.shardOf(watched.type()));
	}

	public static List<InformerSpec<?>> all(ReconcilerSpec<?> spec) {
		List<InformerSpec<?>> all = new ArrayList<>();
		all.add(primary(spec));
		spec.owned().forEach((owned) -> all.add(owned(spec, owned)));
		spec.watched().forEach((watched) -> all.add(watched(spec, watched)));
		return all;
	}

	private static Set<String> namespaces(ReconcilerSpec<?> spec, ResourceType<?> type, Set<String> own) {
		return !own.isEmpty() ? own : type.namespaced() ? spec.namespaces() : Set.of();
	}

}
