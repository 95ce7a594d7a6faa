package dev.kubeinformer.internal.control;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Namespaces in which no events are reported for a while, because the right for it is
 * missing, and the warnings that were logged. Bounded, since tenants make namespaces.
 * Safe for use by several threads.
 */
final class EventPauses {

	private static final Duration WITHOUT_RIGHTS = Duration.ofMinutes(10);

	private static final int MOST_NAMESPACES = 1_000;

	private static final int MOST_WARNINGS = 20;

	private final LongSupplier nanoTime;

	/** Time at which each pause ends. */
	private final Map<String, Long> pauses = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.@Nullable Entry<String, Long> eldest) {
			return size() > MOST_NAMESPACES;
		}

	};

	private final Set<String> warned = new LinkedHashSet<>();

	EventPauses(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	synchronized void pause(String namespace) {
		// Removed first: a namespace that is paused again is the youngest.
		this.pauses.remove(namespace);
		this.pauses.put(namespace, this.nanoTime.getAsLong() + WITHOUT_RIGHTS.toNanos());
	}

	synchronized boolean isPaused(String namespace) {
		Long end = this.pauses.get(namespace);
		if (end == null) {
			return false;
		}
		boolean paused = end - this.nanoTime.getAsLong() > 0;
		if (!paused) {
			this.pauses.remove(namespace);
		}
		return paused;
	}

	/**
	 * Returns whether a warning is the first of its kind.
	 * @param kind the kind
	 * @return {@code true} if it is to be logged as a warning
	 */
	synchronized boolean isNew(String kind) {
		return this.warned.size() < MOST_WARNINGS && this.warned.add(kind);
	}

}
