package dev.kubeinformer.internal.overlay;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * What writes of one reader made of objects, laid over a store until the store shows it.
 * <p>
 * <b>Problem.</b> An answer of the API server is newer than the cache until the watch has
 * brought it. Whoever reads the cache meanwhile acts on a state from before its own
 * write. Waiting for the watch holds back everything else that is to be done.
 * <p>
 * <b>Idea.</b> The answer of each write is kept by the key of its object, and a
 * {@link #snapshot()} shows it in place of what the store has. A {@link WriteWait} drops
 * it under the lock of the store, as soon as the store shows that version or a newer one,
 * or that the object is gone.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>What lies is read before the store is, and is passed over where the store shows it:
 * what was dropped in between is in the store. So a reader never goes back.</li>
 * <li>Of one object the newest answer lies, whoever has written it, and whenever it
 * came.</li>
 * <li>Only versions that have an order are laid: of others nobody can tell when the store
 * has passed them.</li>
 * <li>Nothing is dropped by its age, as the store is older until it shows it. At most
 * {@value #MOST} objects lie; more are refused, and their writer has to wait.</li>
 * <li>A partition that takes an older list (a server that was restored), or is removed,
 * and a store that stops drop what lies over them.</li>
 * </ul>
 * The lock is taken under that of the store, never the reverse. Safe for use by several
 * threads.
 *
 * @param <T> the model class
 */
public final class WriteOverlay<T> {

	/** A run of a thousand objects, with the answers of some children each. */
	static final int MOST = 4096;

	private final ObjectStore<T> store;

	private final Function<? super T, List<String>> values;

	private final LongSupplier nanoTime;

	/** Read by any thread, changed under the lock. */
	private volatile WriteLayer<T> layer = WriteLayer.none();

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final Set<LaidWrite<T>> byAge = new LinkedHashSet<>();

	private final Map<ObjectKey, Set<LaidWrite<T>>> byWriter = new HashMap<>();

	/**
	 * Creates an overlay on which nothing lies.
	 * @param store the store
	 * @param values the values of all indexes that are asked for
	 * @param nanoTime the clock
	 */
	public WriteOverlay(ObjectStore<T> store, Function<? super T, List<String>> values, LongSupplier nanoTime) {
		this.store = store;
		this.values = values;
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the store.
	 * @return the store
	 */
	public ObjectStore<T> store() {
		return this.store;
	}

	/**
	 * Returns the content at this moment.
	 * @return the content of the store, and what lies over it
	 */
	public OverlaidSnapshot<T> snapshot() {
		// First: what the store has come to show may be dropped at any time.
		WriteLayer<T> present = this.layer;
		return new OverlaidSnapshot<>(this.store.snapshot(), present, this.store.indexers());
	}

	/**
	 * Lays an object that was created or changed.
	 * @param writer the key of the run
	 * @param partition the partition that will show it
	 * @param object the object, as the store will hold it
	 * @return whether it lies, or something newer does; {@code false} if it is to be
	 * waited for
	 */
	public boolean lay(ObjectKey writer, String partition, StoredObject<T> object) {
		LaidWrite<T> write = new LaidWrite<>(writer, object.key(), object.uid(), object.resourceVersion(), object,
				this.values.apply(object.object()), this.nanoTime.getAsLong());
		write.wait = WriteWait.written(partition, write.key, write.version, false, () -> drop(write));
		return ResourceVersions.isOrdered(write.version) && lay(write);
	}

	/**
	 * Lays the absence of an object that was changed so that the store shows it no more.
	 * The store may be about to show an earlier state of it.
	 * @param writer the key of the run
	 * @param partition the partition that would show it
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the version that the API server returned
	 * @return whether it lies, or something newer does
	 */
	public boolean layHidden(ObjectKey writer, String partition, ObjectKey key, String uid, String version) {
		LaidWrite<T> write = new LaidWrite<>(writer, key, uid, version, null, List.of(), this.nanoTime.getAsLong());
		write.hidden = true;
		write.wait = WriteWait.written(partition, key, version, false, () -> drop(write));
		return ResourceVersions.isOrdered(version) && lay(write);
	}

	/**
	 * Lays the absence of an object that is gone.
	 * @param writer the key of the run
	 * @param partition the partition that held it
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the newest known version of the object, of which the store must not
	 * be older
	 * @return whether it lies, or something newer does; {@code false} if it is to be
	 * waited for
	 */
	public boolean layDeleted(ObjectKey writer, String partition, ObjectKey key, String uid, String version) {
		if (uid.isEmpty() || !ResourceVersions.isOrdered(version)) {
			return false;
		}
		LaidWrite<T> present = this.layer.get(key);
		String newest = (present != null && present.uid.equals(uid)) ? ResourceVersions.newest(present.version, version)
				: version;
		LaidWrite<T> write = new LaidWrite<>(writer, key, uid, newest, null, List.of(), this.nanoTime.getAsLong());
		write.deletion = true;
		write.wait = WriteWait.deleted(partition, key, uid, newest, false, () -> drop(write));
		return lay(write);
	}

	private boolean lay(LaidWrite<T> write) {
		LaidWrite<T> earlier;
		this.lock.lock();
		try {
			earlier = this.layer.get(write.key);
			if (earlier != null && earlier.isNewerThan(write)) {
				return true;
			}
			if (earlier == null && this.byAge.size() >= MOST) {
				return false;
			}
			if (earlier != null) {
				remove(earlier);
			}
			this.layer = this.layer.with(write);
			this.byAge.add(write);
			this.byWriter.computeIfAbsent(write.writer, (writer) -> new HashSet<>(4)).add(write);
		}
		finally {
			this.lock.unlock();
		}
		// It may be shown by now, and is dropped then.
		this.store.whenSeen(write.until());
		if (earlier != null) {
			this.store.forget(earlier.until());
		}
		return true;
	}

	private void drop(LaidWrite<T> write) {
		this.lock.lock();
		try {
			if (this.byAge.contains(write)) {
				remove(write);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void remove(LaidWrite<T> write) {
		this.layer = this.layer.without(write);
		this.byAge.remove(write);
		this.byWriter.computeIfPresent(write.writer, (writer, writes) -> {
			writes.remove(write);
			return writes.isEmpty() ? null : writes;
		});
	}

	/**
	 * Returns how to note that a run reads what lies now of the writes of its key. Only
	 * what is read makes a change of the store an echo: a run may read the store alone,
	 * by a lister.
	 * @param writer the key of the run
	 * @return notes it when it is run
	 */
	public Runnable showing(ObjectKey writer) {
		if (this.layer.isEmpty()) {
			return () -> {
			};
		}
		this.lock.lock();
		try {
			List<LaidWrite<T>> laid = List.copyOf(this.byWriter.getOrDefault(writer, Set.of()));
			return () -> show(laid);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void show(Collection<LaidWrite<T>> laid) {
		this.lock.lock();
		try {
			laid.forEach((write) -> write.shown = true);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that a run reads an object.
	 * @param writer the key of the run
	 * @param key the object
	 */
	public void shownTo(ObjectKey writer, ObjectKey key) {
		LaidWrite<T> write = this.layer.get(key);
		if (write != null && write.writer.equals(writer)) {
			show(List.of(write));
		}
	}

	/**
	 * Returns whether a change of the store is what a run of a key has been given
	 * already, so that it is none for that key. May be called under the store's lock.
	 * @param writer the key
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the version that it has since the change; {@code null} if the store
	 * shows it no more
	 * @return whether it is
	 */
	public boolean isEcho(ObjectKey writer, ObjectKey key, String uid, @Nullable String version) {
		LaidWrite<T> write = this.layer.get(key);
		if (write == null || !write.shown || !write.writer.equals(writer) || !write.uid.equals(uid)) {
			return false;
		}
		return (version != null) ? write.object != null && write.version.equals(version) : write.object == null;
	}

	/**
	 * Returns how many objects lie.
	 * @return the number
	 */
	public int size() {
		return this.layer.size();
	}

	/**
	 * Returns how many objects lie for a while, without those that the store hides: of
	 * them no event may come.
	 * @param nanos how long at least, in nanoseconds
	 * @return the number
	 */
	public int sizeAfter(long nanos) {
		long now = this.nanoTime.getAsLong();
		int number = 0;
		this.lock.lock();
		try {
			for (LaidWrite<T> write : this.byAge) {
				if (now - write.since < nanos) {
					break;
				}
				number += write.hidden ? 0 : 1;
			}
		}
		finally {
			this.lock.unlock();
		}
		return number;
	}

	/**
	 * Drops all that lies.
	 */
	public void clear() {
		List<LaidWrite<T>> dropped;
		this.lock.lock();
		try {
			dropped = List.copyOf(this.byAge);
			dropped.forEach(this::remove);
		}
		finally {
			this.lock.unlock();
		}
		dropped.forEach((write) -> this.store.forget(write.until()));
	}

}
