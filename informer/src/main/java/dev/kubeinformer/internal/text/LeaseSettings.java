package dev.kubeinformer.internal.text;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Checks settings of Leases.
 */
public final class LeaseSettings {

	/** Longest name of a namespace, and longest value of a label. */
	public static final int LONGEST_LABEL = 63;

	/** Longest name of a Lease. */
	public static final int LONGEST_NAME = 253;

	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

	private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

	private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

	/**
	 * Minimum time by which the lease duration must exceed the renew deadline. It covers
	 * clocks of different rates and requests in flight.
	 */
	private static final Duration MARGIN = Duration.ofSeconds(2);

	/** Minimum number of renewal attempts within one renew deadline. */
	private static final int ATTEMPTS = 3;

	private LeaseSettings() {
	}

	/**
	 * Checks the namespace of a Lease.
	 * @param namespace the namespace
	 * @throws IllegalArgumentException if the namespace is not valid
	 */
	public static void requireNamespace(String namespace) {
		if (namespace.length() > LONGEST_LABEL || !LABEL.matcher(namespace).matches()) {
			throw new IllegalArgumentException(
					("Invalid Lease namespace '%s': use at most %d lower-case letters, digits and '-', "
							+ "with a letter or digit at both ends")
						.formatted(namespace, LONGEST_LABEL));
		}
	}

	/**
	 * Checks the name of a Lease.
	 * @param name the name
	 * @throws IllegalArgumentException if the name is not valid
	 */
	public static void requireName(String name) {
		if (name.length() > LONGEST_NAME || !SUBDOMAIN.matcher(name).matches()) {
			throw new IllegalArgumentException(
					("Invalid Lease name '%s': use at most %d lower-case letters, digits, '-' and '.', "
							+ "with a letter or digit at both ends")
						.formatted(name, LONGEST_NAME));
		}
	}

	/**
	 * Checks the name of a group of members, which is the value of a label.
	 * @param group the name
	 * @throws IllegalArgumentException if the name is not valid
	 */
	public static void requireGroup(String group) {
		if (group.length() > LONGEST_LABEL || !LABEL_VALUE.matcher(group).matches()) {
			throw new IllegalArgumentException(("Invalid group '%s': use at most %d letters, digits, '-', '_' and '.', "
					+ "with a letter or digit at both ends")
				.formatted(group, LONGEST_LABEL));
		}
	}

	/**
	 * Checks the times of a Lease.
	 * @param leaseDuration the time without a renewal after which another process may
	 * acquire the Lease
	 * @param renewDeadline the time without a renewal after which a term ends
	 * @param retryPeriod the time between two renewals
	 * @throws IllegalArgumentException if the lease duration does not exceed the renew
	 * deadline by at least 2 s, or if the renew deadline is less than three times the
	 * retry period
	 */
	public static void requireTimes(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
		requirePositive(leaseDuration, "lease duration");
		requirePositive(renewDeadline, "renew deadline");
		requirePositive(retryPeriod, "retry period");
		if (leaseDuration.minus(MARGIN).compareTo(renewDeadline) < 0) {
			throw new IllegalArgumentException(
					"The lease duration '%s' must be longer than the renew deadline '%s' by at least %d s: set it to '%s' or more"
						.formatted(text(leaseDuration), text(renewDeadline), MARGIN.toSeconds(),
								text(Durations.countable(renewDeadline).plus(MARGIN))));
		}
		if (renewDeadline.dividedBy(ATTEMPTS).compareTo(retryPeriod) < 0) {
			throw new IllegalArgumentException(
					"The renew deadline '%s' must be at least %d times the retry period '%s': set it to '%s' or more"
						.formatted(text(renewDeadline), ATTEMPTS, text(retryPeriod),
								text(Durations.countable(retryPeriod).multipliedBy(ATTEMPTS))));
		}
	}

	/**
	 * Checks a time.
	 * @param time the time
	 * @param name the name of the setting
	 * @throws IllegalArgumentException if the time is not positive
	 */
	public static void requirePositive(Duration time, String name) {
		if (time.isNegative() || time.isZero()) {
			throw new IllegalArgumentException("The %s '%s' must be positive".formatted(name, text(time)));
		}
	}

	/**
	 * Checks a time that may be zero.
	 * @param time the time
	 * @param name the name of the setting
	 * @throws IllegalArgumentException if the time is negative
	 */
	public static void requireNotNegative(Duration time, String name) {
		if (time.isNegative()) {
			throw new IllegalArgumentException("The %s '%s' must not be negative".formatted(name, text(time)));
		}
	}

	/**
	 * Checks the identity of a process.
	 * @param identity the identity
	 * @throws IllegalArgumentException if the identity is blank
	 */
	public static void requireIdentity(String identity) {
		if (identity.isBlank()) {
			throw new IllegalArgumentException(
					"Invalid identity '%s': it must not be blank; leave it out to have one generated"
						.formatted(identity));
		}
	}

	private static String text(Duration time) {
		return (time.toMillisPart() == 0) ? time.toSeconds() + "s" : Durations.millis(time) + "ms";
	}

	/**
	 * Returns the name of the pod or host of this process.
	 * @return the name
	 */
	public static String host() {
		// In a pod, HOSTNAME is the name of the pod, and reading it needs no DNS.
		String pod = System.getenv("HOSTNAME");
		if (pod != null && !pod.isBlank()) {
			return pod.strip();
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown-host";
		}
	}

}
