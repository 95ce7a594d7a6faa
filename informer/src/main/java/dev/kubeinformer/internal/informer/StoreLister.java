package dev.kubeinformer.internal.informer;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.Lister;
import org.jspecify.annotations.Nullable;

/**
 * Lister of the official client on a store. The client's own class joins namespace and
 * name into a string for each requested object, which is then parsed again.
 *
 * @param <T> the model class
 */
final class StoreLister<T extends KubernetesObject> extends Lister<T> {

	private final StoreIndexer<T> indexer;

	private final String namespace;

	StoreLister(StoreIndexer<T> indexer, @Nullable String namespace) {
		super(indexer, namespace, Caches.NAMESPACE_INDEX);
		this.indexer = indexer;
		this.namespace = Objects.requireNonNullElse(namespace, "");
	}

	@Override
	public @Nullable T get(@Nullable String name) {
		if (this.namespace.isEmpty() || name == null) {
			return this.indexer.getByKey(name);
		}
		return this.indexer.snapshot().get(this.namespace, name);
	}

	@Override
	public Lister<T> namespace(@Nullable String namespace) {
		return new StoreLister<>(this.indexer, namespace);
	}

}
