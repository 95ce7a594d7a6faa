package dev.kubeinformer.benchmark.large;

import java.io.IOException;

/** API server in a separate process that can be stopped and restarted. */
interface RestartedServer extends AutoCloseable {

	/**
	 * Stops the server without a chance to close its connections properly.
	 * @throws IOException if it cannot be reached
	 * @throws InterruptedException if interrupted
	 */
	void kill() throws IOException, InterruptedException;

	/**
	 * Restarts the server.
	 * @throws IOException if it does not start
	 */
	void start() throws IOException;

	@Override
	void close() throws IOException;

}
