package com.example.timetolive;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock that a test moves forward.
 */
class SettableClock extends Clock {

	private volatile Duration ahead = Duration.ZERO;

	void forward(Duration time) {
		this.ahead = this.ahead.plus(time);
	}

	void reset() {
		this.ahead = Duration.ZERO;
	}

	@Override
	public Instant instant() {
		return Instant.now().plus(this.ahead);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}
