package dev.kubeinformer.internal.events;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the namespaces in which no events are sent for a while, because the
 * permission is missing. Also remembers the warnings that were logged. The numbers of
 * both are limited, because tenants may create any number of namespaces. Safe for use by
 * several threads.
 */
final class EventPauses {

	private static final Duration WITHOUT_RIGHTS = Duration.ofMinutes(10);

	private static final int MOST_NAMESPACES = 1_000;

	private static final Duration BETWEEN_WARNINGS = Duration.ofDays(1);

	/**
	 * Minimum age at which a warning is forgotten to make room for a warning of another
	 * kind.
	 */
	private static final Duration LEAST_AGE = Duration.ofHours(1);

	private static final int MOST_WARNINGS = 20;

	private final LongSupplier nanoTime;

	/** Time at which the pause ends, by namespace. */
	private final Map<String, Long> pauses = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.@Nullable Entry<String, Long> eldest) {
			return size() > MOST_NAMESPACES;
		}

	};

	/** Time of the latest warning, by kind; the oldest first. */
	private final Map<String, Long> warned = new LinkedHashMap<>();

	EventPauses(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	synchronized void pause(String namespace) {
		// Remove it first: a namespace that is paused again becomes the newest.
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
	 * Returns whether a warning should be logged: it is the first of its kind within a
	 * day, and fewer than 20 warnings were logged in the last hour. So a permission that
	 * is missing again weeks later is reported again, and many namespaces without the
	 * permission do not flood the log.
	 * @param kind the kind of the warning
	 * @return {@code true} if it should be logged as a warning
	 */
	synchronized boolean isNew(String kind) {
		long now = this.nanoTime.getAsLong();
		Long last = this.warned.get(kind);
		if (last != null && now - last < BETWEEN_WARNINGS.toNanos()) {
			return false;
		}
		// Remove it first: a kind that is logged again becomes the newest.
		this.warned.remove(kind);
		if (this.warned.size() >= MOST_WARNINGS) {
			Iterator<Long> times = this.warned.values().iterator();
			if (now - times.next() < LEAST_AGE.toNanos()) {
				return false;
			}
			times.remove();
		}
		this.warned.put(kind, now);
		return true;
	}

}
