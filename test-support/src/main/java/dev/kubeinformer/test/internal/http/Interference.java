package dev.kubeinformer.test.internal.http;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/**
 * Change of an answer that is otherwise the usual one.
 */
public interface Interference {

	/**
	 * May answer instead of the usual answer.
	 * @param exchange the request
	 * @param status the usual status code
	 * @param body the usual body
	 * @return {@code true} if it answers; otherwise the usual answer is sent
	 */
	default boolean answer(Exchange exchange, int status, byte[] body) {
		return false;
	}

	/**
	 * Returns where a body is written.
	 * @param request the request
	 * @param response the usual response
	 * @return the usual response, or one that passes its writes on
	 */
	default Response response(Request request, Response response) {
		return response;
	}

}
