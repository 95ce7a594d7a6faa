package dev.kubeinformer.internal.events;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.Reconciliation.EventType;

/**
 * Decides which events are sent. Equal events form a series: the first and the second
 * event are sent, and from then on only the count of the series, from time to time. A
 * series ends after the same time without an event as in client-go
 * ({@code tools/events/event_broadcaster.go}). The number of requests for each object is
 * limited in the same way as by client-go's spam filter
 * ({@code tools/record/events_cache.go}). The numbers of remembered series and objects
 * are limited. Safe for use by several threads.
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
	 * @param key the properties by which events are equal
	 * @param name returns the name of the first event of a series
	 * @return the request to send
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
		// A series that was never sent is created first, whatever its count.
		int count = (present.sent == 0) ? 1 : present.count;
		present.sent = present.count;
		present.lastSent = now;
		return new Sending(key, present.name, count);
	}

	/**
	 * Forgets a series after a failed request, so that the next event begins a new
	 * series.
	 * @param sending the request that failed
	 */
	synchronized void failed(Sending sending) {
		this.series.remove(sending.key());
	}

	/**
	 * Returns a number for the name of an event, so that two events of the same instant
	 * have different names.
	 * @return the number
	 */
	synchronized long number() {
		return this.number++;
	}

	synchronized int size() {
		return Math.max(this.series.size(), this.budgets.size());
	}

	/**
	 * Properties by which events are equal.
	 *
	 * @param uid the UID of the object
	 * @param type the type
	 * @param reason the reason
	 * @param note the text
	 */
	record Key(String uid, EventType type, String reason, String note) {

	}

	/**
	 * Request to send.
	 *
	 * @param key the event
	 * @param name the name of the event
	 * @param count 1 to create the event, more to set the count of its series, 0 to send
	 * nothing
	 */
	record Sending(Key key, String name, int count) {

	}

	private static final class Series {

		private final String name;

		private int count;

		/** Last count that was sent; 0 for none. */
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
