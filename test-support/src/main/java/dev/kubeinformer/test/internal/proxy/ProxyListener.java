package dev.kubeinformer.test.internal.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Port of a {@link FaultProxy}, with the thread that accepts its connections.
 */
public final class ProxyListener implements Closeable {

	private static final int BACKLOG = 128;

	private final ServerSocket socket = new ServerSocket();

	private final Thread acceptor;

	private final Client connect;

	public ProxyListener(InetSocketAddress address, Client connect) throws IOException {
		this.connect = connect;
		// Connections of an earlier listener on this port may still exist.
		this.socket.setReuseAddress(true);
		this.socket.bind(address, BACKLOG);
		this.acceptor = new Thread(this::accept, "fault-proxy-" + this.socket.getLocalPort());
		this.acceptor.setDaemon(true);
	}

	public InetSocketAddress address() {
		return (InetSocketAddress) this.socket.getLocalSocketAddress();
	}

	public void start() {
		this.acceptor.start();
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				this.connect.accept(this.socket.accept());
			}
			catch (IOException ex) {
				// The port was closed, or the connection of a client has failed.
			}
		}
	}

	/**
	 * Closes the port and waits for the end of the thread.
	 */
	@Override
	public void close() throws IOException {
		this.socket.close();
		try {
			this.acceptor.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Receives an accepted connection.
	 */
	public interface Client {

		void accept(Socket socket) throws IOException;

	}

}
