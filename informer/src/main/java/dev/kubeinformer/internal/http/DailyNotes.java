package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Remembers which notes about an API server were logged, so that all its informers
 * together log each note at most once a day. Safe for use by several threads.
 */
public final class DailyNotes {

	private static final Duration DAY = Duration.ofDays(1);

	private final LongSupplier nanoTime;

	/**
	 * Time of the last note in nanoseconds, by the subject of the note. There is one
	 * subject for each watched resource.
	 */
	private final Map<String, Long> noted = new ConcurrentHashMap<>();

	public DailyNotes(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Records a note that is about to be logged.
	 * @param subject the subject of the note
	 * @return {@code true} if it should be logged; {@code false} if it was recorded
	 * within the last day
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
