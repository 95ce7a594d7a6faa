package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Content of a store at one instant. Immutable.
 *
 * @param <T> the model class
 */
public final class StoreSnapshot<T> {

	private final Namespaces<T> objects;

	private final int size;

	private final Map<String, SecondaryIndex<T>> indexes;

	private final PersistentMap<String, String> versions;

	private final PersistentMap<ObjectKey, UnreadableObject> unreadable;

	StoreSnapshot(Namespaces<T> objects, int size, Map<String, SecondaryIndex<T>> indexes,
			PersistentMap<String, String> versions, PersistentMap<ObjectKey, UnreadableObject> unreadable) {
		this.objects = objects;
		this.size = size;
		this.indexes = indexes;
		this.versions = versions;
		this.unreadable = unreadable;
	}

	/**
	 * Returns one object.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return the object, or {@code null} if there is none
	 */
	public @Nullable T get(String namespace, String name) {
		ObjectTable<T> inNamespace = this.objects.get(namespace);
		return (inNamespace != null) ? inNamespace.object(name) : null;
	}

	/**
	 * Returns one object with its identity.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return the object, or {@code null} if there is none
	 */
	public @Nullable StoredObject<T> find(String namespace, String name) {
		ObjectTable<T> inNamespace = this.objects.get(namespace);
		return (inNamespace != null) ? inNamespace.get(name) : null;
	}

	/**
	 * Returns an object that cannot be read. Its last readable state, if there is one, is
	 * among the {@link #find objects}.
	 * @param key the key
	 * @return the readable part of the object; {@code null} if it can be read or does not
	 * exist
	 */
	public @Nullable UnreadableObject unreadable(ObjectKey key) {
		return this.unreadable.get(key);
	}

	/**
	 * Returns the objects that cannot be read.
	 * @return the objects by key; unmodifiable
	 */
	public Map<ObjectKey, UnreadableObject> unreadable() {
		return this.unreadable;
	}

	/**
	 * Returns whether the store holds objects and none of them can be read.
	 * @return {@code true} if all objects are unreadable
	 */
	public boolean isUnreadable() {
		if (this.unreadable.isEmpty() || this.size > this.unreadable.size()) {
			return false;
		}
		Iterator<StoredObject<T>> all = iterator();
		boolean found = false;
		while (all.hasNext() && !found) {
			found = !this.unreadable.containsKey(all.next().key());
		}
		return !found;
	}

	/**
	 * Returns all objects.
	 * @return an unmodifiable list that copies nothing
	 */
	public List<T> list() {
		return new PageList.OfObjects<>(this.objects.tables().values(), this.size);
	}

	/**
	 * Returns all objects of a namespace.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @return an unmodifiable list that copies nothing
	 */
	public List<T> list(String namespace) {
		ObjectTable<T> inNamespace = this.objects.get(namespace);
		return (inNamespace != null) ? new PageList.OfObjects<>(List.of(inNamespace), inNamespace.size())
				: Collections.emptyList();
	}

	/**
	 * Returns the keys of all objects, as {@code namespace/name} or {@code name}.
	 * @return an unmodifiable list that copies nothing
	 */
	public List<String> keys() {
		return new PageList.OfKeys<>(this.objects.tables().values(), this.size);
	}

	/**
	 * Returns the keys of all objects. The keys do not keep the objects alive.
	 * @return a new list
	 */
	List<ObjectKey> objectKeys() {
		List<ObjectKey> keys = new ArrayList<>(this.size);
		iterator().forEachRemaining((stored) -> keys.add(stored.key()));
		return keys;
	}

	/**
	 * Returns the namespaces that hold objects.
	 * @return an unmodifiable list
	 */
	public List<String> namespaces() {
		return this.objects.names();
	}

	/**
	 * Returns the keys of the objects of a namespace, as {@code namespace/name} or {@code
	 * name}.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @return an unmodifiable list that copies nothing
	 */
	public List<String> keys(String namespace) {
		ObjectTable<T> inNamespace = this.objects.get(namespace);
		return (inNamespace != null) ? new PageList.OfKeys<>(List.of(inNamespace), inNamespace.size())
				: Collections.emptyList();
	}

	/**
	 * Returns the objects for which a custom index function returned a value.
	 * @param indexName the name of the index
	 * @param value the value
	 * @return an unmodifiable list that copies nothing; {@code null} if there is no such
	 * index
	 */
	public @Nullable List<T> byIndex(String indexName, @Nullable String value) {
		SecondaryIndex<T> index = this.indexes.get(indexName);
		return (index != null) ? new MappedList<>(index.objects(value), StoredObject::object) : null;
	}

