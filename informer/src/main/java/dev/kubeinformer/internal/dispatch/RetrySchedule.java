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
 * Failed events of one queue, at most one for each object, until a worker takes them for
 * their next attempt. One alarm stands for all of them, set for the one that is due
 * first. Guarded by the queue's lock. Where a method fails, such as for want of memory or
 * of a thread for the timer, it has changed nothing.
 *
 * @param <T> the model class
 */
final class RetrySchedule<T extends KubernetesObject> {

	private final LongSupplier nanoTime;

	private final Runnable onAlarm;

	/** All failed events, also those that are due and wait for a worker. */
	private final Map<ObjectKey, Wait<T>> failed = new HashMap<>();

	/** Those that are not due, soonest first. */
	private final TreeSet<Wait<T>> sleeping = new TreeSet<>();

	private long numbers;

	private @Nullable ScheduledExecutorService timer;

	private @Nullable ScheduledFuture<?> alarm;

	private long alarmTime;

	/**
	 * Creates a schedule without events.
	 * @param nanoTime the clock
	 * @param onAlarm called by the timer when something is due
	 */
	RetrySchedule(LongSupplier nanoTime, Runnable onAlarm) {
		this.nanoTime = nanoTime;
		this.onAlarm = onAlarm;
	}

	/**
	 * Sets the alarm, and lets others be set.
	 * @param timer runs them
	 */
	void start(ScheduledExecutorService timer) {
		cancelAlarm();
		this.timer = timer;
		setAlarm();
	}

	/**
	 * Cancels the alarm, and sets none until the next start. The events stay.
	 */
	void stop() {
		cancelAlarm();
		this.timer = null;
	}

	void add(PendingDelta<T> pending, Duration delay) {
		put(pending, this.nanoTime.getAsLong() + delay.toNanos());
	}

	/**
	 * Notes that a later event was merged into one that may be in here. As it is now it
	 * has not failed yet, so it waits no longer than after a first failure.
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
	 * Takes back an event that was added last.
	 * @param pending the event
	 */
	void remove(PendingDelta<T> pending) {
		Wait<T> wait = this.failed.remove(pending.key());
		if (wait != null) {
			this.sleeping.remove(wait);
		}
	}

	/**
	 * Gives the events that have become due since the last call, and sets the alarm for
	 * the next one.
	 * @param taker takes them, oldest first; one that it fails on stays, and so do those
	 * behind it
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
			// The timer ended first; the next start brings another.
		}
	}

	private void cancelAlarm() {
		if (this.alarm != null) {
			this.alarm.cancel(false);
			this.alarm = null;
		}
	}

	/**
	 * Returns whether an object has a failed event, so that nothing else of it may be
	 * handled.
	 * @param key the object
	 * @return whether it has
	 */
	boolean contains(ObjectKey key) {
		return this.failed.containsKey(key);
	}

	/**
	 * Returns whether an event has failed before, and is not being handled.
	 * @param pending the event
	 * @return whether it has
	 */
	boolean contains(PendingDelta<T> pending) {
		Wait<T> wait = this.failed.get(pending.key());
		return wait != null && wait.pending() == pending;
	}

	/**
	 * Removes an event whose next attempt begins.
	 * @param pending the event, which need not be in here
	 */
	void handedOut(PendingDelta<T> pending) {
		// Most handlers have no failed event.
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
	 * A failed event and when it is due.
	 *
	 * @param pending the event
	 * @param due when it is due
	 * @param number orders those that are due at once
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
