package dev.kubeinformer.benchmark.leader;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Line of a replica's output: the event, and its time by the monotonic clock, which the
 * JVMs of a machine share on Linux.
 *
 * @param replica the name of the replica
 * @param nanos the time, by {@link System#nanoTime()}
 * @param kind the kind of event
 * @param details the other words of the line, without blanks
 */
record Entry(String replica, long nanos, Kind kind, List<String> details) {

	private static final String MARK = "ENTRY";

	Entry {
		details = List.copyOf(details);
	}

	/**
	 * Reads a line.
	 * @param replica the name of the replica
	 * @param line the line of output
	 * @return the entry; {@code null} if the line is not an entry
	 */
	static @Nullable Entry of(String replica, String line) {
		String[] words = line.split(" ");
		if (!words[0].equals(MARK)) {
			return null;
		}
		if (words.length < 3) {
			throw new IllegalArgumentException("'%s' of replica '%s' is not a complete entry".formatted(line, replica));
		}
		return new Entry(replica, Long.parseLong(words[1]), Kind.valueOf(words[2]),
				Arrays.asList(words).subList(3, words.length));
	}

	static String line(long nanos, Kind kind, Object... details) {
		StringBuilder line = new StringBuilder("%s %d %s".formatted(MARK, nanos, kind));
		for (Object detail : details) {
			line.append(' ').append(detail.toString().replaceAll("\\s+", "_"));
		}
		return line.toString();
	}

	String detail(int index) {
		return this.details.get(index);
	}

	/** Kind of an event in a replica. */
	enum Kind {

		/** The application is ready. */
		READY,

		/** The requested state of the elector; detail: the state. */
		STATE,

		/** A term began; detail: its number. */
		GRANTED,

		/** A term is over; details: its number, the reason. */
		REVOKED,

		/** The Lease was renewed; detail: the slack in milliseconds. */
		RENEWED,

		/** A run of the reconciler began; detail: the number of the run. */
		BEGIN,

		/** A run has ended; details: the number of the run, the outcome. */
		END,

		/** A scheduled method of the leader was entered. */
		TICK,

		/** A full collection has ended; detail: its duration in milliseconds. */
		COLLECTED

	}

}
