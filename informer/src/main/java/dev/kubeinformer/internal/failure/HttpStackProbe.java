package dev.kubeinformer.internal.failure;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.net.SocketFactory;

import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Sends a request with OkHttp over a simulated socket, without network access. So the JVM
 * links all classes that a request needs, and reports incompatible versions.
 */
final class HttpStackProbe {

	private static final byte[] ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
		.getBytes(StandardCharsets.US_ASCII);

	private HttpStackProbe() {
	}

	/**
	 * Sends the request.
	 * @throws IOException if OkHttp cannot parse the response; the caller can ignore this
	 * @throws LinkageError if OkHttp and Okio are incompatible
	 */
	static void run() throws IOException {
		// Do not use TLS, because it would load the trust store.
		OkHttpClient client = new OkHttpClient.Builder().connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
			.socketFactory(new AnsweringSockets())
			.proxy(Proxy.NO_PROXY)
			.dns((host) -> List.of(InetAddress.getLoopbackAddress()))
			.retryOnConnectionFailure(false)
			.build();
		try (Response response = client.newCall(new Request.Builder().url("http://localhost/").build()).execute()) {
			response.body().bytes();
		}
		finally {
			client.connectionPool().evictAll();
		}
	}

	/**
	 * Creates sockets that contain a response.
	 */
	private static final class AnsweringSockets extends SocketFactory {

		@Override
		public Socket createSocket() {
			return new AnsweringSocket();
		}

		@Override
		public Socket createSocket(String host, int port) {
			return createSocket();
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
			return createSocket();
		}

		@Override
		public Socket createSocket(InetAddress host, int port) {
			return createSocket();
		}

		@Override
		public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
			return createSocket();
		}

	}

	/**
	 * Socket without a connection.
	 */
	private static final class AnsweringSocket extends Socket {

		private final InputStream answer = new ByteArrayInputStream(ANSWER);

		@Override
		public void connect(SocketAddress endpoint, int timeout) {
			// There is nothing to connect to.
		}

		@Override
		public void setSoTimeout(int timeout) {
			// There is nothing to wait for.
		}

		@Override
		public int getSoTimeout() {
			return 0;
		}

		@Override
		public boolean isConnected() {
			return true;
		}

		@Override
		public InputStream getInputStream() {
			return this.answer;
		}

		@Override
		public OutputStream getOutputStream() {
			return OutputStream.nullOutputStream();
		}

	}

}
