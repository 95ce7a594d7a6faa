package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.ObjectKey;

/**
 * Pending waits for writes, indexed by the object's key and by version. A change examines
 * only the waits for its objects, and the waits for versions that the partition has
 * reached.
 */
final class WriteWaits {

	private final Map<ObjectKey, Set<WriteWait>> byKey = new HashMap<>();

	private final Map<String, Versions> byPartition = new HashMap<>();

	private long numbers;

	private boolean closed;

	/**
	 * Adds a wait, or ends it at once if it has nothing to wait for.
	 * @param wait the wait
	 * @param now the current content
	 * @param watched whether the store contains the wait's partition
	 */
	void add(WriteWait wait, StoreSnapshot<?> now, boolean watched) {
		if (this.closed || !watched || wait.isSeenBy(now)) {
			wait.seen().run();
			return;
		}
		wait.begin(++this.numbers);
		this.byKey.computeIfAbsent(wait.key(), (key) -> new LinkedHashSet<>(2)).add(wait);
		this.byPartition.computeIfAbsent(wait.partition(), (partition) -> new Versions()).add(wait);
	}

	/**
	 * Removes a wait without ending it.
	 * @param wait the wait; ignored if it has ended
	 */
	void remove(WriteWait wait) {
		if (!wait.isWaiting()) {
			return;
		}
		this.byKey.computeIfPresent(wait.key(), (key, waits) -> {
			waits.remove(wait);
			return waits.isEmpty() ? null : waits;
		});
		this.byPartition.computeIfPresent(wait.partition(), (partition, waits) -> {
			waits.remove(wait);
			return waits.isEmpty() ? null : waits;
		});
		wait.end();
	}

	/**
	 * Ends the waits that changes have met.
	 * @param <T> the model class
	 * @param changes the changes
	 * @param now the content after them
	 */
	<T> void changed(List<Delta<T>> changes, StoreSnapshot<T> now) {
		if (this.byKey.isEmpty()) {
			return;
		}
		for (Delta<T> change : changes) {
			changed(change.subject().key(), now);
		}
	}

	/**
	 * Ends the waits that changes of unreadable objects have met.
	 * @param <T> the model class
	 * @param changes the changes
	 * @param now the content after them
	 */
	<T> void quarantined(List<QuarantineChange<T>> changes, StoreSnapshot<T> now) {
		if (!this.byKey.isEmpty()) {
			changes.forEach((change) -> changed(change.key(), now));
		}
	}

	private void changed(ObjectKey key, StoreSnapshot<?> now) {
		Set<WriteWait> waits = this.byKey.get(key);
		if (waits != null) {
			// A copy, because end() removes from the set. A loop and not a stream,
			// because
			// each write of a run gets here.
			for (WriteWait wait : waits.toArray(WriteWait[]::new)) {
				if (wait.isSeenBy(now)) {
					end(wait);
				}
			}
		}
	}

	/**
	 * Ends the waits for versions that a partition has reached.
	 * @param partition the partition
	 * @param now the content
	 */
	void reached(String partition, StoreSnapshot<?> now) {
		Versions waits = this.byPartition.get(partition);
		if (waits == null) {
			return;
		}
		String version = now.resourceVersion(partition);
		for (WriteWait next = waits.poll(version); next != null; next = waits.poll(version)) {
			// A deletion also waits until its object is gone.
			if (next.isSeenBy(now)) {
				end(next);
			}
		}
	}

	/**
	 * Ends the waits for a partition whose state is not known any more, for example
	 * because it was removed.
	 * @param partition the partition
	 */
	void release(String partition) {
		List<WriteWait> released = new ArrayList<>();
		this.byKey.values()
			.forEach((waits) -> waits.stream()
				.filter((wait) -> partition.equals(wait.partition()))
				.forEach(released::add));
		released.forEach(this::end);
	}

	/**
	 * Ends the waits for an object whose state is not known any more, for example because
	 * this process has lost the object's shard slot.
	 * @param key the object
	 */
	void release(ObjectKey key) {
		Set<WriteWait> waits = this.byKey.get(key);
		if (waits != null) {
			List.copyOf(waits).forEach(this::end);
		}
	}

	/**
	 * Ends all waits.
	 */
	void releaseAll() {
		List<WriteWait> released = new ArrayList<>();
		this.byKey.values().forEach(released::addAll);
		released.forEach(this::end);
	}

	/**
	 * Ends all waits, including waits that begin before {@link #open()}.
	 */
	void close() {
		this.closed = true;
		releaseAll();
	}

	void open() {
		this.closed = false;
	}

	private void end(WriteWait wait) {
		if (wait.isWaiting()) {
			remove(wait);
			wait.seen().run();
		}
	}

	/**
	 * Pending waits for versions of one partition, the oldest version first.
	 */
	private static final class Versions {

		/** Order of versions by KEP-5504: of two numbers, the longer one is newer. */
		private static final Comparator<WriteWait> BY_VERSION = Comparator
			.<WriteWait>comparingInt((wait) -> wait.version().length())
			.thenComparing(WriteWait::version)
			.thenComparingLong(WriteWait::number);

		private final TreeSet<WriteWait> ordered = new TreeSet<>(BY_VERSION);

		/**
		 * Waits for versions without an order, by version. Only an equal version ends
		 * them.
		 */
		private final Map<String, Set<WriteWait>> opaque = new HashMap<>();

		void add(WriteWait wait) {
			if (ResourceVersions.isOrdered(wait.version())) {
				this.ordered.add(wait);
			}
			else {
				this.opaque.computeIfAbsent(wait.version(), (version) -> new LinkedHashSet<>()).add(wait);
			}
		}

		void remove(WriteWait wait) {
			if (ResourceVersions.isOrdered(wait.version())) {
				this.ordered.remove(wait);
			}
			else {
				this.opaque.computeIfPresent(wait.version(), (version, waits) -> {
					waits.remove(wait);
					return waits.isEmpty() ? null : waits;
				});
			}
		}

		/**
		 * Removes the next wait whose version is reached.
		 * @param version the version of the partition
		 * @return the wait; {@code null} if there is no more
		 */
		@Nullable WriteWait poll(String version) {
			if (!this.ordered.isEmpty() && ResourceVersions.hasReached(version, this.ordered.first().version())) {
				return this.ordered.pollFirst();
			}
			Set<WriteWait> equal = this.opaque.isEmpty() ? null : this.opaque.get(version);
			if (equal == null) {
				return null;
			}
			WriteWait next = equal.iterator().next();
			remove(next);
			return next;
		}

		boolean isEmpty() {
			return this.ordered.isEmpty() && this.opaque.isEmpty();
		}

	}

}
