package dev.kubeinformer.test.internal.http;

import org.jspecify.annotations.Nullable;

/**
 * HTTP server that is prepared by a separate thread. Most of the time for its start is
 * spent on loading classes. Meanwhile, the caller can do other steps of the start.
 */
public final class PreparedServer extends Thread {

	private final int port;

	private final boolean tls;

	private @Nullable HttpServer server;

	private @Nullable Throwable failure;

	private PreparedServer(String name, int port, boolean tls) {
		super(name);
		this.port = port;
		this.tls = tls;
		setDaemon(true);
	}

	/**
	 * Begins to prepare a server.
	 * @param name the name of the threads
	 * @param port the port, 0 for a free one
	 * @param tls {@code true} to create certificates for TLS
	 * @return the server being prepared
	 */
	public static PreparedServer begin(String name, int port, boolean tls) {
		PreparedServer prepared = new PreparedServer(name, port, tls);
		prepared.start();
		return prepared;
	}

	@Override
	public void run() {
		try {
			this.server = HttpServer.of(getName(), this.port, (this.tls) ? Certificates.create() : null);
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
		}
	}

	/**
	 * Waits for the server, even if the caller is interrupted.
	 * @return the server, which is not started yet
	 * @throws IllegalStateException if the server could not be created
	 */
	public HttpServer await() {
		boolean interrupted = false;
		while (isAlive()) {
			try {
				join();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (this.server == null) {
			throw new IllegalStateException("The HTTP server failed", this.failure);
		}
		return this.server;
	}

}
