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

/**
 * Waits for a version of one partition, the oldest version first. Guarded by the store's
 * lock.
 */
final class PartitionWaits {

	/** The order of KEP-5504: of two numbers the longer is newer. */
	private static final Comparator<WriteWait> BY_VERSION = Comparator
		.<WriteWait>comparingInt((wait) -> wait.version().length())
		.thenComparing(WriteWait::version)
		.thenComparingLong(WriteWait::number);

	private final TreeSet<WriteWait> ordered = new TreeSet<>(BY_VERSION);

	/** Versions without an order are reached by an equal one only. */
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

	List<WriteWait> all() {
		List<WriteWait> all = new ArrayList<>(this.ordered);
		this.opaque.values().forEach(all::addAll);
		return all;
	}

	boolean isEmpty() {
		return this.ordered.isEmpty() && this.opaque.isEmpty();
	}

}
