package dev.kubeinformer.internal.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;

/**
 * Iteration over the objects of a store that continues while the store changes. An object
 * that exists throughout is visited once. An object that is added or removed meanwhile
 * may be skipped. Between two steps, the walk does not keep objects or a snapshot in
 * memory. It keeps only the namespaces that existed at the beginning, and the last
 * visited name.
 * <p>
 * The objects of a namespace are visited in the order of the hashes of their names. This
 * order does not depend on the size of the table. The order changes once, if the table
 * switches to an unpredictable hash.
 *
 * @param <T> the model class
 * @see ObjectStore#walk()
 */
public final class StoreWalk<T> {

	private final List<String> namespaces;

	/** Position of the current namespace. */
	private int namespace;

	/** Hash function that the current namespace used at the last step. */
	private @Nullable NameHash names;

	/** Last visited name, in the current order of the namespace. */
	private @Nullable String last;

	/** Last name visited before the order changed. */
	private @Nullable String lastBefore;

	StoreWalk(List<String> namespaces) {
		this.namespaces = namespaces;
	}

	/**
	 * Returns the next object. Further calls return the same object until it was
	 * {@link #passed} or the content changes.
	 * @param snapshot the current content
	 * @return the object; {@code null} at the end
	 */
	@Nullable StoredObject<T> next(StoreSnapshot<T> snapshot) {
		while (this.namespace < this.namespaces.size()) {
			ObjectTable<T> table = snapshot.objects().get(this.namespaces.get(this.namespace));
			StoredObject<T> next = (table != null && isContinued(table)) ? next(table) : null;
			if (next != null) {
				return next;
			}
			this.namespace++;
			this.names = null;
			this.last = null;
			this.lastBefore = null;
		}
		return null;
	}

	/**
	 * Notes that an object was visited.
	 * @param object the last result of {@link #next}
	 */
	void passed(StoredObject<T> object) {
		this.last = object.name();
	}

	private boolean isContinued(ObjectTable<T> table) {
		NameHash present = table.names();
		if (present == this.names) {
			return true;
		}
		if (this.names != null) {
			// The namespace was empty meanwhile, so all of its objects are new.
			return false;
		}
		this.names = present;
		this.lastBefore = this.last;
		this.last = null;
		return true;
	}

	private @Nullable StoredObject<T> next(ObjectTable<T> table) {
		int number = 0;
		int at = 0;
		String name = this.last;
		if (name != null) {
			int hash = table.hashOf(name);
			number = table.pageOf(hash);
			NamePage<T> page = table.page(number);
			at = (page != null) ? page.behind(hash, table.pageBits(), name) : 0;
		}
		for (; number < table.pageCount(); number++) {
			NamePage<T> page = table.page(number);
			for (; page != null && at < page.size(); at++) {
				StoredObject<T> object = page.entry(at);
				if (!wasMetBefore(object.name())) {
					return object;
				}
			}
			at = 0;
		}
		return null;
	}

	private boolean wasMetBefore(String name) {
		String bound = this.lastBefore;
		if (bound == null) {
			return false;
		}
		int byHash = Integer.compareUnsigned(ObjectTable.hash(name), ObjectTable.hash(bound));
		return byHash < 0 || (byHash == 0 && name.compareTo(bound) <= 0);
	}

}
