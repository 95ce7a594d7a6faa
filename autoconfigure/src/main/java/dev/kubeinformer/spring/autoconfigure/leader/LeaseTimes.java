package dev.kubeinformer.spring.autoconfigure.leader;

import java.time.Duration;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Times of a Lease from the properties, with their rules. Internal to the starter.
 *
 * @param prefix the prefix of the properties
 * @param leaseDuration the time after which another replica regards the holder as dead
 * @param renewDeadline how long the holder itself relies on the Lease after its last
 * renewal
 * @param retryPeriod the period of renewals
 */
public record LeaseTimes(String prefix, Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

	/**
	 * Minimum time between the end of a term and the acquisition of the Lease by another
	 * replica.
	 */
	private static final Duration MARGIN = Duration.ofSeconds(2);

	/** Minimum number of renewal attempts within a renew deadline. */
	private static final int ATTEMPTS = 3;

	/**
	 * Checks the times.
	 * @param reason the reason why the lease duration must exceed the renew deadline, as
	 * the end of a sentence
	 * @throws InvalidPropertyValueException if a time is not valid
	 */
	public void check(String reason) {
		PropertyRanges ranges = new PropertyRanges(this.prefix);
		ranges.moreThanZero("lease-duration", this.leaseDuration);
		ranges.moreThanZero("renew-deadline", this.renewDeadline);
		ranges.moreThanZero("retry-period", this.retryPeriod);
		if (this.leaseDuration.toMillis() % 1000 != 0) {
			throw new InvalidPropertyValueException(key("lease-duration"), text(this.leaseDuration),
					"must be a number of whole seconds, as a Lease counts");
		}
		if (this.leaseDuration.compareTo(this.renewDeadline.plus(MARGIN)) < 0) {
			throw new InvalidPropertyValueException(key("lease-duration"), text(this.leaseDuration),
					"must be at least %s more than '%s' (%s), %s".formatted(text(MARGIN), key("renew-deadline"),
							text(this.renewDeadline), reason));
		}
		if (this.renewDeadline.compareTo(this.retryPeriod.multipliedBy(ATTEMPTS)) < 0) {
			throw new InvalidPropertyValueException(key("renew-deadline"), text(this.renewDeadline),
					"must be at least %d times '%s' (%s), so that a single failed renewal does not end the term"
						.formatted(ATTEMPTS, key("retry-period"), text(this.retryPeriod)));
		}
	}

	private String key(String property) {
		return this.prefix + "." + property;
	}

	private static String text(Duration duration) {
		return (duration.getNano() == 0) ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
	}

}
