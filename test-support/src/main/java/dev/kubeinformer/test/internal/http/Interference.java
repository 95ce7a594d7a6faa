package dev.kubeinformer.test.internal.http;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Changes a response that would otherwise be normal. Faults implement this interface.
 */
public interface Interference {

	/**
	 * Sends another response instead of the usual one, or does nothing.
	 * @param exchange the request
	 * @param status the usual status code
	 * @param body the usual body
	 * @return {@code true} if this method has responded; otherwise the usual response is
	 * sent
	 */
	default boolean answer(Exchange exchange, int status, byte[] body) {
		return false;
	}

	/**
	 * Returns the response to which a body is written.
	 * @param request the request
	 * @param response the usual response
	 * @return the usual response, or a response that forwards its writes
	 */
	default Response response(Request request, Response response) {
		return response;
	}

}
