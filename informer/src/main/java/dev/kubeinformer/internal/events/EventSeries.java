package dev.kubeinformer.internal.events;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Reconciliation.EventType;

/**
 * Decides which events are sent: the first of a series, its second, and after that its
 * count from time to time. A series ends when nothing is added to it for as long as in
 * client-go ({@code tools/events/event_broadcaster.go}). About one object there are as
 * many requests as client-go's spam filter allows ({@code tools/record/events_cache.go}).
 * Both are remembered for a bounded number. Safe for use by several threads.
 */
final class EventSeries {

	private static final Duration END = Duration.ofMinutes(6);

	private static final Duration REFRESH = Duration.ofMinutes(5);

	private static final int MOST = 4096;

	private static final int BURST = 25;

	private static final Duration REFILL = Duration.ofMinutes(5);

	private final LongSupplier nanoTime;

	private final Map<Key, Series> series = bounded();

	private final Map<String, Budget> budgets = bounded();

	private long number;

	EventSeries(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	private static <K, V> Map<K, V> bounded() {
		return new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.@Nullable Entry<K, V> eldest) {
				return size() > MOST;
			}

		};
	}

	/**
	 * Adds an event.
	 * @param key what makes events equal
	 * @param name names the first of a series
	 * @return what is to be sent
	 */
	synchronized Sending next(Key key, Supplier<String> name) {
		long now = this.nanoTime.getAsLong();
		Series present = this.series.get(key);
		if (present == null || now - present.lastAdded > END.toNanos()) {
			present = new Series(name.get());
			this.series.put(key, present);
		}
		present.lastAdded = now;
		present.count++;
		boolean due = present.count <= 2 || present.sent == 0 || now - present.lastSent >= REFRESH.toNanos();
		if (!due || !this.budgets.computeIfAbsent(key.uid(), (uid) -> new Budget(now)).take(now)) {
			return new Sending(key, present.name, 0);
		}
		// One that was never sent is created, however often it was added.
		int count = (present.sent == 0) ? 1 : present.count;
		present.sent = present.count;
		present.lastSent = now;
		return new Sending(key, present.name, count);
	}

	/**
	 * Forgets a series that could not be sent: the next event begins a new one.
	 * @param sending what was to be sent
	 */
	synchronized void failed(Sending sending) {
		this.series.remove(sending.key());
	}

	/**
	 * Returns a number that keeps the names of two events of one moment apart.
	 * @return the number
	 */
	synchronized long number() {
		return this.number++;
	}

	synchronized int size() {
		return Math.max(this.series.size(), this.budgets.size());
	}

	/**
	 * What makes events equal.
	 *
	 * @param uid the UID of the object that they are about
	 * @param type the type
	 * @param reason the reason
	 * @param note the text
	 */
	record Key(String uid, EventType type, String reason, String note) {

	}

	/**
	 * What is to be sent.
	 *
	 * @param key the event
	 * @param name its name
	 * @param count 1 to create it, more to set the count of its series, 0 for nothing
	 */
	record Sending(Key key, String name, int count) {

	}

	private static final class Series {

		private final String name;

		private int count;

		/** The count that was sent last; 0 for none. */
		private int sent;

		private long lastAdded;

		private long lastSent;

		Series(String name) {
			this.name = name;
		}

	}

	private static final class Budget {

		private double tokens = BURST;

		private long filledAt;

		Budget(long now) {
			this.filledAt = now;
		}

		boolean take(long now) {
			this.tokens = Math.min(BURST, this.tokens + (double) (now - this.filledAt) / REFILL.toNanos());
			this.filledAt = now;
			if (this.tokens < 1) {
				return false;
			}
			this.tokens--;
			return true;
		}

	}

}
