package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.ListedPart;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Difference between the content of a partition and a new list of the same objects.
 *
 * @param <T> the model class
 */
final class Replacement<T> {

	private final StoreSnapshot<T> before;

	private final String partition;

	private final Collection<StoredObject<T>> listed;

	private final @Nullable UnchangedObjects<T> unchanged;

	private final boolean regression;

	private final boolean initial;

	private final boolean firstList;

	private final StatusChanges<T> statusChanges;

	private final ListedPart part;

	private final List<Delta<T>> deletes = new ArrayList<>();

	private final List<Delta<T>> changes = new ArrayList<>();

	Replacement(StoreSnapshot<T> before, String partition, Collection<StoredObject<T>> listed,
			@Nullable UnchangedObjects<T> unchanged, boolean regression, boolean initial, boolean firstList,
			StatusChanges<T> statusChanges, ListedPart part) {
		this.part = part;
		this.before = before;
		this.partition = partition;
		this.listed = newest(listed);
		this.unchanged = unchanged;
		this.regression = regression;
		this.initial = initial;
		this.firstList = firstList;
		this.statusChanges = statusChanges;
	}

	List<Delta<T>> deletes() {
		return this.deletes;
	}

	List<Delta<T>> changes() {
		return this.changes;
	}

	/**
	 * Removes the objects that the list does not contain.
	 * @param builder the change
	 * @param unreadable the listed objects that could not be read: their cached state
	 * stays, unless two known UIDs say that the object was recreated
	 */
	void removeMissing(SnapshotBuilder<T> builder, Collection<UnreadableObject> unreadable) {
		if (this.before.size() == 0) {
			return;
		}
		ObjectMarks<T> present = listedObjects();
		Map<ObjectKey, String> unreadableUids = unreadable.stream()
			.collect(Collectors.toMap(UnreadableObject::key, UnreadableObject::uid,
					(first, second) -> first.equals(second) ? first : ""));
		notKnownToBeListed().forEachRemaining((object) -> {
			if (isInPart(object) && !present.isMarked(object.namespace(), object.name())
					&& !isPresent(object, unreadableUids)) {
				this.deletes.add(listed(Delta.deleted(object)));
				builder.remove(object);
			}
		});
	}

	private boolean isInPart(StoredObject<?> object) {
		return this.part.contains(object.namespace(), object.uid());
	}

	private static boolean isPresent(StoredObject<?> cached, Map<ObjectKey, String> unreadableUids) {
		@Nullable String unreadableUid = unreadableUids.isEmpty() ? null : unreadableUids.get(cached.key());
		return unreadableUid != null
				&& (unreadableUid.isEmpty() || cached.uid().isEmpty() || unreadableUid.equals(cached.uid()));
	}

	/**
	 * Stores the listed objects that differ from the cached ones.
	 * @param builder the change
	 * @param indexed the listed objects with their index values, if there are any
	 */
	void putListed(SnapshotBuilder<T> builder, Map<StoredObject<T>, StoredObject<T>> indexed) {
		if (this.regression && this.before.size() > 0) {
			removeVersions(builder);
		}
		for (StoredObject<T> received : this.listed) {
			StoredObject<T> object = indexed.getOrDefault(received, received);
			StoredObject<T> known = builder.get(object.namespace(), object.name());
			if (!isInPart(object) || isSuperseded(object) || isBehind(object, known)) {
				continue;
			}
			if (known != null && known.isSameObjectAs(object) && isUnchanged(known, object)) {
				continue;
			}
			builder.put(object);
			if (known != null && known.isSameObjectAs(object)) {
				this.changes.add(listed(Delta.updated(known, object, this.statusChanges.contains(known, received))));
				continue;
			}
			if (known != null) {
				this.deletes.add(listed(Delta.deleted(known)));
			}
			this.changes.add(listed(Delta.added(object)));
		}
	}

