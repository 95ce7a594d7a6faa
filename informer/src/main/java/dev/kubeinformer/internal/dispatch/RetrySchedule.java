package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Holds the failed events of one queue until a worker begins their next attempt. An
 * object has at most one failed event. One alarm of the timer is set for the event that
 * is due next. Guarded by the queue's lock. If a method fails because memory or a thread
 * for the timer is missing, it has no effect.
 *
 * @param <T> the model class
 */
final class RetrySchedule<T extends KubernetesObject> {

	private final LongSupplier nanoTime;

	private final Runnable onAlarm;

	/** All failed events, including due ones that wait for a worker. */
	private final Map<ObjectKey, Wait<T>> failed = new HashMap<>();

	/** Failed events that are not due, soonest first. */
	private final TreeSet<Wait<T>> sleeping = new TreeSet<>();

	private long numbers;

	private @Nullable ScheduledExecutorService timer;

	private @Nullable ScheduledFuture<?> alarm;

	private long alarmTime;

	/**
	 * Creates an empty schedule.
	 * @param nanoTime the clock
	 * @param onAlarm the callback that the timer runs when an event is due
	 */
	RetrySchedule(LongSupplier nanoTime, Runnable onAlarm) {
		this.nanoTime = nanoTime;
		this.onAlarm = onAlarm;
	}

	/**
	 * Sets the alarm and allows further ones.
	 * @param timer the timer that runs them
	 */
	void start(ScheduledExecutorService timer) {
		cancelAlarm();
		this.timer = timer;
		setAlarm();
	}

	/**
	 * Cancels the alarm until the next start. The events stay.
	 */
	void stop() {
		cancelAlarm();
		this.timer = null;
	}

	void add(PendingDelta<T> pending, Duration delay) {
		put(pending, this.nanoTime.getAsLong() + delay.toNanos());
	}

	/**
	 * Records that a later event was merged into the given event, which may be waiting
	 * here for a retry. The merged event was not tried yet, so it does not wait longer
	 * than after a first failure.
	 * @param pending the event
	 */
	void changed(PendingDelta<T> pending) {
		Wait<T> wait = this.failed.get(pending.key());
		if (wait != null && wait.pending() == pending) {
			long due = this.nanoTime.getAsLong() + pending.firstDelay().toNanos();
			if (wait.due() - due > 0) {
				put(pending, due);
				this.sleeping.remove(wait);
			}
		}
	}

	private void put(PendingDelta<T> pending, long due) {
		Wait<T> wait = new Wait<>(pending, due, this.numbers++);
		Wait<T> before = this.failed.get(pending.key());
		try {
			this.failed.put(pending.key(), wait);
			this.sleeping.add(wait);
			setAlarm();
		}
		catch (RuntimeException | Error ex) {
			this.sleeping.remove(wait);
			this.failed.remove(pending.key(), wait);
			if (before != null) {
				this.failed.put(pending.key(), before);
			}
			throw ex;
		}
	}

	/**
	 * Removes the event that was added last.
	 * @param pending the event
	 */
	void remove(PendingDelta<T> pending) {
		Wait<T> wait = this.failed.remove(pending.key());
		if (wait != null) {
			this.sleeping.remove(wait);
		}
	}

	/**
	 * Hands over the events that have become due since the last call, and sets the alarm
	 * for the next one.
	 * @param taker the consumer of the events, oldest first; if it fails on an event,
	 * that event and all later ones stay
	 */
	void takeDue(Consumer<PendingDelta<T>> taker) {
		long now = this.nanoTime.getAsLong();
		while (!this.sleeping.isEmpty() && this.sleeping.first().due() - now <= 0) {
			taker.accept(this.sleeping.first().pending());
			this.sleeping.pollFirst();
		}
		cancelAlarm();
		setAlarm();
	}

	private void setAlarm() {
		if (this.timer == null || this.sleeping.isEmpty()) {
			return;
		}
		long first = this.sleeping.first().due();
		if (this.alarm != null && this.alarmTime - first <= 0) {
			return;
		}
		cancelAlarm();
		try {
			this.alarm = this.timer.schedule(this.onAlarm, first - this.nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
			this.alarmTime = first;
		}
		catch (RejectedExecutionException ex) {
			// The timer was shut down before this call; the next start provides a new
			// one.
		}
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	/**
	 * Returns whether an object has a failed event, which blocks other events of the
	 * object.
	 * @param key the object
	 * @return {@code true} if the object has a failed event
	 */
	boolean contains(ObjectKey key) {
		return this.failed.containsKey(key);
	}

	/**
	 * Returns whether an event has failed and is not being handled.
	 * @param pending the event
	 * @return {@code true} if the event is scheduled
	 */
	boolean contains(PendingDelta<T> pending) {
		Wait<T> wait = this.failed.get(pending.key());
		return wait != null && wait.pending() == pending;
	}

	/**
	 * Removes an event because its next attempt begins.
	 * @param pending the event; may be unknown to this schedule
	 */
	void handedOut(PendingDelta<T> pending) {
		// Most handlers have no failed events.
		if (!this.failed.isEmpty()) {
			remove(pending);
		}
	}

	int size() {
		return this.failed.size();
	}

	void clear() {
		cancelAlarm();
		this.failed.clear();
		this.sleeping.clear();
	}

	/**
	 * Failed event with its due time.
	 *
	 * @param pending the event
	 * @param due the due time
	 * @param number the order among events with the same due time
	 */
	private record Wait<T extends KubernetesObject>(PendingDelta<T> pending, long due,
			long number) implements Comparable<Wait<T>> {

		@Override
		public int compareTo(Wait<T> other) {
			int order = Long.compare(this.due - other.due, 0);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

	}

}
