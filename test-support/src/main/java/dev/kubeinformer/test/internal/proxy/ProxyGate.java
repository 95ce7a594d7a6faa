package dev.kubeinformer.test.internal.proxy;

/**
 * Holds the bytes that a {@link FaultProxy} forwards while the proxy is frozen.
 */
public final class ProxyGate {

	private boolean closed;

	public synchronized void close() {
		this.closed = true;
	}

	public synchronized void open() {
		this.closed = false;
		notifyAll();
	}

	/**
	 * Waits until the gate is open.
	 * @throws InterruptedException if the connection is closed during the wait
	 */
	synchronized void pass() throws InterruptedException {
		while (this.closed) {
			wait();
		}
	}

}
