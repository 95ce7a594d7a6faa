package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Socket that can still read the server's last data after the server has closed the
 * connection. With TLS 1.3, a client may already send its request when the server rejects
 * it, mostly because of a missing certificate. The request would fail with "Broken pipe"
 * and hide the reason: the alert of the server, which has already arrived. So a write to
 * a closed connection does not fail immediately. Instead, the next read throws the
 * exception, if there is no data to read.
 */
final class AttentiveSocket extends Socket {

	private final Socket socket;

	private final InputStream input;

	private final OutputStream output;

	/** Failure of a write; {@code null} if no write has failed. */
	private volatile @Nullable SocketException failure;

	/**
	 * Wraps a socket.
	 * @param socket a connected socket
	 * @throws IOException if the socket is not connected
	 */
	AttentiveSocket(Socket socket) throws IOException {
		super((SocketImpl) null);
		this.socket = socket;
		this.input = new Input(socket.getInputStream());
		this.output = new Output(socket.getOutputStream());
	}

	// The server has closed the connection, so a read does not block.
	private static boolean isHangUp(SocketException failure) {
		String message = String.valueOf(failure.getMessage());
		return message.contains("Broken pipe") || message.contains("Connection reset");
	}

	@Override
	public InputStream getInputStream() {
		return this.input;
	}

	@Override
	public OutputStream getOutputStream() {
		return this.output;
	}

	@Override
	public void connect(SocketAddress endpoint) throws IOException {
		this.socket.connect(endpoint);
	}

	@Override
	public void connect(SocketAddress endpoint, int timeout) throws IOException {
		this.socket.connect(endpoint, timeout);
	}

	@Override
	public void bind(SocketAddress bindpoint) throws IOException {
		this.socket.bind(bindpoint);
	}

	@Override
	public InetAddress getInetAddress() {
		return this.socket.getInetAddress();
	}

	@Override
	public InetAddress getLocalAddress() {
		return this.socket.getLocalAddress();
	}

	@Override
	public int getPort() {
		return this.socket.getPort();
	}

	@Override
	public int getLocalPort() {
		return this.socket.getLocalPort();
	}

	@Override
	public SocketAddress getRemoteSocketAddress() {
		return this.socket.getRemoteSocketAddress();
	}

	@Override
	public SocketAddress getLocalSocketAddress() {
		return this.socket.getLocalSocketAddress();
	}

	@Override
	public SocketChannel getChannel() {
		return this.socket.getChannel();
	}

	@Override
	public void setTcpNoDelay(boolean on) throws SocketException {
		this.socket.setTcpNoDelay(on);
	}

	@Override
	public boolean getTcpNoDelay() throws SocketException {
		return this.socket.getTcpNoDelay();
	}

	@Override
	public void setSoLinger(boolean on, int linger) throws SocketException {
		this.socket.setSoLinger(on, linger);
	}

	@Override
	public int getSoLinger() throws SocketException {
		return this.socket.getSoLinger();
	}

	@Override
	public void sendUrgentData(int data) throws IOException {
		this.socket.sendUrgentData(data);
	}

	@Override
	public void setOOBInline(boolean on) throws SocketException {
		this.socket.setOOBInline(on);
	}

	@Override
	public boolean getOOBInline() throws SocketException {
		return this.socket.getOOBInline();
	}

	@Override
	public void setSoTimeout(int timeout) throws SocketException {
		this.socket.setSoTimeout(timeout);
	}

	@Override
	public int getSoTimeout() throws SocketException {
		return this.socket.getSoTimeout();
	}

	@Override
	public void setSendBufferSize(int size) throws SocketException {
		this.socket.setSendBufferSize(size);
	}

	@Override
	public int getSendBufferSize() throws SocketException {
		return this.socket.getSendBufferSize();
	}

	@Override
	public void setReceiveBufferSize(int size) throws SocketException {
		this.socket.setReceiveBufferSize(size);
	}

	@Override
	public int getReceiveBufferSize() throws SocketException {
		return this.socket.getReceiveBufferSize();
	}

	@Override
	public void setKeepAlive(boolean on) throws SocketException {
		this.socket.setKeepAlive(on);
	}

	@Override
	public boolean getKeepAlive() throws SocketException {
		return this.socket.getKeepAlive();
	}

	@Override
	public void setTrafficClass(int trafficClass) throws SocketException {
		this.socket.setTrafficClass(trafficClass);
	}

	@Override
	public int getTrafficClass() throws SocketException {
		return this.socket.getTrafficClass();
	}

	@Override
	public void setReuseAddress(boolean on) throws SocketException {
		this.socket.setReuseAddress(on);
	}

	@Override
	public boolean getReuseAddress() throws SocketException {
		return this.socket.getReuseAddress();
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	@Override
	public void shutdownInput() throws IOException {
		this.socket.shutdownInput();
	}

	@Override
	public void shutdownOutput() throws IOException {
		this.socket.shutdownOutput();
	}

	@Override
	public boolean isConnected() {
		return this.socket.isConnected();
	}

	@Override
	public boolean isBound() {
		return this.socket.isBound();
	}

	@Override
	public boolean isClosed() {
		return this.socket.isClosed();
	}

	@Override
	public boolean isInputShutdown() {
		return this.socket.isInputShutdown();
	}

	@Override
	public boolean isOutputShutdown() {
		return this.socket.isOutputShutdown();
	}

	@Override
	public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
		this.socket.setOption(name, value);
		return this;
	}

	@Override
	public <T> T getOption(SocketOption<T> name) throws IOException {
		return this.socket.getOption(name);
	}

	@Override
	public Set<SocketOption<?>> supportedOptions() {
		return this.socket.supportedOptions();
	}

	@Override
	public String toString() {
		return this.socket.toString();
	}

	private final class Input extends InputStream {

		private final InputStream raw;

		Input(InputStream raw) {
			this.raw = raw;
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xFF;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			int read;
			try {
				read = this.raw.read(bytes, offset, length);
			}
			catch (SocketException ex) {
				throwFailure();
				throw ex;
			}
			if (read < 0) {
				throwFailure();
			}
			return read;
		}

		private void throwFailure() throws SocketException {
			SocketException failed = AttentiveSocket.this.failure;
			if (failed != null) {
				throw failed;
			}
		}

		@Override
		public int available() throws IOException {
			return this.raw.available();
		}

		@Override
		public void close() throws IOException {
			this.raw.close();
		}

	}

	private final class Output extends OutputStream {

		private final OutputStream raw;

		Output(OutputStream raw) {
			this.raw = raw;
		}

		@Override
		public void write(int value) throws IOException {
			write(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			if (AttentiveSocket.this.failure != null) {
				return;
			}
			try {
				this.raw.write(bytes, offset, length);
			}
			catch (SocketException ex) {
				if (!isHangUp(ex)) {
					throw ex;
				}
				AttentiveSocket.this.failure = ex;
			}
		}

		@Override
		public void flush() throws IOException {
			this.raw.flush();
		}

		@Override
		public void close() throws IOException {
			this.raw.close();
		}

	}

}
