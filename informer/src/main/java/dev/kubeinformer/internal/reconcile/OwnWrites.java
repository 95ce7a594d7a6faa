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
 * Writes of the runs of one reconciler that its caches do not show yet. Their answers lie
 * over the caches, for the runs of all keys, or these would act on a state from before
 * they were made. Where an answer cannot be laid, as only its metadata is known or nobody
 * can tell whether the cache selects it, the next run of the same key waits.
 * <p>
 * Such a write waits at the store from the moment it is recorded, whether a key is parked
 * or not, and is dropped when it is seen. Of several writes to one object the last
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

	/** In the order in which they were recorded. */
	private final LinkedHashSet<OwnWrite> byAge = new LinkedHashSet<>();

	/**
	 * Creates the writes of a reconciler.
	 * @param sources the caches of the primary, of the owned and of the watched objects;
	 * what is written elsewhere no run reads
	 * @param versions takes the versions of the writes
	 * @param kept how long a write is waited for that is not seen, which must be longer
	 * than a run and a wait may take
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
	 * @param primary the key of the run
	 * @param type the resource of the object
	 * @param returned what the API server returned
	 * @throws IllegalArgumentException if the object has no version
	 */
	public void written(ObjectKey primary, ResourceType<?> type, KubernetesObject returned) {
		ObjectKey key = ObjectKey.of(returned);
		String version = versionOf(returned);
		if (version.isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' '%s' has no resourceVersion to wait for; hand over what the API server returned from the write"
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
	 * Records that a run deleted an object, which may be gone or not.
	 * @param primary the key of the run
	 * @param type the resource of the object
	 * @param last the object as it was last known
	 */
	public void deleted(ObjectKey primary, ResourceType<?> type, KubernetesObject last) {
		deleted(primary, type, last, false);
	}

	/**
	 * Records that a run deleted an object, which is gone.
	 * @param primary the key of the run
	 * @param type the resource of the object
	 * @param last the object as it was last known
	 */
	public void gone(ObjectKey primary, ResourceType<?> type, KubernetesObject last) {
		deleted(primary, type, last, true);
	}

	/**
	 * Records that a run deleted an object, which is there still.
	 * @param primary the key of the run
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
	 * Notes a write that no cache of this reconciler shows. Those of other reconcilers
	 * may.
	 * @param returned what the API server returned
	 * @param deletion whether the object was deleted
	 */
	void noted(KubernetesObject returned, boolean deletion) {
		String uid = uidOf(returned);
		if (!uid.isEmpty()) {
			this.versions.received(uid, deletion ? KeyCause.DELETED : versionOf(returned));
		}
	}

	// Runs read it, and so what was written before it.
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
	 * Returns whether a change is what a run of a key was given already, so that it is
	 * none for that key. May be called under the lock of a store.
	 * @param primary the key
	 * @param cause the change
	 * @return whether no run need follow
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
		// It may be seen at once.
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
	 * Ends a write. Called under the lock of its store, too.
	 * @param write the write; one that has ended is passed over
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
	 * Returns what the next run of a key waits for.
	 * @param primary the key
	 * @return the writes; {@code null} if all of them were seen
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
	 * Drops the writes of a key, which were not seen in time. What a parked key has
	 * registered does not run any more.
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

	/**
	 * Drops the writes of all keys, for which no run follows here.
	 */
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
	 * Returns how many writes are not seen yet.
	 * @return the number
	 */
	public int size() {
		return sizeAfter(Duration.ZERO);
	}

	/**
	 * Returns how many writes are not seen after a while.
	 * @param age how long ago they were made at least
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

	/**
	 * Write that a cache is to show. Guarded by the lock.
	 */
	private static final class OwnWrite {

		final ObjectKey primary;

		final Place place;

		/** The newest version that the cache must not be older than. */
		final String version;

		/** When it was recorded. */
		final long recorded;

		/** What waits at the store; set before anything else sees the write. */
		@Nullable WriteWait wait;

		/** Runs when it is seen; {@code null} while no key is parked. */
		@Nullable Runnable arrived;

		/** The later write that took its place. */
		@Nullable OwnWrite successor;

		boolean ended;

		OwnWrite(ObjectKey primary, Place place, String version, long recorded) {
			this.primary = primary;
			this.place = place;
			this.version = version;
			this.recorded = recorded;
		}

		/**
		 * Returns the write that is awaited for this one.
		 * @return the last of those that took its place, or itself
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
		 * @param key the object
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
