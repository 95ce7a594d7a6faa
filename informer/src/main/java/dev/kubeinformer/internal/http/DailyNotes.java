package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Notes about an API server that are logged at most once a day, by any of its informers.
 * Safe for use by several threads.
 */
public final class DailyNotes {

	private static final Duration DAY = Duration.ofDays(1);

	private final LongSupplier nanoTime;

	/**
	 * Time of each note in nanoseconds, by its subject; there is one subject for each
	 * watched resource.
	 */
	private final Map<String, Long> noted = new ConcurrentHashMap<>();

	public DailyNotes(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Makes a note.
	 * @param subject the subject of the note
	 * @return {@code true} unless the same subject was noted within a day
	 */
	public boolean add(String subject) {
		long now = this.nanoTime.getAsLong();
		AtomicBoolean first = new AtomicBoolean();
		this.noted.compute(subject, (key, before) -> {
			if (before != null && now - before < DAY.toNanos()) {
				return before;
			}
			first.set(true);
			return now;
		});
		return first.get();
	}

}
