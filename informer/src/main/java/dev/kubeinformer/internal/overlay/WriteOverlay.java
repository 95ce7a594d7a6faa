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
 * Shows a reconciler the results of its own writes, until its cache (the store) shows
 * them.
 * <p>
 * <b>Problem.</b> The cache receives a change only by its watch, some time after the
 * response to the write. A run that reads the cache in this time would act on a state
 * from before its own write. If the run waited for the watch, it would delay everything
 * else.
 * <p>
 * <b>Idea.</b> The response of each write is kept by the key of its object, and a
 * {@link #snapshot()} shows it instead of the store's object. A {@link WriteWait} removes
 * the response as soon as the store has that version or a newer one, or the object was
 * deleted from the store. The removal happens under the lock of the store.
 * <p>
 * <b>Invariants.</b>
 * <ul>
 * <li>A reader reads the overlay before the store, so a write that is removed in between
 * is in the store. The reader ignores a write that the store already shows. So a reader
 * never sees an older state than before.</li>
 * <li>The overlay holds the newest version of each written object. It does not matter
 * which run has sent a write, or in which order the responses arrived.</li>
 * <li>The overlay accepts only versions that can be compared, because it must know when
 * the store has reached them.</li>
 * <li>A write is not removed because of its age: a store that does not show the write is
 * still older. The overlay holds at most {@value #MOST} objects. It rejects further
 * objects, and the run that has written them must wait for the store.</li>
 * <li>A partition is a part of the store that has its own list and watch, such as a
 * namespace. The writes of a partition are removed when the partition accepts an older
 * list, for example after a restore of the server, or is removed. All writes are removed
 * when the store stops.</li>
 * </ul>
 * A thread that holds the lock of the store may acquire the lock of the overlay, but
 * never the other way round. Safe for use by several threads.
 *
 * @param <T> the model class
 */
public final class WriteOverlay<T> {

	/**
	 * Maximum number of objects; enough for the runs of a thousand primaries with a few
	 * children each.
	 */
	static final int MOST = 4096;

	private final ObjectStore<T> store;

	private final Function<? super T, List<String>> values;

	private final LongSupplier nanoTime;

	/** Current content; read by any thread, changed under the lock. */
	private volatile WriteLayer<T> layer = WriteLayer.none();

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final Set<LaidWrite<T>> byAge = new LinkedHashSet<>();

	private final Map<ObjectKey, Set<LaidWrite<T>>> byWriter = new HashMap<>();

	/**
	 * Creates an empty overlay.
	 * @param store the store
	 * @param values returns the values of an object in all indexes that are queried
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
	 * @return the content of the store with the overlay
	 */
	public OverlaidSnapshot<T> snapshot() {
		// Read the overlay first: writes that the store now shows may be dropped at any
		// time.
		WriteLayer<T> present = this.layer;
		return new OverlaidSnapshot<>(this.store.snapshot(), present, this.store.indexers());
	}

	/**
	 * Adds an object that was created or changed.
	 * @param writer the key of the run
	 * @param partition the partition of the store to which the object belongs
	 * @param object the object as the store will hold it
	 * @return {@code true} if the overlay holds this state or a newer one; {@code false}
	 * if the caller must wait for the store
	 */
	public boolean lay(ObjectKey writer, String partition, StoredObject<T> object) {
		LaidWrite<T> write = new LaidWrite<>(writer, object.key(), object.uid(), object.resourceVersion(), object,
				this.values.apply(object.object()), this.nanoTime.getAsLong());
		write.wait = WriteWait.written(partition, write.key, write.version, false, () -> drop(write));
		return ResourceVersions.isOrdered(write.version) && lay(write);
	}

	/**
	 * Hides an object that was changed so that the store no longer selects it. The store
	 * may still show an earlier state of it.
	 * @param writer the key of the run
	 * @param partition the partition of the store to which the object would belong
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the version that the API server returned
	 * @return {@code true} if the overlay holds this state or a newer one
	 */
	public boolean layHidden(ObjectKey writer, String partition, ObjectKey key, String uid, String version) {
		LaidWrite<T> write = new LaidWrite<>(writer, key, uid, version, null, List.of(), this.nanoTime.getAsLong());
		write.hidden = true;
		write.wait = WriteWait.written(partition, key, version, false, () -> drop(write));
		return ResourceVersions.isOrdered(version) && lay(write);
	}

	/**
	 * Hides a deleted object.
	 * @param writer the key of the run
	 * @param partition the partition of the store to which the object belonged
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the newest known version of the object, which the store must have
	 * reached
	 * @return {@code true} if the overlay holds this state or a newer one; {@code false}
	 * if the caller must wait for the store
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
		// If the store already shows the write, this drops it.
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
	 * Returns an action that records that a run reads the current writes of its key.
	 * {@link #isEcho} depends on this record: a change is only an echo if a run has read
	 * the write from this overlay. With a lister, for example, it would have read the
	 * older state in the store.
	 * @param writer the key of the run
	 * @return the action
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
	 * Records that a run reads an object.
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
	 * Returns whether a change of the store is an echo: it shows only what a run of a key
	 * has already read from this overlay, so the key need not run again. May be called
	 * under the store's lock.
	 * @param writer the key of the run
	 * @param key the object
	 * @param uid the UID of the object
	 * @param version the version of the object after the change; {@code null} if the
	 * store no longer shows the object
	 * @return {@code true} if the change is an echo
	 */
	public boolean isEcho(ObjectKey writer, ObjectKey key, String uid, @Nullable String version) {
		LaidWrite<T> write = this.layer.get(key);
		if (write == null || !write.shown || !write.writer.equals(writer) || !write.uid.equals(uid)) {
			return false;
		}
		return (version != null) ? write.object != null && write.version.equals(version) : write.object == null;
	}

	/**
	 * Returns the number of objects in the overlay.
	 * @return the number
	 */
	public int size() {
		return this.layer.size();
	}

	/**
	 * Returns the number of objects that have been in the overlay for a while. Objects
	 * that the store no longer selects do not count, because there may be no event for
	 * them.
	 * @param nanos the minimum time in nanoseconds
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

	/** Drops all writes. */
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
