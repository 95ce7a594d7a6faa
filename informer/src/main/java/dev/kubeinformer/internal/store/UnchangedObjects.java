package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Which objects of a partition a list holds in the version that is stored. They are found
 * by the bytes of the list and noted by a bit each, beside the pages of what is stored: a
 * list of what has not changed leaves nothing else behind, and there is no second table.
 * <p>
 * It is of the moment when the list begins. Only the one writer of the partition changes
 * what is in it, and that reads the list. Not thread-safe.
 *
 * @param <T> the model class
 */
public final class UnchangedObjects<T> {

	private final ObjectMarks<T> listed;

	private int size;

	/**
	 * Begins a list.
	 * @param snapshot what is stored
	 * @param partition the partition
	 */
	public UnchangedObjects(StoreSnapshot<T> snapshot, String partition) {
		this.listed = new ObjectMarks<>(snapshot, partition);
	}

	/**
	 * Notes an object that the list holds, if it is stored in this version.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @param uid the UID
	 * @param resourceVersion the version
	 * @return whether it is stored, by the same UID and version, both of which are known
	 */
	public boolean include(TextBytes namespace, TextBytes name, TextBytes uid, TextBytes resourceVersion) {
		if (uid.isEmpty() || resourceVersion.isEmpty()) {
			return false;
		}
		TableMarks<T> marks = this.listed.in(namespace);
		int place = (marks != null && namespace.isAscii(marks.namespace())) ? marks.place(name) : -1;
		if (marks == null || place < 0) {
			return false;
		}
		StoredObject<T> object = marks.object(place);
		boolean unchanged = uid.isAscii(object.uid()) && resourceVersion.isAscii(object.resourceVersion());
		if (unchanged && marks.mark(place)) {
			this.size++;
		}
		return unchanged;
	}

	/**
	 * Forgets that the list holds an object as it is stored.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 */
	public void exclude(String namespace, String name) {
		TableMarks<T> marks = this.listed.in(namespace);
		int place = (marks != null) ? marks.place(name) : -1;
		if (marks != null && place >= 0 && marks.unmark(place)) {
			this.size--;
		}
	}

	/**
	 * Returns what is stored of an object that was noted.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return the object; {@code null} if the list does not hold it as it is stored
	 */
	public @Nullable StoredObject<T> included(String namespace, String name) {
		TableMarks<T> marks = this.listed.in(namespace);
		int place = (marks != null) ? marks.place(name) : -1;
		return (marks != null && place >= 0 && marks.isMarked(place)) ? marks.object(place) : null;
	}

	/**
	 * Returns how many objects of the list were noted.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns what the partition holds beside them.
	 * @param present the snapshot at this moment, where index functions may have been
	 * added
	 * @return the other objects
	 */
	List<StoredObject<T>> others(StoreSnapshot<T> present) {
		List<StoredObject<T>> others = new ArrayList<>();
		this.listed.forEachUnmarked((object) -> {
			@Nullable StoredObject<T> stored = present.find(object.namespace(), object.name());
			if (stored != null) {
				others.add(stored);
			}
		});
		return others;
	}

}
