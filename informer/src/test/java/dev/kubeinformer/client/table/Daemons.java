package dev.kubeinformer.client.table;

import java.io.IOException;

/**
 * Starts threads that end with the test.
 */
final class Daemons {

	private Daemons() {
	}

	static void start(Work work) {
		Thread thread = new Thread(() -> {
			try {
				work.run();
			}
			catch (IOException ex) {
				// A side has hung up, or the test is over.
			}
		}, "kubeconfig-table");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Work that ends with a connection.
	 */
	interface Work {

		void run() throws IOException;

	}

}
