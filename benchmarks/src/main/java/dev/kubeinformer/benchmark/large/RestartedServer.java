package dev.kubeinformer.benchmark.large;

import java.io.IOException;

/**
 * API server in a process of its own, which goes away and comes back.
 */
interface RestartedServer extends AutoCloseable {

	/**
	 * Takes the server away, without a chance to end its connections in an orderly way.
	 * @throws IOException if it cannot be reached
	 * @throws InterruptedException if interrupted
	 */
	void kill() throws IOException, InterruptedException;

	/**
	 * Brings the server back.
	 * @throws IOException if it does not start
	 */
	void start() throws IOException;

	@Override
	void close() throws IOException;

}
