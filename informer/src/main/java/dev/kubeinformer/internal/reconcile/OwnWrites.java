package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.OwnWritesWait;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Writes of the runs of one reconciler that its caches do not show yet. Their responses
 * are part of the overlays, which the runs of all keys read; otherwise runs would act on
 * an older state. Some responses cannot be put into an overlay, because only their
 * metadata is known, or because it is unknown whether the cache selects the object. For
 * these, the next run of the same key waits.
 * <p>
 * A key whose next run waits is called parked. A write that a run may wait for is
 * registered with the store when it is recorded, even if no key is parked. It is dropped
 * when the store shows it. If an object is written several times, only the last write
 * counts. No method may be called under the lock of a queue.
 */
public final class OwnWrites {

	private final List<OwnWriteSource<?>> sources;

	private final OwnVersions versions;

	private final long kept;

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	// Guarded by the lock.

	private final Map<ObjectKey, Map<OwnWrite.Place, OwnWrite>> byPrimary = new HashMap<>();

	/** Writes in the order in which they were recorded. */
	private final LinkedHashSet<OwnWrite> byAge = new LinkedHashSet<>();

	/**
	 * Creates an instance for a reconciler, without writes.
	 * @param sources the caches of the primary, the owned and the watched objects; writes
	 * that none of them shows are ignored
	 * @param versions receives the versions of the writes
	 * @param kept the time for which an unseen write is awaited; it must be longer than a
	 * run and a wait together
	 * @param nanoTime the clock
	 */
	public OwnWrites(List<OwnWriteSource<?>> sources, OwnVersions versions, Duration kept, LongSupplier nanoTime) {
		this.sources = List.copyOf(sources);
		this.versions = versions;
		this.kept = kept.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Records that a run created or changed an object.
	 * @param primary the key of the primary of the run
	 * @param type the resource of the object
	 * @param returned the object as the API server returned it
	 * @throws IllegalArgumentException if the object has no version
	 */
	public void written(ObjectKey primary, ResourceType<?> type, KubernetesObject returned) {
		ObjectKey key = ObjectKey.of(returned);
		String version = versionOf(returned);
		if (version.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' '%s' has no resourceVersion to wait for; pass the object that the API server returned from the write"
						.formatted(type.kind(), key));
		}
		this.versions.received(uidOf(returned), version);
		for (OwnWriteSource<?> source : this.sources) {
			String partition = source.partitionOf(type, returned);
			if (partition != null && source.lay(primary, type, returned, partition)) {
				laid(primary, new OwnWrite.Place(source, key), version);
			}
			else if (partition != null) {
				boolean hidden = source.hides(returned);
				record(primary, new OwnWrite.Place(source, key), version,
						(write) -> WriteWait.written(partition, key, write.version, hidden, () -> seen(write)));
			}
		}
	}

	/**
	 * Records that a run deleted an object. It may still exist, for example because of a
	 * finalizer.
	 * @param primary the key of the primary of the run
	 * @param type the resource of the object
	 * @param last the last known state of the object
	 */
	public void deleted(ObjectKey primary, ResourceType<?> type, KubernetesObject last) {
		deleted(primary, type, last, false);
	}

	/**
	 * Records that a run deleted an object, and that it no longer exists.
	 * @param primary the key of the primary of the run
	 * @param type the resource of the object
	 * @param last the last known state of the object
	 */
	public void gone(ObjectKey primary, ResourceType<?> type, KubernetesObject last) {
		deleted(primary, type, last, true);
	}

	/**
	 * Records that a run deleted an object, and that it still exists, for example because
	 * of a finalizer.
	 * @param primary the key of the primary of the run
	 * @param type the resource of the object
	 * @param rest the object as the API server returned it
	 */
	public void deleting(ObjectKey primary, ResourceType<?> type, KubernetesObject rest) {
		this.versions.received(uidOf(rest), KeyCause.DELETED);
		written(primary, type, rest);
	}

	private void deleted(ObjectKey primary, ResourceType<?> type, KubernetesObject last, boolean gone) {
		ObjectKey key = ObjectKey.of(last);
		String uid = uidOf(last);
		String version = versionOf(last);
		if (!version.isEmpty()) {
			this.versions.received(uid, version);
		}
		this.versions.received(uid, KeyCause.DELETED);
		for (OwnWriteSource<?> source : this.sources) {
			String partition = source.partitionOf(type, last);
			if (partition != null && gone && source.layDeleted(primary, last, partition)) {
				laid(primary, new OwnWrite.Place(source, key), version);
			}
			else if (partition != null) {
				boolean hidden = source.hides(last);
				record(primary, new OwnWrite.Place(source, key), version,
						(write) -> WriteWait.deleted(partition, key, uid, write.version, hidden, () -> seen(write)));
			}
		}
	}

