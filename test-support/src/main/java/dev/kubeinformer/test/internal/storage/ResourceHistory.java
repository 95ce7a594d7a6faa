package dev.kubeinformer.test.internal.storage;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.ObjectKey;

/**
 * Objects of one resource, and the changes that led to them. All methods except
 * {@link #listeners()} are called while the lock of the {@link RevisionLog} is held.
 */
final class ResourceHistory {

	private final int limit;

	private final LongSupplier nanoTime;

	private final NavigableMap<String, PersistedObject> objects = new TreeMap<>();

	private final Set<Runnable> listeners = new CopyOnWriteArraySet<>();

	// Objects of the latest read of a past revision, because each page of a list needs
	// them again.
	private SoftReference<Past> lastPast = new SoftReference<>(null);

	private Change base = Change.origin();

	private Change latest = this.base;

	ResourceHistory(int limit, LongSupplier nanoTime) {
		this.limit = limit;
		this.nanoTime = nanoTime;
	}

	@Nullable PersistedObject get(ObjectKey key) {
		return this.objects.get(key.path());
	}

	void put(PersistedObject object) {
		PersistedObject previous = this.objects.put(object.key().path(), object);
		append((previous != null) ? Change.Type.MODIFIED : Change.Type.ADDED, previous, object);
	}

	void seed(PersistedObject object) {
		this.objects.put(object.key().path(), object);
	}

	void remove(PersistedObject previous, PersistedObject last) {
		this.objects.remove(previous.key().path());
		append(Change.Type.DELETED, previous, last);
	}

	private void append(Change.Type type, @Nullable PersistedObject previous, PersistedObject object) {
		this.latest = this.latest.append(type, this.nanoTime.getAsLong(), previous, object);
		while (this.latest.sequence() - this.base.sequence() > this.limit) {
			Change next = this.base.next();
			if (next == null) {
				return;
			}
			this.base = next;
		}
	}

	/**
	 * Compacts all changes so far, so that their revisions can no longer be read.
	 */
	void compact() {
		this.base = this.latest;
		this.lastPast.clear();
	}

	// Oldest revision that can be read. Changes up to this revision are no longer known.
	long floor() {
		return this.base.revision();
	}

	Change latest() {
		return this.latest;
	}

	// Returns the last change at or before a revision, which must not be below floor().
	Change lastAt(long revision) {
		Change change = this.base;
		for (Change next = change.next(); next != null && next.revision() <= revision; next = change.next()) {
			change = next;
		}
		return change;
	}

	// Returns the objects of a namespace, or of all namespaces if it is empty, in the
	// order of their paths.
	List<PersistedObject> list(String namespace) {
		return new ArrayList<>(range(this.objects, namespace).values());
	}

	// Returns the objects at a revision, which must not be below floor(). The caller must
	// not change the list.
	List<PersistedObject> listAt(String namespace, long revision) {
		Past known = this.lastPast.get();
		if (known != null && known.revision() == revision && known.namespace().equals(namespace)) {
			return known.objects();
		}
		List<PersistedObject> objects = readAt(namespace, revision);
		this.lastPast = new SoftReference<>(new Past(namespace, revision, objects));
		return objects;
	}

	private List<PersistedObject> readAt(String namespace, long revision) {
		if (this.latest.revision() <= revision) {
			return list(namespace);
		}
		NavigableMap<String, PersistedObject> past = new TreeMap<>(this.objects);
		Set<String> restored = new HashSet<>();
		for (Change change = lastAt(revision).next(); change != null; change = change.next()) {
			String path = change.object().key().path();
			// The first change after the revision contains the state at the revision.
			if (restored.add(path)) {
				restore(past, path, change.previous());
			}
		}
		return new ArrayList<>(range(past, namespace).values());
	}

	private static void restore(NavigableMap<String, PersistedObject> past, String path,
			@Nullable PersistedObject state) {
		if (state != null) {
			past.put(path, state);
		}
		else {
			past.remove(path);
		}
	}

	private static NavigableMap<String, PersistedObject> range(NavigableMap<String, PersistedObject> objects,
			String namespace) {
		// '0' is the character after '/'.
		return (namespace.isEmpty()) ? objects : objects.subMap(namespace + "/", true, namespace + "0", false);
	}

	// Callbacks after a change; they must return quickly.
	Set<Runnable> listeners() {
		return this.listeners;
	}

	/**
	 * Objects at a past revision.
	 *
	 * @param namespace their namespace, empty for all
	 * @param revision the revision
	 * @param objects the objects
	 */
	private record Past(String namespace, long revision, List<PersistedObject> objects) {
	}

}
