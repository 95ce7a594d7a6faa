package dev.kubeinformer.benchmark.leader;

import java.io.PrintStream;

/** Prints the events of a replica. Safe for use by several threads. */
class Journal {

	private final PrintStream out;

	Journal(PrintStream out) {
		this.out = out;
	}

	/**
	 * Prints a line with the time of the call.
	 * @param kind the kind of event
	 * @param details the other words
	 */
	void write(Entry.Kind kind, Object... details) {
		String line = Entry.line(System.nanoTime(), kind, details) + "\n";
		synchronized (this.out) {
			this.out.print(line);
			this.out.flush();
		}
	}

}