	/**
	 * Notes a write that no cache of this reconciler shows; caches of other reconcilers
	 * may show it.
	 * @param returned the object as the API server returned it
	 * @param deletion whether the object was deleted
	 */
	void noted(KubernetesObject returned, boolean deletion) {
		String uid = uidOf(returned);
		if (!uid.isEmpty()) {
			this.versions.received(uid, deletion ? KeyCause.DELETED : versionOf(returned));
		}
	}

	// Runs read this write from the overlay, and with it all earlier writes of the
	// object.
	private void laid(ObjectKey primary, OwnWrite.Place place, String version) {
		OwnWrite earlier;
		this.lock.lock();
		try {
			earlier = this.byPrimary.getOrDefault(primary, Map.of()).get(place);
		}
		finally {
			this.lock.unlock();
		}
		if (earlier != null && !ResourceVersions.isOlder(version, earlier.version)) {
			seen(earlier);
			forget(earlier);
		}
	}

	/**
	 * Returns whether a change shows a state that a run of the key has already received,
	 * so the key does not need another run. May be called under the lock of a store.
	 * @param primary the key
	 * @param cause the change
	 * @return {@code true} if no run needs to follow
	 */
	public boolean isEcho(ObjectKey primary, KeyCause cause) {
		String version = cause.version().equals(KeyCause.DELETED) ? null : cause.version();
		for (OwnWriteSource<?> source : this.sources) {
			if (source.overlay().isEcho(primary, cause.object(), cause.uid(), version)) {
				return true;
			}
		}
		return false;
	}

	private void record(ObjectKey primary, OwnWrite.Place place, String version, Function<OwnWrite, WriteWait> waits) {
		long now = this.nanoTime.getAsLong();
		dropOld(now);
		OwnWrite write;
		OwnWrite earlier;
		WriteWait wait;
		this.lock.lock();
		try {
			Map<OwnWrite.Place, OwnWrite> writes = this.byPrimary.computeIfAbsent(primary,
					(key) -> new LinkedHashMap<>(4));
			earlier = writes.get(place);
			write = new OwnWrite(primary, place,
					(earlier != null) ? ResourceVersions.newest(earlier.version, version) : version, now);
			wait = waits.apply(write);
			write.wait = wait;
			if (earlier != null) {
				write.arrived = earlier.arrived;
				earlier.successor = write;
				earlier.ended = true;
				this.byAge.remove(earlier);
			}
			writes.put(place, write);
			this.byAge.add(write);
		}
		finally {
			this.lock.unlock();
		}
		// The write may be seen immediately.
		place.source().overlay().store().whenSeen(wait);
		forget(earlier);
	}

	private void dropOld(long now) {
		while (true) {
			OwnWrite oldest;
			this.lock.lock();
			try {
				if (this.byAge.isEmpty() || now - this.byAge.iterator().next().recorded < this.kept) {
					return;
				}
				oldest = this.byAge.iterator().next();
			}
			finally {
				this.lock.unlock();
			}
			seen(oldest);
			forget(oldest);
		}
	}

	/**
	 * Ends the wait for a write. May be called under the lock of the store that shows the
	 * write.
	 * @param write the write; ignored if its wait has ended
	 */
	private void seen(OwnWrite write) {
		Runnable arrived;
		this.lock.lock();
		try {
			if (write.ended) {
				return;
			}
			arrived = end(write);
		}
		finally {
			this.lock.unlock();
		}
		if (arrived != null) {
			arrived.run();
		}
	}

	private @Nullable Runnable end(OwnWrite write) {
		write.ended = true;
		this.byAge.remove(write);
		this.byPrimary.computeIfPresent(write.primary, (key, writes) -> {
			writes.remove(write.place);
			return writes.isEmpty() ? null : writes;
		});
		Runnable arrived = write.arrived;
		write.arrived = null;
		return arrived;
	}

	private static void forget(@Nullable OwnWrite write) {
		if (write != null && write.wait != null) {
			write.place.source().overlay().store().forget(write.wait);
		}
	}

