package dev.kubeinformer.test.internal.proxy;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Connection through a {@link FaultProxy}: two sockets with a thread for each direction.
 * If either socket ends, both are closed, unless a fault hides this from the client.
 */
public final class ProxiedConnection implements Closeable {

	private static final int BUFFER = 64 * 1024;

	private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

	private final Socket client;

	private final Socket target;

	private final ProxyGate gate;

	private final ProxyThrottle throttle;

	private final Consumer<ProxiedConnection> atEnd;

	private final Thread up;

	private final Thread down;

	/**
	 * Whether to discard bytes in both directions, and to hide from the client that the
	 * target has closed the connection.
	 */
	private volatile boolean swallowing;

	/** Whether the client has been sent the end of the stream. */
	private volatile boolean halfClosed;

	public ProxiedConnection(Socket client, ProxyGate gate, ProxyThrottle throttle, AtomicLong bytesRead,
			Consumer<ProxiedConnection> atEnd) {
		this.client = client;
		this.target = new Socket();
		this.gate = gate;
		this.throttle = throttle;
		this.atEnd = atEnd;
		this.up = new Thread(() -> pump(client, this.target, new AtomicLong()), "fault-proxy-up");
		this.up.setDaemon(true);
		this.down = new Thread(() -> pump(this.target, client, bytesRead), "fault-proxy-down");
		this.down.setDaemon(true);
	}

	public void start(InetSocketAddress address) {
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

	/**
	 * Runs a connection that never connects to the target, and ends when the client
	 * closes it.
	 */
	public void hang() {
		this.swallowing = true;
		this.up.start();
	}

	private void pump(Socket from, Socket to, AtomicLong counter) {
		byte[] buffer = new byte[BUFFER];
		try {
			InputStream in = from.getInputStream();
			int count;
			while ((count = in.read(buffer, 0, this.throttle.slice(BUFFER))) >= 0) {
				this.gate.pass();
				this.throttle.pass(count);
				write(to, buffer, count, counter);
			}
			// While the proxy is frozen, the end of a stream is not forwarded either.
			this.gate.pass();
		}
		catch (IOException | InterruptedException ex) {
			// Either side has closed.
		}
		finally {
			if (from == this.client || !isSilenced(to)) {
				close();
				this.atEnd.accept(this);
			}
		}
	}

	private void write(Socket to, byte[] buffer, int count, AtomicLong counter) throws IOException {
		if (isSilenced(to)) {
			return;
		}
		try {
			OutputStream out = to.getOutputStream();
			counter.addAndGet(count);
			out.write(buffer, 0, count);
		}
		catch (IOException ex) {
			// A fault may have ended the stream during the write.
			if (!isSilenced(to)) {
				throw ex;
			}
		}
	}

	private boolean isSilenced(Socket to) {
		return this.swallowing || (this.halfClosed && to == this.client);
	}

	/**
	 * Discards all further bytes in both directions. If the target closes the connection,
	 * the client does not notice.
	 */
	public void swallow() {
		this.swallowing = true;
	}

	/**
	 * Ends the stream to the client; data of the client is still forwarded.
	 */
	public void halfClose() {
		this.halfClosed = true;
		try {
			this.client.shutdownOutput();
		}
		catch (IOException ex) {
			// The client has closed the connection in the meantime.
		}
	}

	/**
	 * Closes both sockets with a reset instead of in an orderly way.
	 */
	public void reset() {
		lingerNot(this.client);
		lingerNot(this.target);
		close();
	}

	private static void lingerNot(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (SocketException ex) {
			// The client has closed the connection in the meantime.
		}
	}

	@Override
	public void close() {
		closeQuietly(this.client);
		closeQuietly(this.target);
		// The threads may be waiting at the gate.
		this.up.interrupt();
		this.down.interrupt();
	}

	private static void closeQuietly(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// The socket is closed in spite of the exception.
		}
	}

	/**
	 * Returns whether both threads have ended.
	 * @return {@code true} if both threads have ended
	 */
	public boolean isOver() {
		return !this.up.isAlive() && !this.down.isAlive();
	}

	public void join() {
		try {
			this.up.join();
			this.down.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
