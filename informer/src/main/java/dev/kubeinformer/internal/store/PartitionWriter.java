package dev.kubeinformer.internal.store;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.ListedPart;
import dev.kubeinformer.internal.slots.SlotList;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Writer of one partition of a store. The writer belongs to one epoch of the partition.
 * Once the epoch is over, the store rejects its writes.
 *
 * @param <T> the model class
 * @see ObjectStore#writer(String)
 */
public final class PartitionWriter<T> {

	private final ObjectStore<T> store;

	private final String partition;

	private final int epoch;

	PartitionWriter(ObjectStore<T> store, String partition, int epoch) {
		this.store = store;
		this.partition = partition;
		this.epoch = epoch;
	}

	String partition() {
		return this.partition;
	}

	int epoch() {
		return this.epoch;
	}

	/**
	 * Replaces the content of the partition by a complete list.
	 * @param objects the objects of the list
	 * @param unreadable identities of listed objects that could not be read
	 * @param keepMissing whether cached objects stay if the list does not contain them
	 * @param resourceVersion the version of the list
	 * @param regression whether the list is older than the cached state and was accepted
	 * anyway
	 * @return {@code true} if the content changed
	 * @see #replace(Collection, UnchangedObjects, Collection, boolean, String, boolean)
	 */
	public boolean replace(Collection<StoredObject<T>> objects, Collection<UnreadableObject> unreadable,
			boolean keepMissing, String resourceVersion, boolean regression) {
		return replace(objects, null, unreadable, keepMissing, resourceVersion, regression);
	}

	/**
	 * Replaces the content of the partition by a list, as one change. Objects of equal
	 * UID and version stay unchanged and are not delivered. Another UID under the same
	 * key is a deletion and an addition. Objects that the list does not contain are
	 * deleted. Sinks receive deletions first.
	 * @param objects the objects of the list, except those noted as unchanged
	 * @param unchanged the objects of the list that were noted as unchanged; {@code null}
	 * if there are none
	 * @param unreadable identities of listed objects that could not be read. Their cached
	 * state stays, unless its UID says that the object was recreated
	 * @param keepMissing whether cached objects stay if the list does not contain them,
	 * because the list held an object without a readable key
	 * @param resourceVersion the version of the list
	 * @param regression whether the list is older than the cached state and was accepted
	 * anyway. Versions then prove nothing, and objects are compared by content
	 * @return {@code true} if the content changed
	 * @throws IllegalArgumentException if {@code regression} is set and objects are noted
	 * as unchanged
	 */
	public boolean replace(Collection<StoredObject<T>> objects, @Nullable UnchangedObjects<T> unchanged,
			Collection<UnreadableObject> unreadable, boolean keepMissing, String resourceVersion, boolean regression) {
		return replace(objects, unchanged, unreadable, keepMissing, resourceVersion, regression, null);
	}

	/**
	 * Replaces the objects of some shard slots of the partition by a list. Objects of
	 * other slots do not change, and listed objects of slots that were lost meanwhile are
	 * ignored.
	 * @param objects the objects of the list, except those noted as unchanged
	 * @param unchanged the objects of the list that were noted as unchanged; {@code null}
	 * if there are none
	 * @param unreadable identities of listed objects that could not be read
	 * @param keepMissing whether cached objects stay if the list does not contain them
	 * @param resourceVersion the version of the list
	 * @param regression whether the list is older than the cached state and was accepted
	 * anyway
	 * @param list the shard slots of the list; {@code null} if the objects are not
	 * divided into shard slots
	 * @return {@code true} if the content changed
	 */
	public boolean replace(Collection<StoredObject<T>> objects, @Nullable UnchangedObjects<T> unchanged,
			Collection<UnreadableObject> unreadable, boolean keepMissing, String resourceVersion, boolean regression,
			@Nullable SlotList list) {
		if (regression && unchanged != null) {
			throw new IllegalArgumentException("Versions prove nothing");
		}
		Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>();
		StatusChanges<T> statusChanges = this.store.statusChanges(objects);
		AtomicBoolean changed = new AtomicBoolean();
		this.store.write(this, objects, indexed, () -> {
			StoreSnapshot<T> present = this.store.snapshot();
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(present);
			ListedPart part = part(list);
			Replacement<T> replacement = new Replacement<>(present, this.partition, objects, unchanged, regression,
					!this.store.hasFullState(), !this.store.isListed(this.partition), statusChanges, part);
			Collection<UnreadableObject> ofPart = unreadable.stream()
				.filter((each) -> part.contains(each.key().namespace(), each.uid()))
				.toList();
			if (!keepMissing) {
				replacement.removeMissing(builder, ofPart);
			}
			replacement.putListed(builder, indexed);
			quarantine(builder, withoutOutdated(builder, ofPart, regression), keepMissing, regression, part);
			builder.version(this.partition, (list != null) ? list.version(resourceVersion) : resourceVersion);
			this.store.publish(builder, replacement.deletes(), replacement.changes());
			if (list != null) {
				list.note(this.store.slots(), this.partition, resourceVersion);
			}
			changed.set(!replacement.deletes().isEmpty() || !replacement.changes().isEmpty()
					|| !builder.quarantined().isEmpty());
			this.store.listed(this.partition);
			// The list of a verification is also compared by content, but is not older.
			if (regression && !ResourceVersions.hasReached(resourceVersion, present.resourceVersion(this.partition))) {
				this.store.releaseWrites(this.partition);
			}
		});
		this.store.updateListedSlots();
		return changed.get();
	}

