package dev.kubeinformer.internal.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Marks on the objects of a partition at one instant. Each mark is one bit, in the order
 * of the pages of the snapshot, so marks on a million objects take as much memory as a
 * few hundred objects. Not thread-safe.
 *
 * @param <T> the model class
 */
final class ObjectMarks<T> {

	private final StoreSnapshot<T> snapshot;

	private final String partition;

	/** Marks by namespace, for namespaces in which an object was looked up. */
	private final Map<String, TableMarks<T>> tables = new HashMap<>();

	/** Marks of the last namespace; lists are ordered by namespace. */
	private @Nullable TableMarks<T> last;

	/**
	 * Creates marks that are all unset.
	 * @param snapshot the content of the store
	 * @param partition the partition whose objects are marked
	 */
	ObjectMarks(StoreSnapshot<T> snapshot, String partition) {
		this.snapshot = snapshot;
		this.partition = partition;
	}

	/**
	 * Returns the marks of a namespace.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @return the marks; {@code null} if the partition has no object in it
	 */
	@Nullable TableMarks<T> in(String namespace) {
		TableMarks<T> present = this.last;
		if (present != null && present.namespace().equals(namespace)) {
			return present;
		}
		TableMarks<T> found = this.tables.get(namespace);
		if (found == null && (this.partition.isEmpty() || this.partition.equals(namespace))) {
			ObjectTable<T> table = this.snapshot.objects().get(namespace);
			found = (table != null) ? new TableMarks<>(namespace, table) : null;
			if (found != null) {
				this.tables.put(namespace, found);
			}
		}
		this.last = (found != null) ? found : present;
		return found;
	}

	/**
	 * Returns the marks of a namespace that is given as bytes.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @return the marks; {@code null} if the partition has no object in it
	 */
	@Nullable TableMarks<T> in(TextBytes namespace) {
		TableMarks<T> present = this.last;
		return (present != null && namespace.isAscii(present.namespace())) ? present : in(namespace.toString());
	}

	/**
	 * Marks an object if the partition holds it.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 */
	void mark(String namespace, String name) {
		TableMarks<T> marks = in(namespace);
		int place = (marks != null) ? marks.place(name) : -1;
		if (marks != null && place >= 0) {
			marks.mark(place);
		}
	}

	/**
	 * Returns whether an object is marked.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @return {@code true} if the object is marked
	 */
	boolean isMarked(String namespace, String name) {
		TableMarks<T> marks = in(namespace);
		int place = (marks != null) ? marks.place(name) : -1;
		return marks != null && place >= 0 && marks.isMarked(place);
	}

	/**
	 * Visits the objects of the partition that are not marked.
	 * @param action the action for each object
	 */
	void forEachUnmarked(Consumer<? super StoredObject<T>> action) {
		List<String> namespaces = this.partition.isEmpty() ? this.snapshot.namespaces() : List.of(this.partition);
		for (String namespace : namespaces) {
			TableMarks<T> marks = this.tables.get(namespace);
			ObjectTable<T> table = (marks != null) ? null : this.snapshot.objects().get(namespace);
			if (marks != null) {
				marks.forEachUnmarked(action);
			}
			else if (table != null) {
				table.forEach(action);
			}
		}
	}

}
