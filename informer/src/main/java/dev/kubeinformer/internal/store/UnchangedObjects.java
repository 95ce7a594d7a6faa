package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Cached objects of a partition that a list contains in the same version. They are
 * recognised by the bytes of the list, and each is noted as one bit, in the order of the
 * pages of the store. So a list of unchanged objects leaves nothing else in memory, and
 * needs no second table.
 * <p>
 * The set refers to the objects that are cached when the list begins. Only the writer of
 * the partition changes them, and that writer is reading the list. Not thread-safe.
 *
 * @param <T> the model class
 */
public final class UnchangedObjects<T> {

	private final ObjectMarks<T> listed;

	private int size;

	/**
	 * Begins a list.
	 * @param snapshot the content of the store
	 * @param partition the partition
	 */
	public UnchangedObjects(StoreSnapshot<T> snapshot, String partition) {
		this.listed = new ObjectMarks<>(snapshot, partition);
	}

	/**
	 * Notes a listed object if it is stored in this version.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @param uid the UID
	 * @param resourceVersion the version
	 * @return {@code true} if the object is stored under the same UID and version, and
	 * both are known
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
	 * Forgets that the list contains an object in its stored version.
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
	 * Returns the stored object if it was noted.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return the object; {@code null} unless the list contains it in its stored version
	 */
	public @Nullable StoredObject<T> included(String namespace, String name) {
		TableMarks<T> marks = this.listed.in(namespace);
		int place = (marks != null) ? marks.place(name) : -1;
		return (marks != null && place >= 0 && marks.isMarked(place)) ? marks.object(place) : null;
	}

	/**
	 * Returns the number of noted objects.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns the objects of the partition that were not noted.
	 * @param present the current snapshot, which may have index functions that were added
	 * in the meantime
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