	/**
	 * Returns the wait that the next run of a key needs.
	 * @param primary the key
	 * @return the wait; {@code null} if all writes of the key were seen
	 */
	public @Nullable OwnWritesWait parking(ObjectKey primary) {
		this.lock.lock();
		try {
			Map<OwnWrite.Place, OwnWrite> writes = this.byPrimary.get(primary);
			return (writes != null) ? new WritesParking(List.copyOf(writes.values())) : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Drops the writes of a key because the caches did not show them in time. The
	 * callbacks of a parked key are not called any more.
	 * @param primary the key
	 */
	public void expire(ObjectKey primary) {
		List<OwnWrite> expired;
		this.lock.lock();
		try {
			expired = new ArrayList<>(this.byPrimary.getOrDefault(primary, Map.of()).values());
			expired.forEach(this::end);
		}
		finally {
			this.lock.unlock();
		}
		expired.forEach(OwnWrites::forget);
	}

	/** Drops the writes of all keys, because this process begins no more runs. */
	public void clear() {
		this.sources.forEach((source) -> source.overlay().clear());
		List<OwnWrite> dropped;
		this.lock.lock();
		try {
			dropped = List.copyOf(this.byAge);
			dropped.forEach(this::end);
		}
		finally {
			this.lock.unlock();
		}
		dropped.forEach(OwnWrites::forget);
	}

	/**
	 * Returns the number of unseen writes.
	 * @return the number
	 */
	public int size() {
		return sizeAfter(Duration.ZERO);
	}

	/**
	 * Returns the number of writes that are still unseen after a while.
	 * @param age the minimum age of the writes
	 * @return the number
	 */
	public int sizeAfter(Duration age) {
		long nanos = Durations.nanos(age);
		int number = this.sources.stream().mapToInt((source) -> source.overlay().sizeAfter(nanos)).sum();
		long now = this.nanoTime.getAsLong();
		this.lock.lock();
		try {
			for (OwnWrite write : this.byAge) {
				if (now - write.recorded < nanos) {
					break;
				}
				number++;
			}
			return number;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static String versionOf(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? Objects.requireNonNullElse(metadata.getResourceVersion(), "") : "";
	}

	private static String uidOf(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? Objects.requireNonNullElse(metadata.getUid(), "") : "";
	}

	/** Write that a cache should show. Guarded by the lock. */
	private static final class OwnWrite {

		final ObjectKey primary;

		final Place place;

		/** Version that the cache must have reached. */
		final String version;

		/** Time at which the write was recorded. */
		final long recorded;

		/**
		 * Registration at the store that should show the write; set before other threads
		 * see this object.
		 */
		@Nullable WriteWait wait;

		/** Called when the write is shown; {@code null} while no key is parked. */
		@Nullable Runnable arrived;

		/** Later write that replaced this one. */
		@Nullable OwnWrite successor;

		boolean ended;

		OwnWrite(ObjectKey primary, Place place, String version, long recorded) {
			this.primary = primary;
			this.place = place;
			this.version = version;
			this.recorded = recorded;
		}

		/**
		 * Returns the write that must be awaited for this one.
		 * @return the last of its successors, or itself
		 */
		OwnWrite latest() {
			OwnWrite latest = this;
			while (latest.successor != null) {
				latest = latest.successor;
			}
			return latest;
		}

		/**
		 * Object that a source shows.
		 *
		 * @param source the source
		 * @param key the key of the object
		 */
		record Place(OwnWriteSource<?> source, ObjectKey key) {

			@Override
			public boolean equals(@Nullable Object other) {
				return other instanceof Place that && this.source == that.source && this.key.equals(that.key);
			}

			@Override
			public int hashCode() {
				return this.key.hashCode();
			}

		}

	}

	/**
	 * Writes that a parked key waits for.
	 */
	private final class WritesParking implements OwnWritesWait {

		private final List<OwnWrite> writes;

		private WritesParking(List<OwnWrite> writes) {
			this.writes = writes;
		}

		@Override
		public int awaited() {
			return this.writes.size();
		}

		@Override
		public void register(Runnable arrived) {
			for (OwnWrite write : this.writes) {
				if (!await(write, arrived)) {
					arrived.run();
				}
			}
		}

		private boolean await(OwnWrite write, Runnable arrived) {
			OwnWrites.this.lock.lock();
			try {
				OwnWrite latest = write.latest();
				if (!latest.ended) {
					latest.arrived = arrived;
				}
				return !latest.ended;
			}
			finally {
				OwnWrites.this.lock.unlock();
			}
		}

	}

}