	// Returns whether the list also contains the newer cached object of that key, because
	// its pages were read live. If the list contains only the older object, the list is
	// right: the server may have been restored from a backup.
	private boolean isSuperseded(StoredObject<T> object) {
		@Nullable StoredObject<T> included = (this.unchanged != null) ? this.unchanged.included(object.namespace(), object.name())
				: null;
		return included != null && ResourceVersions.isOlder(object.resourceVersion(), included.resourceVersion());
	}

	// Returns whether the watch of the other slots has already shown a newer object of
	// the same name in another slot.
	private boolean isBehind(StoredObject<T> object, @Nullable StoredObject<T> known) {
		return this.part.isGain() && known != null
				&& ResourceVersions.isOlder(object.resourceVersion(), known.resourceVersion());
	}

	private Delta<T> listed(Delta<T> delta) {
		StoredObject<T> subject = delta.subject();
		boolean fresh = this.part.isFresh(subject.namespace(), subject.uid());
		return delta.listed(this.initial || fresh, this.firstList || fresh);
	}

	/**
	 * Removes the versions of cached objects that stay without being listed, because the
	 * server went back to an older state. Such an object then accepts any next version.
	 * @param builder the change
	 */
	private void removeVersions(SnapshotBuilder<T> builder) {
		ObjectMarks<T> present = listedObjects();
		cached().forEachRemaining((object) -> {
			if (isInPart(object) && !present.isMarked(object.namespace(), object.name())
					&& builder.get(object.namespace(), object.name()) != null) {
				builder.put(object.withoutVersion());
			}
		});
	}

	// Marks cached objects instead of collecting keys, which would be large for many
	// objects.
	private ObjectMarks<T> listedObjects() {
		ObjectMarks<T> marks = new ObjectMarks<>(this.before, this.partition);
		// A listed object of a lost slot does not keep the cached object of the same
		// name.
		this.listed.stream().filter(this::isInPart).forEach((object) -> marks.mark(object.namespace(), object.name()));
		return marks;
	}

	private Iterator<StoredObject<T>> notKnownToBeListed() {
		return (this.unchanged != null) ? this.unchanged.others(this.before).iterator() : cached();
	}

	private Iterator<StoredObject<T>> cached() {
		return this.before.iterator(this.partition);
	}

	private boolean isUnchanged(StoredObject<T> known, StoredObject<T> object) {
		if (this.regression) {
			return known.resourceVersion().equals(object.resourceVersion())
					&& (known.object() == object.object() || known.hasContent(object.object()));
		}
		return !known.resourceVersion().isEmpty() && known.resourceVersion().equals(object.resourceVersion());
	}

	/**
	 * Returns the objects of a list with each key once. If a key has several states, the
	 * newest is returned, or the last one if their versions cannot be compared. A server
	 * that reads each page live, without the snapshot of the first one, may list an
	 * object before and after it was recreated.
	 * @param <T> the model class
	 * @param listed the objects of the list
	 * @return the same collection if each key is unique
	 */
	private static <T> Collection<StoredObject<T>> newest(Collection<StoredObject<T>> listed) {
		if (isInOrder(listed)) {
			return listed;
		}
		Map<ObjectKey, StoredObject<T>> newest = new LinkedHashMap<>(listed.size() * 2);
		for (StoredObject<T> object : listed) {
			newest.merge(object.key(), object,
					(before, next) -> ResourceVersions.isOlder(next.resourceVersion(), before.resourceVersion())
							? before : next);
		}
		return (newest.size() == listed.size()) ? listed : newest.values();
	}

	// Most lists are in the order of etcd's keys. This order proves without a table of
	// keys that each key is unique.
	private static boolean isInOrder(Collection<? extends StoredObject<?>> listed) {
		Set<String> namespaces = new HashSet<>();
		String namespace = null;
		String name = "";
		for (StoredObject<?> object : listed) {
			boolean same = object.namespace().equals(namespace);
			if (same ? object.name().compareTo(name) <= 0 : !namespaces.add(object.namespace())) {
				return false;
			}
			namespace = object.namespace();
			name = object.name();
		}
		return true;
	}

}
