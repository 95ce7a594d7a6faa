package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import kotlinx.collections.immutable.PersistentMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Collects the changes of a snapshot, so that they become visible together.
 *
 * @param <T> the model class
 */
final class SnapshotBuilder<T> {

	private final StoreSnapshot<T> base;

	private final Map<String, ObjectTable.Builder<T>> touched = new HashMap<>();

	private final List<SecondaryIndex.Builder<T>> indexes = new ArrayList<>();

	private final Map<String, SecondaryIndex.Builder<T>> indexesByName = new LinkedHashMap<>();

	private PersistentMap<String, String> versions;

	private PersistentMap<ObjectKey, UnreadableObject> unreadable;

	private final List<QuarantineChange<T>> quarantined = new ArrayList<>(0);

	private int size;

	SnapshotBuilder(StoreSnapshot<T> base) {
		this.base = base;
		this.size = base.size();
		this.versions = base.versions();
		this.unreadable = base.quarantine();
		// Loops here and in build(), because HotSpot would compile each method that is
		// passed to forEach once more, as a part of the collection's method.
		for (Map.Entry<String, SecondaryIndex<T>> each : base.indexes().entrySet()) {
			SecondaryIndex.Builder<T> builder = new SecondaryIndex.Builder<>(each.getKey(), each.getValue());
			this.indexes.add(builder);
			this.indexesByName.put(each.getKey(), builder);
		}
	}

	@Nullable StoredObject<T> get(String namespace, String name) {
		ObjectTable.Builder<T> inNamespace = this.touched.get(namespace);
		return (inNamespace != null) ? inNamespace.get(name) : this.base.find(namespace, name);
	}

	void put(StoredObject<T> stored) {
		StoredObject<T> before = namespace(stored.namespace()).put(stored);
		if (before == null) {
			this.size++;
		}
		for (SecondaryIndex.Builder<T> index : this.indexes) {
			if (before != null) {
				index.remove(before);
			}
			index.put(stored);
		}
	}

	void remove(StoredObject<T> stored) {
		StoredObject<T> before = namespace(stored.namespace()).remove(stored.name());
		if (before != null) {
			this.size--;
			for (SecondaryIndex.Builder<T> index : this.indexes) {
				index.remove(before);
			}
		}
	}

	void version(String partition, String resourceVersion) {
		this.versions = this.versions.put(partition, resourceVersion);
	}

	void removeVersion(String partition) {
		this.versions = this.versions.remove(partition);
	}

	/**
	 * Notes that an object cannot be read.
	 * @param object the readable part of the object
	 * @param firstList whether the object came with the first list of the partition
	 */
	void quarantine(UnreadableObject object, boolean firstList) {
		UnreadableObject before = this.unreadable.get(object.key());
		if (!object.equals(before)) {
			this.unreadable = this.unreadable.put(object.key(), object);
			this.quarantined.add(new QuarantineChange<>(before, object,
					get(object.key().namespace(), object.key().name()), false, firstList));
		}
	}

	/**
	 * Ends the quarantine of an object. It can be read again, or is gone according to a
	 * list, or its partition was removed.
	 * @param key the object; ignored unless it is quarantined
	 * @param firstList whether the first list of the partition ends the quarantine
	 */
	void release(ObjectKey key, boolean firstList) {
		release(key, false, firstList);
	}

	/**
	 * Ends the quarantine of an object because a watch reported that it is gone.
	 * @param key the object; ignored unless it is quarantined
	 */
	void gone(ObjectKey key) {
		release(key, true, false);
	}

	private void release(ObjectKey key, boolean gone, boolean firstList) {
		UnreadableObject before = this.unreadable.get(key);
		if (before != null) {
			this.unreadable = this.unreadable.remove(key);
			this.quarantined.add(
					new QuarantineChange<>(before, null, this.base.find(key.namespace(), key.name()), gone, firstList));
		}
	}

	/**
	 * Removes an unreadable object without a notification of the sinks.
	 * @param key the object
	 */
	void forgetUnreadable(ObjectKey key) {
		this.unreadable = this.unreadable.remove(key);
	}

	/**
	 * Forgets which version of an object could not be read, because the server's versions
	 * started over.
	 * @param key the object; ignored unless it is quarantined
	 */
	void forgetUnreadableVersion(ObjectKey key) {
		UnreadableObject before = this.unreadable.get(key);
		if (before != null && before == this.base.quarantine().get(key)) {
			this.unreadable = this.unreadable.put(key, before.withoutVersion());
		}
	}

	/**
	 * Returns the changes of unreadable objects.
	 * @return the changes
	 */
	List<QuarantineChange<T>> quarantined() {
		return this.quarantined;
	}

	/**
	 * Adds indexes over the current objects.
	 * @param names the names of the indexes
	 * @param indexed the objects with their index values, if these were computed by this
	 * change and not when the object was stored
	 */
	void addIndexes(Set<String> names, Map<StoredObject<T>, StoredObject<T>> indexed) {
		List<StoredObject<T>> all = new ArrayList<>(this.size);
		this.base.iterator().forEachRemaining((stored) -> all.add(indexed.getOrDefault(stored, stored)));
		all.forEach(this::put);
		names.forEach((name) -> addIndex(name, all));
	}

	private void addIndex(String name, List<StoredObject<T>> objects) {
		SecondaryIndex.Builder<T> builder = new SecondaryIndex.Builder<>(name, SecondaryIndex.empty());
		objects.forEach(builder::put);
		this.indexes.add(builder);
		this.indexesByName.put(name, builder);
	}

	StoreSnapshot<T> build() {
		Namespaces.Builder<T> objects = this.base.objects().builder();
		for (Map.Entry<String, ObjectTable.Builder<T>> each : this.touched.entrySet()) {
			if (each.getValue().isEmpty()) {
				objects.remove(each.getKey());
			}
			else {
				objects.put(each.getKey(), each.getValue().build());
			}
		}
		Map<String, SecondaryIndex<T>> indexes = new LinkedHashMap<>();
		for (Map.Entry<String, SecondaryIndex.Builder<T>> each : this.indexesByName.entrySet()) {
			indexes.put(each.getKey(), each.getValue().build());
		}
		return new StoreSnapshot<>(objects.build(), this.size, indexes.isEmpty() ? Map.of() : indexes, this.versions,
				this.unreadable);
	}

	private ObjectTable.Builder<T> namespace(String namespace) {
		return this.touched.computeIfAbsent(namespace, (key) -> {
			ObjectTable<T> existing = this.base.objects().get(key);
			return ((existing != null) ? existing : ObjectTable.<T>empty()).builder();
		});
	}

}
