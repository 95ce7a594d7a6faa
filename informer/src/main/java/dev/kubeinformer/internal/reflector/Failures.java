package dev.kubeinformer.internal.reflector;

import java.time.Duration;

/**
 * Failures and expired versions that the next wait depends on.
 *
 * @param count the number of failures since watches last lived long enough without one
 * @param lived how long watches have lived since the last failure
 * @param expirations the number of times that the version expired since watches lived
 * long enough
 * @param livedSinceExpiration how long watches have lived since the version last expired
 */
record Failures(int count, Duration lived, int expirations, Duration livedSinceExpiration) {

	static Failures none() {
		return new Failures(0, Duration.ZERO, 0, Duration.ZERO);
	}

	Failures failed() {
		return new Failures(this.count + 1, Duration.ZERO, this.expirations, this.livedSinceExpiration);
	}

	Failures expired() {
		return new Failures(this.count, this.lived, this.expirations + 1, Duration.ZERO);
	}

	/**
	 * Returns the failures that count after an outage of the server.
	 * @return the expired versions alone
	 */
	Failures forgiven() {
		return new Failures(0, this.lived, this.expirations, this.livedSinceExpiration);
	}

	/**
	 * Returns the failures that count after a watch. All watches count together: where
	 * every connection is cut after a minute, none lives long.
	 * @param duration how long the watch was open
	 * @param reset how long watches must live to reset the backoff
	 * @return the failures
	 */
	Failures lived(Duration duration, Duration reset) {
		Duration since = this.lived.plus(duration);
		Duration sinceExpiration = this.livedSinceExpiration.plus(duration);
		return new Failures((since.compareTo(reset) >= 0) ? 0 : this.count, since,
				(sinceExpiration.compareTo(reset) >= 0) ? 0 : this.expirations, sinceExpiration);
	}

}
