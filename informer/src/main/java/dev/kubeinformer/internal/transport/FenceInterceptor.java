package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.HttpURLConnection;
import java.util.regex.Pattern;

import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

import dev.kubeinformer.internal.failure.UnansweredException;

/**
 * Rejects requests of runs that must not send requests any more, according to their
 * {@link Fence}. It is a network interceptor, because network interceptors are called at
 * the last moment before the bytes are sent: a request may have waited for a connection,
 * for credentials, or for a retry by the HTTP client. The exception is unchecked, because
 * the HTTP client retries a request after a checked one.
 * <p>
 * It also prevents the HTTP client from retrying requests that could take effect twice,
 * such as a POST. Otherwise an object with a generated name could be created twice: the
 * server may have completed a request although its response was lost or a proxy timed
 * out.
 */
final class FenceInterceptor implements Interceptor {

	private static final Pattern NO_WAIT = Pattern.compile("\\s*0*\\s*");

	@Override
	public Response intercept(Chain chain) throws IOException {
		Request request = chain.request();
		RunCalls run = request.tag(RunCalls.class);
		if (run != null) {
			run.requireAdmitted(request);
		}
		try {
			Response response = chain.proceed(request);
			return (run != null && isLast(request)) ? unrepeated(response) : response;
		}
		catch (IOException ex) {
			throw (run != null && isLast(request) && mayHaveArrived(ex)) ? new UnansweredException(ex) : ex;
		}
	}

	private static boolean isLast(Request request) {
		return !isRepeatable(request) || request.tag(OwnConnectionInterceptor.Repeated.class) != null;
	}

	// OkHttp immediately repeats requests whose response is 408 or 503, unless the
	// server asks it to wait (RetryAndFollowUpInterceptor.followUpRequest).
	static Response unrepeated(Response response) {
		return isRepeated(response) ? response.newBuilder().header("Retry-After", "1").build() : response;
	}

	private static boolean isRepeated(Response response) {
		if (response.code() != HttpURLConnection.HTTP_CLIENT_TIMEOUT
				&& response.code() != HttpURLConnection.HTTP_UNAVAILABLE) {
			return false;
		}
		String wait = response.header("Retry-After");
		return wait == null || NO_WAIT.matcher(wait).matches();
	}

	/**
	 * Returns whether OkHttp would repeat a request immediately.
	 * @param response the response
	 * @return {@code true} if OkHttp would repeat the request because of the response
	 */
	static boolean isToBeRepeated(Response response) {
		boolean asked = response.code() == HttpURLConnection.HTTP_CLIENT_TIMEOUT
				|| response.header("Retry-After") != null;
		return asked && isRepeated(response);
	}

	/**
	 * Returns whether a request may be sent again if its response was lost.
	 * @param request the request
	 * @return {@code true} if the second request does not change the result
	 */
	static boolean isRepeatable(Request request) {
		RequestBody body = request.body();
		MediaType type = (body != null) ? body.contentType() : null;
		return switch (request.method()) {
			case "POST" -> false;
			// A JSON patch may append to a list.
			case "PATCH" -> type == null || !type.subtype().equals("json-patch+json");
			default -> true;
		};
	}

	// The server did not process a stream that it refused (RFC 9113, section 8.7), or for
	// which the connection had no capacity. Requests that timed out are never repeated.
	private static boolean mayHaveArrived(IOException failure) {
		return !(failure instanceof InterruptedIOException)
				&& !failure.getClass().getSimpleName().equals("ConnectionShutdownException")
				&& !String.valueOf(failure.getMessage()).contains("REFUSED_STREAM");
	}

}
