package dev.kubeinformer.benchmark.compare;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Fails the runs after which a client has another state than the server.
 */
final class StateCheck {

	private final Server server;

	private final boolean changing;

	private @Nullable ObjectsState known;

	/**
	 * Checks against a server.
	 * @param server reads its state
	 * @param changing whether each run changes it; if not, it is read again only when a
	 * client has another one
	 */
	StateCheck(Server server, boolean changing) {
		this.server = server;
		this.changing = changing;
	}

	/**
	 * Checks what a program has.
	 * @param forked the program, which has ended
	 * @return the same, or a failure in its place
	 * @throws IOException if the server cannot be read
	 */
	Forked check(Forked forked) throws IOException {
		if (forked.state() == null) {
			return forked;
		}
		ObjectsState expected = this.known;
		if (expected != null && !this.changing) {
			Forked compared = forked.compared(expected);
			if (compared.outcome() != Outcome.WRONG_STATE) {
				return compared;
			}
		}
		expected = this.server.read();
		this.known = expected;
		return forked.compared(expected);
	}

	/**
	 * Reads the state of a server.
	 */
	interface Server {

		ObjectsState read() throws IOException;

	}

}
