package dev.kubeinformer.benchmark.compare;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** Marks runs as failed whose client has another final state than the server. */
final class StateCheck {

	private final Server server;

	private final boolean changing;

	private @Nullable ObjectsState known;

	/**
	 * Creates a check against a server.
	 * @param server reads the server's state
	 * @param changing whether each run changes that state; otherwise it is read again
	 * only when a client's state differs
	 */
	StateCheck(Server server, boolean changing) {
		this.server = server;
		this.changing = changing;
	}

	/**
	 * Checks the final state of a program.
	 * @param forked the ended program
	 * @return the same program, or a failure
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
