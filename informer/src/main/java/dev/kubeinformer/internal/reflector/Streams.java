package dev.kubeinformer.internal.reflector;

import org.jspecify.annotations.Nullable;

/**
 * What is known of the server's streaming lists.
 *
 * @param againAt until when lists are not streamed, in nanoseconds; {@code null} if the
 * server was not found not to stream them
 * @param unopened the number of streaming lists in a row that failed to open
 * @param interrupted the number of streaming lists in a row that ended before their
 * marker
 */
record Streams(@Nullable Long againAt, int unopened, int interrupted) {

	static Streams initial() {
		return new Streams(null, 0, 0);
	}

	Streams unsupported(long until) {
		return new Streams(until, 0, 0);
	}

	Streams notOpened() {
		return new Streams(this.againAt, this.unopened + 1, this.interrupted);
	}

	Streams wereInterrupted() {
		return new Streams(this.againAt, this.unopened, this.interrupted + 1);
	}

	Streams stored() {
		return new Streams(this.againAt, 0, 0);
	}

	/**
	 * Returns whether lists may be streamed now, as far as is known of the server.
	 * @param now the time, in nanoseconds
	 * @return whether to try
	 */
	boolean mayStream(long now) {
		Long again = this.againAt;
		return again == null || now - again >= 0;
	}

}
