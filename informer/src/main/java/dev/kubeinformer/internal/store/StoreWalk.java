package dev.kubeinformer.internal.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;

/**
 * Walk over the objects of a store that goes on while the store changes. What is there
 * all the time is met once; what comes or goes meanwhile may be met or not. Between two
 * steps it holds no object and no snapshot: only the names of the namespaces that there
 * were at the beginning, and the name that it met last.
 * <p>
 * The objects of a namespace are in the order of the hashes of their names, however large
 * their table is. It has another order once its names are spread, which happens once.
 *
 * @param <T> the model class
 * @see ObjectStore#walk()
 */
public final class StoreWalk<T> {

	private final List<String> namespaces;

	/** The number of the present one. */
	private int namespace;

	/** What hashes the names of the present namespace, as it was met last. */
	private @Nullable NameHash names;

	/** The name that was met last, in the present order of the namespace. */
	private @Nullable String last;

	/** The name that was met last before the order changed. */
	private @Nullable String lastBefore;

	StoreWalk(List<String> namespaces) {
		this.namespaces = namespaces;
	}

	/**
	 * Returns the next object, which is the same until it was {@link #passed} or the
	 * content changes.
	 * @param snapshot the content at this moment
	 * @return the object, or {@code null} at the end
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
	 * Notes that an object was met.
	 * @param object the one that was {@link #next} last
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
			// It became empty meanwhile: what it holds is new.
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
