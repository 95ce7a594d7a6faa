package dev.kubeinformer.test;

/**
 * Where the bytes of a {@link FaultProxy} wait while it is frozen.
 */
final class ProxyGate {

	private boolean closed;

	synchronized void close() {
		this.closed = true;
	}

	synchronized void open() {
		this.closed = false;
		notifyAll();
	}

	/**
	 * Wait until the gate is open.
	 * @throws InterruptedException if the connection is closed meanwhile
	 */
	synchronized void pass() throws InterruptedException {
		while (this.closed) {
			wait();
		}
	}

}
