package dev.kubeinformer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Wall clock that can be set.
 */
final class SetClock extends Clock {

	private volatile Duration offset = Duration.ZERO;

	/**
	 * Sets how much the clock is ahead of the real time.
	 */
	void jump(Duration ahead) {
		this.offset = ahead;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

	@Override
	public Instant instant() {
		return Clock.systemUTC().instant().plus(this.offset);
	}

	@Override
	public long millis() {
		return instant().toEpochMilli();
	}

}
