package dev.kubeinformer.test.internal.http;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Changes a response that is otherwise the usual one. Faults use it.
 */
public interface Interference {

	/**
	 * May respond instead of the usual response.
	 * @param exchange the request
	 * @param status the usual status code
	 * @param body the usual body
	 * @return {@code true} if it responds; otherwise the usual response is sent
	 */
	default boolean answer(Exchange exchange, int status, byte[] body) {
		return false;
	}

	/**
	 * Returns the response to which a body is written.
	 * @param request the request
	 * @param response the usual response
	 * @return the usual response, or one that passes its writes on
	 */
	default Response response(Request request, Response response) {
		return response;
	}

}
