package dev.kubeinformer.benchmark.leader;

import java.io.PrintStream;

/**
 * Prints what happens in a replica. It may be used by several threads.
 */
class Journal {

	private final PrintStream out;

	Journal(PrintStream out) {
		this.out = out;
	}

	/**
	 * Prints a line, with the time at which this was called.
	 * @param kind what happened
	 * @param details the rest
	 */
	void write(Entry.Kind kind, Object... details) {
		String line = Entry.line(System.nanoTime(), kind, details) + "\n";
		synchronized (this.out) {
			this.out.print(line);
			this.out.flush();
		}
	}

}
