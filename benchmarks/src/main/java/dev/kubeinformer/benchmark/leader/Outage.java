package dev.kubeinformer.benchmark.leader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Stops the API server, and restarts it with all of its data. */
interface Outage extends Closeable {

	/**
	 * Returns the kubeconfig of the replicas.
	 * @return the kubeconfig
	 */
	Path kubeconfig();

	/**
	 * Stops the API server.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void begin() throws IOException, InterruptedException;

	/**
	 * Restarts the API server.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void end() throws IOException, InterruptedException;

}
