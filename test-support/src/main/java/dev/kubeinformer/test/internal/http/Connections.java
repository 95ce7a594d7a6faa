package dev.kubeinformer.test.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Access to the connection below a request.
 */
public final class Connections {

	private Connections() {
	}

	public static boolean isHttp1(Request request) {
		return request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_2;
	}

	// Aborts a request so that its client notices: an HTTP/1.1 connection is closed in
	// the middle of the body, and an HTTP/2 stream is reset.
	public static void cut(Request request, Callback callback) {
		if (isHttp1(request)) {
			endPoint(request).close();
		}
		abort(callback);
	}

	// Ends a request by closing its connection, with HTTP/2 including all other streams.
	static void close(Request request, Callback callback) {
		endPoint(request).close();
		abort(callback);
	}

	private static void abort(Callback callback) {
		// Any other exception would lead to an error page.
		callback.failed(new Request.Handler.AbortException("The connection is cut"));
	}

	// Makes the close of an HTTP/1.1 connection a reset (RST).
	public static void lingerNot(Request request) {
		if (isHttp1(request) && transport(endPoint(request)) instanceof SocketChannel channel) {
			try {
				channel.setOption(StandardSocketOptions.SO_LINGER, 0);
			}
			catch (IOException ex) {
				// The connection is already closed.
			}
		}
	}

	// The socket, which TLS wraps once more.
	private static Object transport(EndPoint endPoint) {
		return (endPoint.getTransport() instanceof EndPoint wrapped) ? transport(wrapped) : endPoint.getTransport();
	}

	/**
	 * Checks that the client of an HTTP/1.1 request is still connected. A client that
	 * waits for a response does not send data, so a read finds only the end of the
	 * stream. HTTP/2 does not need this check, because it reads continuously and so
	 * notices the end.
	 * @param request the request, whose body was read completely
	 * @throws EOFException if the client has closed the connection
	 */
	public static void checkOpen(Request request) throws EOFException {
		ByteBuffer buffer = BufferUtil.allocate(1);
		try {
			if (endPoint(request).fill(buffer) == 0) {
				return;
			}
		}
		catch (IOException ex) {
			// A reset counts as the end, too.
		}
		throw new EOFException("The client has closed the connection");
	}

	private static EndPoint endPoint(Request request) {
		return request.getConnectionMetaData().getConnection().getEndPoint();
	}

}
