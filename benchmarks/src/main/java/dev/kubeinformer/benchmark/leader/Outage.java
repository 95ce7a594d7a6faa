package dev.kubeinformer.benchmark.leader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Takes the API server away, and brings it back with all that it stored.
 */
interface Outage extends Closeable {

	/**
	 * Returns what replicas connect by.
	 * @return the kubeconfig
	 */
	Path kubeconfig();

	/**
	 * Takes it away.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void begin() throws IOException, InterruptedException;

	/**
	 * Brings it back.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void end() throws IOException, InterruptedException;

}
