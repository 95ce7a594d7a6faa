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

	// Ends a request so that its client notices: the connection of HTTP/1.1 is closed in
	// the middle of the body, the stream of HTTP/2 is reset.
	public static void cut(Request request, Callback callback) {
		if (isHttp1(request)) {
			endPoint(request).close();
		}
		abort(callback);
	}

	// Ends a request by the close of its connection, with all the streams of HTTP/2.
	static void close(Request request, Callback callback) {
		endPoint(request).close();
		abort(callback);
	}

	private static void abort(Callback callback) {
		// Any other exception would lead to an error page.
		callback.failed(new Request.Handler.AbortException("The connection is cut"));
	}

	// Lets the close of an HTTP/1.1 connection be a reset.
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
	 * stream. For HTTP/2 this is not needed: it reads continuously, and so notices the
	 * end.
	 * @param request the request, whose whole body was read
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
			// A reset is an end as well.
		}
		throw new EOFException("The client has closed the connection");
	}

	private static EndPoint endPoint(Request request) {
		return request.getConnectionMetaData().getConnection().getEndPoint();
	}

}
