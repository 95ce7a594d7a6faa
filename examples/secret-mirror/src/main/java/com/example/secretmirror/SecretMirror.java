package com.example.secretmirror;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.types.ObjectKey;

/**
 * Copies each Secret with the label {@value #MIRROR_TO} into the namespaces of that team.
 * The primary is the namespace, which owns its copies: a new namespace gets them, and a
 * run removes those whose source is gone, also after a restart.
 */
@Reconciler
class SecretMirror {

	/** Label of a Secret: the team whose namespaces get a copy. */
	static final String MIRROR_TO = "example.com/mirror-to";

	/** Label of a namespace. */
	static final String TEAM = "example.com/team";

	/** Annotation of a copy: namespace and name of its source. */
	static final String MIRROR_OF = "example.com/mirror-of";

	private final Lister<V1Namespace> namespaces;

	private final Lister<V1Secret> sources;

	private final Lister<Metadata<V1Secret>> secrets;

	SecretMirror(Lister<V1Namespace> namespaces, @InformerSource(labelSelector = MIRROR_TO) Lister<V1Secret> sources,
			Lister<Metadata<V1Secret>> secrets) {
		this.namespaces = namespaces;
		this.sources = sources;
		this.secrets = secrets;
	}

	@Reconcile
	void reconcile(V1Namespace namespace, Owned<Metadata<V1Secret>> copies, Reconciliation<V1Namespace> run)
			throws ApiException {
		String target = namespace.getMetadata().getName();
		Map<String, V1Secret> wanted = sourcesFor(namespace);
		List<ApiException> failures = new ArrayList<>();
		for (V1Secret source : wanted.values()) {
			String name = source.getMetadata().getName();
			if (copies.named(name) == null && this.secrets.namespace(target).get(name) != null) {
				run.event(EventType.WARNING, "SecretExists", "Secret '%s' is not a copy; it stays".formatted(name));
				continue;
			}
			try {
				run.apply(copyOf(source, target));
			}
			catch (ApiException ex) {
				failures.add(ex); // The other copies do not wait for this one.
			}
		}
		for (Metadata<V1Secret> copy : copies.list()) {
			if (!wanted.containsKey(copy.getMetadata().getName())) {
				try {
					run.delete(copy);
				}
				catch (ApiException ex) {
					failures.add(ex);
				}
			}
		}
		if (!failures.isEmpty()) {
			throw failures.get(0); // The run is tried again.
		}
	}

	/**
	 * A change of a source concerns all namespaces of its team. The server selects the
	 * sources: one that loses its label counts as deleted.
	 */
	@Watches(labelSelector = MIRROR_TO)
	Stream<ObjectKey> namespacesOf(V1Secret source) {
		return this.namespaces.list().stream().filter((namespace) -> matches(source, namespace)).map(ObjectKey::of);
	}

	/**
	 * A Secret that stood in the way of a copy may be gone.
	 */
	@Watches
	ObjectKey namespaceOf(Metadata<V1Secret> secret) {
		return new ObjectKey("", secret.getMetadata().getNamespace());
	}

	private Map<String, V1Secret> sourcesFor(V1Namespace namespace) {
		List<V1Secret> matching = this.sources.list()
			.stream()
			.filter((source) -> matches(source, namespace))
			.sorted(Comparator.comparing((source) -> source.getMetadata().getNamespace()))
			.toList();
		Map<String, V1Secret> byName = new HashMap<>();
		matching.forEach((source) -> byName.putIfAbsent(source.getMetadata().getName(), source));
		return byName;
	}

	private static boolean matches(V1Secret source, V1Namespace namespace) {
		return !namespace.getMetadata().getName().equals(source.getMetadata().getNamespace())
				&& Objects.equals(label(source, MIRROR_TO), label(namespace, TEAM));
	}

	private static String label(KubernetesObject object, String name) {
		Map<String, String> labels = object.getMetadata().getLabels();
		return (labels != null) ? labels.get(name) : null;
	}

	private static V1Secret copyOf(V1Secret source, String namespace) {
		V1ObjectMeta from = source.getMetadata();
		return new V1Secret()
			.metadata(new V1ObjectMeta().namespace(namespace)
				.name(from.getName())
				.putAnnotationsItem(MIRROR_OF, from.getNamespace() + "/" + from.getName()))
			.type(source.getType())
			.data(source.getData());
	}

}