	/**
	 * Returns the objects for which a custom index function returned a value, with their
	 * identity.
	 * @param indexName the name of the index
	 * @param value the value
	 * @return the objects; empty also if there is no such index
	 */
	public Collection<StoredObject<T>> storedByIndex(String indexName, @Nullable String value) {
		SecondaryIndex<T> index = this.indexes.get(indexName);
		return (index != null) ? index.objects(value) : List.of();
	}

	/**
	 * Returns the keys of the objects for which a custom index function returned a value.
	 * @param indexName the name of the index
	 * @param value the value
	 * @return an unmodifiable list that copies nothing; {@code null} if there is no such
	 * index
	 */
	public @Nullable List<String> keysByIndex(String indexName, @Nullable String value) {
		SecondaryIndex<T> index = this.indexes.get(indexName);
		return (index != null) ? new MappedList<>(index.objects(value), (stored) -> stored.key().toString()) : null;
	}

	/**
	 * Returns the names of the custom indexes.
	 * @return the names
	 */
	public Set<String> indexNames() {
		return this.indexes.keySet();
	}

	/**
	 * Returns the number of objects.
	 * @return the size
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the number of the objects of a partition.
	 * @param partition the partition
	 * @return the size
	 */
	public int size(String partition) {
		if (partition.isEmpty()) {
			return this.size;
		}
		ObjectTable<T> inNamespace = this.objects.get(partition);
		return (inNamespace != null) ? inNamespace.size() : 0;
	}

	/**
	 * Returns the version of the content: the lowest of all partitions.
	 * @return the resourceVersion; empty until every partition has one
	 */
	public String resourceVersion() {
		Iterator<String> all = this.versions.values().iterator();
		String lowest = all.hasNext() ? all.next() : "";
		while (all.hasNext() && !lowest.isEmpty()) {
			String next = all.next();
			lowest = next.isEmpty() ? "" : ResourceVersions.oldest(lowest, next);
		}
		return lowest;
	}

	/**
	 * Returns the version of one partition.
	 * @param partition the partition
	 * @return the resourceVersion; empty before the first list
	 */
	public String resourceVersion(String partition) {
		String version = this.versions.get(partition);
		return (version != null) ? version : "";
	}

	/**
	 * Returns whether every partition has reached a version. Opaque versions have no
	 * order, so a partition reaches such a version only by having it.
	 * @param version the version
	 * @return {@code true} if the content is provably not older
	 */
	public boolean hasReached(String version) {
		return this.versions.values().stream().allMatch((each) -> ResourceVersions.hasReached(each, version));
	}

	/**
	 * Returns whether this snapshot contains a write: the partition has reached its
	 * version, or holds the object in that version.
	 * @param partition the partition
	 * @param key the object that was written
	 * @param version the version of the write
	 * @return {@code true} if the content is provably not older than the write
	 */
	public boolean hasReached(String partition, ObjectKey key, String version) {
		StoredObject<T> stored = find(key.namespace(), key.name());
		return ResourceVersions.hasReached(resourceVersion(partition), version)
				|| (stored != null && ResourceVersions.hasReached(stored.resourceVersion(), version));
	}

	/**
	 * Returns all objects with their identity, without a copy.
	 * @return an iterator that does not remove
	 */
	Iterator<StoredObject<T>> iterator() {
		return this.objects.tables()
			.values()
			.stream()
			.flatMap((inNamespace) -> StreamSupport.stream(inNamespace.spliterator(), false))
			.iterator();
	}

	/**
	 * Returns the objects of a partition with their identity.
	 * @param partition the partition
	 * @return an iterator that does not remove
	 */
	Iterator<StoredObject<T>> iterator(String partition) {
		if (partition.isEmpty()) {
			return iterator();
		}
		ObjectTable<T> inNamespace = this.objects.get(partition);
		return (inNamespace != null) ? inNamespace.iterator() : Collections.emptyIterator();
	}

	Namespaces<T> objects() {
		return this.objects;
	}

	Map<String, SecondaryIndex<T>> indexes() {
		return this.indexes;
	}

	PersistentMap<String, String> versions() {
		return this.versions;
	}

	PersistentMap<ObjectKey, UnreadableObject> quarantine() {
		return this.unreadable;
	}

}
