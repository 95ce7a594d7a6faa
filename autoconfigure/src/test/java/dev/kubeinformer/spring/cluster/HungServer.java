package dev.kubeinformer.spring.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that accepts connections and never answers.
 */
public final class HungServer implements AutoCloseable {

	private final ServerSocket server;

	private final List<Socket> accepted = new CopyOnWriteArrayList<>();

	public HungServer() {
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread thread = new Thread(this::accept, "hung-server");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		try {
			while (true) {
				this.accepted.add(this.server.accept());
			}
		}
		catch (IOException ex) {
			// It was closed.
		}
	}

	public String url() {
		return "http://127.0.0.1:" + this.server.getLocalPort();
	}

	public int connections() {
		return this.accepted.size();
	}

	@Override
	public void close() {
		try {
			this.server.close();
			for (Socket socket : this.accepted) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
