package dev.kubeinformer.internal.store;

import java.util.BitSet;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Marks on the objects of a table: one bit each, in the order of the pages. Not
 * thread-safe.
 *
 * @param <T> the model class
 */
final class TableMarks<T> {

	private final String namespace;

	private final ObjectTable<T> table;

	/** Number of objects before each page. */
	private final int[] begins;

	private final BitSet marked;

	/**
	 * Creates marks that are all unset.
	 * @param namespace the namespace of the objects
	 * @param table the objects
	 */
	TableMarks(String namespace, ObjectTable<T> table) {
		this.namespace = namespace;
		this.table = table;
		this.begins = new int[table.pageCount()];
		int before = 0;
		for (int number = 0; number < this.begins.length; number++) {
			this.begins[number] = before;
			NamePage<T> page = table.page(number);
			before += (page != null) ? page.size() : 0;
		}
		this.marked = new BitSet(before);
	}

	String namespace() {
		return this.namespace;
	}

	/**
	 * Finds the position of an object.
	 * @param name the name of the object
	 * @return the position, negative if there is no such object
	 */
	int place(String name) {
		int hash = this.table.hashOf(name);
		int number = this.table.pageOf(hash);
		NamePage<T> page = this.table.page(number);
		return (page != null) ? place(number, page.find(hash, this.table.pageBits(), name)) : -1;
	}

	/**
	 * Finds the position of an object whose name is given as bytes.
	 * @param name the name of the object
	 * @return the position, negative if there is no such object or the name is not ASCII
	 */
	int place(TextBytes name) {
		int hash = this.table.hashOf(name);
		int number = this.table.pageOf(hash);
		NamePage<T> page = this.table.page(number);
		return (page != null) ? place(number, page.find(hash, this.table.pageBits(), name)) : -1;
	}

	private int place(int number, int at) {
		return (at >= 0) ? this.begins[number] + at : -1;
	}

	/**
	 * Returns an object.
	 * @param place the position of the object
	 * @return the object
	 */
	StoredObject<T> object(int place) {
		int low = 0;
		int high = this.begins.length - 1;
		// The last page that begins at or before the position is not empty.
		while (low < high) {
			int middle = (low + high + 1) >>> 1;
			if (this.begins[middle] <= place) {
				low = middle;
			}
			else {
				high = middle - 1;
			}
		}
		return entry(low, place);
	}

	private StoredObject<T> entry(int number, int place) {
		NamePage<T> page = this.table.page(number);
		if (page == null) {
			throw new IndexOutOfBoundsException(place);
		}
		return page.entry(place - this.begins[number]);
	}

	/**
	 * Marks an object.
	 * @param place the position of the object
	 * @return {@code true} if the object was not marked
	 */
	boolean mark(int place) {
		if (this.marked.get(place)) {
			return false;
		}
		this.marked.set(place);
		return true;
	}

	/**
	 * Removes a mark.
	 * @param place the position of the object
	 * @return {@code true} if the object was marked
	 */
	boolean unmark(int place) {
		if (!this.marked.get(place)) {
			return false;
		}
		this.marked.clear(place);
		return true;
	}

	boolean isMarked(int place) {
		return this.marked.get(place);
	}

	/**
	 * Visits the objects that are not marked.
	 * @param action the action for each object
	 */
	void forEachUnmarked(Consumer<? super StoredObject<T>> action) {
		for (int number = 0; number < this.begins.length; number++) {
			@Nullable NamePage<T> page = this.table.page(number);
			int size = (page != null) ? page.size() : 0;
			int end = this.begins[number] + size;
			for (int place = this.marked.nextClearBit(this.begins[number]); place < end; place = this.marked
				.nextClearBit(place + 1)) {
				action.accept(entry(number, place));
			}
		}
	}

}
