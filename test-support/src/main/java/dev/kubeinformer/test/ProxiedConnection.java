package dev.kubeinformer.test;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * One connection through a {@link FaultProxy}: two sockets, and a thread for each
 * direction. The end of either socket is the end of both.
 */
final class ProxiedConnection implements Closeable {

	private static final int BUFFER = 64 * 1024;

	private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

	private final Socket client;

	private final Socket target;

	private final ProxyGate gate;

	private final Consumer<ProxiedConnection> atEnd;

	private final Thread up;

	private final Thread down;

	ProxiedConnection(Socket client, Socket target, ProxyGate gate, AtomicLong bytesRead,
			Consumer<ProxiedConnection> atEnd) {
		this.client = client;
		this.target = target;
		this.gate = gate;
		this.atEnd = atEnd;
		this.up = new Thread(() -> pump(client, target, new AtomicLong()), "fault-proxy-up");
		this.up.setDaemon(true);
		this.down = new Thread(() -> pump(target, client, bytesRead), "fault-proxy-down");
		this.down.setDaemon(true);
	}

	void start(InetSocketAddress address) {
		try {
			this.target.connect(address, CONNECT_TIMEOUT_MILLIS);
			this.client.setTcpNoDelay(true);
			this.target.setTcpNoDelay(true);
			this.up.start();
			this.down.start();
		}
		catch (IOException ex) {
			close();
			this.atEnd.accept(this);
		}
	}

	private void pump(Socket from, Socket to, AtomicLong counter) {
		byte[] buffer = new byte[BUFFER];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			int count;
			while ((count = in.read(buffer)) >= 0) {
				this.gate.pass();
				counter.addAndGet(count);
				out.write(buffer, 0, count);
			}
			// the end of a stream is news as well
			this.gate.pass();
		}
		catch (IOException | InterruptedException ex) {
			// either side has closed
		}
		finally {
			close();
			this.atEnd.accept(this);
		}
	}

	@Override
	public void close() {
		closeQuietly(this.client);
		closeQuietly(this.target);
		// they may wait at the gate
		this.up.interrupt();
		this.down.interrupt();
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// closed all the same
		}
	}

	/**
	 * Return whether both threads have ended.
	 * @return whether there is nothing to wait for
	 */
	boolean isOver() {
		return !this.up.isAlive() && !this.down.isAlive();
	}

	void join() {
		try {
			this.up.join();
			this.down.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