	private ListedPart part(@Nullable SlotList list) {
		return (list != null) ? list.part(this.store.slots(), this.partition) : ListedPart.WHOLE;
	}

	// Pages that are read live may contain an object before and after it was recreated:
	// ignore an unreadable state if the list contains a newer one.
	private static <T> Collection<UnreadableObject> withoutOutdated(SnapshotBuilder<T> builder,
			Collection<UnreadableObject> unreadable, boolean regression) {
		return (regression || unreadable.isEmpty()) ? unreadable : unreadable.stream().filter((object) -> {
			StoredObject<T> stored = builder.get(object.key().namespace(), object.key().name());
			return stored == null || !ResourceVersions.isOlder(object.resourceVersion(), stored.resourceVersion());
		}).toList();
	}

	private void quarantine(SnapshotBuilder<T> builder, Collection<UnreadableObject> unreadable, boolean keepMissing,
			boolean regression, ListedPart part) {
		boolean firstList = !this.store.isListed(this.partition);
		Map<ObjectKey, UnreadableObject> present = this.store.snapshot().unreadable();
		List<ObjectKey> before = this.store.unreadable(this.partition)
			.stream()
			.filter((key) -> part.contains(key.namespace(), Objects.requireNonNull(present.get(key)).uid()))
			.toList();
		if (!before.isEmpty()) {
			Set<ObjectKey> listed = unreadable.stream().map(UnreadableObject::key).collect(Collectors.toSet());
			before.stream()
				.filter((key) -> !listed.contains(key) && !(keepMissing && isMissing(builder, key)))
				.forEach((key) -> builder.release(key, firstList));
			if (regression) {
				before.forEach(builder::forgetUnreadableVersion);
			}
		}
		unreadable.stream()
			.filter((object) -> !object.key().name().isEmpty())
			.forEach((object) -> builder.quarantine(object, firstList));
	}

	// Returns whether the list contains no readable state of an object that was
	// quarantined before.
	private boolean isMissing(SnapshotBuilder<T> builder, ObjectKey key) {
		return builder.get(key.namespace(), key.name()) == this.store.snapshot().find(key.namespace(), key.name());
	}

