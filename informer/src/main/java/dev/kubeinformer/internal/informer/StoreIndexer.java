package dev.kubeinformer.internal.informer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.informer.cache.Indexer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.types.ObjectKey;

/**
 * Indexer of the official client on a store. Each read uses one snapshot. A returned list
 * belongs to the caller, but is copied only at its first change. Writes are rejected.
 *
 * @param <T> the model class
 */
final class StoreIndexer<T extends KubernetesObject> implements Indexer<T> {

	private final ObjectStore<T> store;

	private final Runnable beforeRead;

	/**
	 * Creates the reader of a store.
	 * @param store the store
	 * @param beforeRead called before each read; may wait, or reject the read with an
	 * exception
	 */
	StoreIndexer(ObjectStore<T> store, Runnable beforeRead) {
		this.store = store;
		this.beforeRead = beforeRead;
	}

	/**
	 * Reads the content.
	 * @return the content at this moment
	 */
	StoreSnapshot<T> snapshot() {
		this.beforeRead.run();
		return this.store.snapshot();
	}

	@Override
	public List<T> list() {
		return new CopyOnFirstWriteList<>(snapshot().list());
	}

	@Override
	public List<String> listKeys() {
		// Copy, because a view would keep the objects alive while a caller keeps their
		// keys.
		return new ArrayList<>(snapshot().keys());
	}

	@Override
	public @Nullable T getByKey(@Nullable String key) {
		if (key == null) {
			return null;
		}
		ObjectKey parsed = ObjectKey.parse(key);
		return snapshot().get(parsed.namespace(), parsed.name());
	}

	@Override
	public @Nullable Object get(T object) {
		return getByKey(Caches.metaNamespaceKeyFunc(object));
	}

	@Override
	public List<T> byIndex(@Nullable String indexName, @Nullable String value) {
		return new CopyOnFirstWriteList<>(byIndex(snapshot(), indexName, value));
	}

	static <T> List<T> byIndex(StoreSnapshot<T> snapshot, @Nullable String indexName, @Nullable String value) {
		if (Caches.NAMESPACE_INDEX.equals(indexName)) {
			return hasNamespace(value) ? snapshot.list(namespace(value)) : Collections.emptyList();
		}
		List<T> found = (indexName != null) ? snapshot.byIndex(indexName, value) : null;
		if (found == null) {
			throw noSuchIndex(indexName, snapshot);
		}
		return found;
	}

	@Override
	public List<String> indexKeys(@Nullable String indexName, @Nullable String value) {
		StoreSnapshot<T> snapshot = snapshot();
		if (Caches.NAMESPACE_INDEX.equals(indexName)) {
			return hasNamespace(value) ? new ArrayList<>(snapshot.keys(namespace(value))) : new ArrayList<>();
		}
		List<String> keys = (indexName != null) ? snapshot.keysByIndex(indexName, value) : null;
		if (keys == null) {
			throw noSuchIndex(indexName, snapshot);
		}
		return new ArrayList<>(keys);
	}

	// Objects without a namespace have null; no object has an empty namespace.
	private static boolean hasNamespace(@Nullable String value) {
		return value == null || !value.isEmpty();
	}

	private static String namespace(@Nullable String value) {
		return (value != null) ? value : "";
	}

	@Override
	public List<T> index(@Nullable String indexName, T object) {
		Function<T, List<String>> function = (indexName != null) ? getIndexers().get(indexName) : null;
		StoreSnapshot<T> snapshot = snapshot();
		if (function == null) {
			throw noSuchIndex(indexName, snapshot);
		}
		Set<T> found = Collections.newSetFromMap(new IdentityHashMap<>());
		List<T> ordered = new ArrayList<>();
		for (String value : function.apply(object)) {
			byIndex(snapshot, indexName, value).stream().filter(found::add).forEach(ordered::add);
		}
		return ordered;
	}

	private static IllegalArgumentException noSuchIndex(@Nullable String indexName, StoreSnapshot<?> snapshot) {
		return new IllegalArgumentException(Stream
			.concat(Stream.of(Caches.NAMESPACE_INDEX), snapshot.indexNames().stream().sorted())
			.collect(Collectors.joining("', '", "There is no index named '%s', only '".formatted(indexName), "'")));
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
		// Each handler has its own resync; the store has none.
	}

	private static UnsupportedOperationException readOnly() {
		return new UnsupportedOperationException(
				"The cache of an informer only follows the API server; write to the API server instead");
	}

}
