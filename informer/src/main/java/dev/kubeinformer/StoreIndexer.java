package dev.kubeinformer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.Indexer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.store.ObjectKey;
import dev.kubeinformer.store.ObjectStore;
import dev.kubeinformer.store.StoreSnapshot;

/**
 * A store in the form of the official client. Each read is one of one snapshot; writes
 * are refused.
 *
 * @param <T> the model class
 */
final class StoreIndexer<T extends KubernetesObject> implements Indexer<T> {

	private final ObjectStore<T> store;

	StoreIndexer(ObjectStore<T> store) {
		this.store = store;
	}

	@Override
	public List<T> list() {
		return this.store.snapshot().list();
	}

	@Override
	public List<String> listKeys() {
		return this.store.snapshot().keys();
	}

	@Override
	public @Nullable T getByKey(String key) {
		ObjectKey parsed = ObjectKey.parse(key);
		return this.store.snapshot().get(parsed.namespace(), parsed.name());
	}

	@Override
	public @Nullable Object get(T object) {
		return getByKey(Caches.metaNamespaceKeyFunc(object));
	}

	@Override
	public List<T> byIndex(String indexName, String value) {
		return new SnapshotView<>(this.store.snapshot()).byIndex(indexName, value);
	}

	@Override
	public List<String> indexKeys(String indexName, String value) {
		StoreSnapshot<T> snapshot = this.store.snapshot();
		if (indexName.equals(Caches.NAMESPACE_INDEX)) {
			return snapshot.keys(namespace(value));
		}
		List<String> keys = snapshot.keysByIndex(indexName, value);
		if (keys == null) {
			throw SnapshotView.noSuchIndex(indexName);
		}
		return keys;
	}

	@Override
	public List<T> index(String indexName, T object) {
		Function<T, List<String>> function = getIndexers().get(indexName);
		if (function == null) {
			throw SnapshotView.noSuchIndex(indexName);
		}
		SnapshotView<T> snapshot = new SnapshotView<>(this.store.snapshot());
		Set<T> found = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
		Set<T> ordered = new LinkedHashSet<>();
		for (String value : function.apply(object)) {
			for (T each : snapshot.byIndex(indexName, value)) {
				if (found.add(each)) {
					ordered.add(each);
				}
			}
		}
		return List.copyOf(ordered);
	}

	@Override
	public Map<String, Function<T, List<String>>> getIndexers() {
		Map<String, Function<T, List<String>>> all = new LinkedHashMap<>();
		all.put(Caches.NAMESPACE_INDEX, Caches::metaNamespaceIndexFunc);
		all.putAll(this.store.indexers());
		return Collections.unmodifiableMap(all);
	}

	@Override
	public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
		if (indexers.containsKey(Caches.NAMESPACE_INDEX)) {
			throw new IllegalArgumentException(
					"There is an index named '%s' already".formatted(Caches.NAMESPACE_INDEX));
		}
		this.store.addIndexers(indexers);
	}

	@Override
	public void add(T object) {
		throw readOnly();
	}

	@Override
	public void update(T object) {
		throw readOnly();
	}

	@Override
	public void delete(T object) {
		throw readOnly();
	}

	@Override
	public void replace(List<T> list, String resourceVersion) {
		throw readOnly();
	}

	@Override
	public void resync() {
		throw readOnly();
	}

	static String namespace(@Nullable String value) {
		return (value != null) ? value : "";
	}

	private static UnsupportedOperationException readOnly() {
		return new UnsupportedOperationException(
				"The cache of an informer follows the API server and nothing else; write to the API server instead");
	}

}