	/**
	 * Notes that an added or changed object cannot be read. Its cached state stays,
	 * unless its UID says that the object was recreated. A version older than the cached
	 * one is ignored.
	 * @param object the readable part of the object
	 * @param version the new version of the partition
	 */
	public void quarantine(UnreadableObject object, String version) {
		this.store.write(this, List.of(), Map.of(), () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.store.snapshot());
			builder.version(this.partition, version);
			if (isOutdated(object.key(), object.resourceVersion())
					|| !isNews(object.key(), object.uid(), object.resourceVersion())) {
				this.store.publish(builder, List.of(), List.of());
				return;
			}
			StoredObject<T> cached = this.store.snapshot().find(object.key().namespace(), object.key().name());
			List<Delta<T>> deletes = List.of();
			if (cached != null && !object.isSameObjectAs(cached)) {
				builder.remove(cached);
				deletes = List.of(Delta.deleted(cached));
			}
			builder.quarantine(object, false);
			this.store.publish(builder, deletes, List.of());
		});
	}

	/**
	 * Stores an added or changed object. It is ignored unless it is newer than the cached
	 * state of the same object. If the cached object has another UID and a newer version,
	 * the received object is ignored, too: after a list whose pages were read live, a
	 * watch repeats changes of the object that had the name before.
	 * @param received the object
	 * @param version the new version of the partition
	 */
	public void put(StoredObject<T> received, String version) {
		Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>(1);
		StatusChanges<T> statusChanges = this.store.statusChanges(List.of(received));
		this.store.write(this, List.of(received), indexed, () -> {
			StoredObject<T> object = indexed.getOrDefault(received, received);
			StoredObject<T> before = this.store.snapshot().find(object.namespace(), object.name());
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.store.snapshot());
			builder.version(this.partition, version);
			if (isOutdated(object.key(), object.resourceVersion())
					|| !isNews(object.key(), object.uid(), object.resourceVersion())) {
				this.store.publish(builder, List.of(), List.of());
				return;
			}
			builder.release(object.key(), false);
			if (before != null && before.isSameObjectAs(object) && !isNewer(object, before)) {
				this.store.publish(builder, List.of(), List.of());
				return;
			}
			builder.put(object);
			if (before == null) {
				this.store.publish(builder, List.of(), List.of(Delta.added(object)));
			}
			else if (before.isSameObjectAs(object)) {
				this.store.publish(builder, List.of(),
						List.of(Delta.updated(before, object, statusChanges.contains(before, received))));
			}
			else {
				this.store.publish(builder, List.of(Delta.deleted(before)), List.of(Delta.added(object)));
			}
		});
	}

	/**
	 * Returns whether the cache still has to process an addition or a change of an
	 * object. A slot is a part of the objects of a resource.
	 * @param key the object
	 * @param uid the UID of the object, empty if unknown
	 * @param resourceVersion the version of the object
	 * @return {@code false} if this process does not hold the slot, or if the list of the
	 * slot showed the change; always {@code true} if the objects are not divided into
	 * slots
	 */
	public boolean isNews(ObjectKey key, String uid, String resourceVersion) {
		return this.store
			.bySlots((slots) -> slots.isNews(this.partition, slots.slotOf(key.namespace(), uid), resourceVersion));
	}

	// If an object of another slot has the name now, the cached object was deleted. So
	// check the slot of the cached object.
	private boolean isDeletionNews(DeletedObject deleted, @Nullable StoredObject<T> cached) {
		String uid = (cached != null) ? cached.uid() : deleted.uid();
		return this.store
			.bySlots((slots) -> slots.isDeletionNews(this.partition, slots.slotOf(deleted.key().namespace(), uid),
					deleted.resourceVersion(), (cached != null) ? cached.resourceVersion() : null));
	}

	private boolean isNewer(StoredObject<T> object, StoredObject<T> before) {
		return object.resourceVersion().isEmpty() || before.resourceVersion().isEmpty()
				|| !object.resourceVersion().equals(before.resourceVersion());
	}

	/**
	 * Returns whether a state is provably older than the cached or the unreadable state
	 * of the same key. The UIDs are not compared. Versions that cannot be compared prove
	 * nothing.
	 * @param key the object
	 * @param resourceVersion the version of the state
	 * @return {@code true} if the state is older
	 */
	public boolean isOutdated(ObjectKey key, String resourceVersion) {
		StoreSnapshot<T> snapshot = this.store.snapshot();
		StoredObject<T> cached = snapshot.find(key.namespace(), key.name());
		UnreadableObject unreadable = snapshot.quarantine().get(key);
		return (cached != null && ResourceVersions.isOlder(resourceVersion, cached.resourceVersion()))
				|| (unreadable != null && ResourceVersions.isOlder(resourceVersion, unreadable.resourceVersion()));
	}

	/**
	 * Returns whether a deletion concerns an object that had the same key before the
	 * cached or quarantined object.
	 * @param deleted the deletion
	 * @return {@code true} if the deletion is older and has another UID
	 */
	public boolean isOfAPredecessor(DeletedObject deleted) {
		StoreSnapshot<T> snapshot = this.store.snapshot();
		StoredObject<T> cached = snapshot.find(deleted.key().namespace(), deleted.key().name());
		UnreadableObject unreadable = snapshot.quarantine().get(deleted.key());
		return (cached != null && deleted.isOfAPredecessorOf(cached.uid(), cached.resourceVersion()))
				|| (unreadable != null && deleted.isOfAPredecessorOf(unreadable.uid(), unreadable.resourceVersion()));
	}

	/**
	 * Removes an object that was deleted or left the selection.
	 * @param deleted the object
	 * @param lastState the last state of the object; {@code null} if it could not be
	 * read, or to deliver the cached state
	 * @param finalStateUnknown whether the cached state may not be the last one
	 * @param version the new version of the partition
	 */
	public void remove(DeletedObject deleted, @Nullable StoredObject<T> lastState, boolean finalStateUnknown,
			String version) {
		this.store.write(this, List.of(), Map.of(), () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.store.snapshot());
			builder.version(this.partition, version);
			StoredObject<T> before = this.store.snapshot().find(deleted.key().namespace(), deleted.key().name());
			if (isOfAPredecessor(deleted) || !isDeletionNews(deleted, before)) {
				this.store.publish(builder, List.of(), List.of());
				return;
			}
			builder.gone(deleted.key());
			if (before == null) {
				this.store.publish(builder, List.of(), List.of());
				return;
			}
			builder.remove(before);
			boolean other = lastState != null && !before.isSameObjectAs(lastState);
			this.store.publish(builder, List.of(new Delta<>(Delta.Kind.DELETED, before, null, other ? null : lastState,
					false, finalStateUnknown || other)), List.of());
		});
	}

	/**
	 * Notes that this process does not hold a shard slot, so that the partition is
	 * complete without a list.
	 */
	public void nothingHeld() {
		this.store.write(this, List.of(), Map.of(), () -> {
			if (this.store.heldSlots().isEmpty()) {
				this.store.listed(this.partition);
			}
		});
		this.store.updateListedSlots();
	}

	/**
	 * Sets the version of the partition without a change of an object, after a bookmark.
	 * @param version the new version of the partition
	 */
	public void advance(String version) {
		this.store.write(this, List.of(), Map.of(), () -> {
			SnapshotBuilder<T> builder = new SnapshotBuilder<>(this.store.snapshot());
			builder.version(this.partition, version);
			this.store.publish(builder, List.of(), List.of());
		});
	}

}
