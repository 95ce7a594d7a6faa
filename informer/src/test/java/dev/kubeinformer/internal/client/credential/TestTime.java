package dev.kubeinformer.internal.client.credential;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

import dev.kubeinformer.internal.client.ClientTime;

/**
 * Clocks that a test sets.
 */
final class TestTime extends Clock {

	static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicLong skew = new AtomicLong();

	ClientTime time() {
		return new ClientTime(this, this.nanos::get);
	}

	void advance(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

	void set(Duration ahead) {
		this.skew.set(ahead.toNanos());
	}

	@Override
	public Instant instant() {
		return START.plusNanos(this.nanos.get() + this.skew.get());
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

}
