package dev.kubeinformer.internal.transport;

import java.io.IOException;

import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Refuses requests of runs that may send none any more. It is a network interceptor: a
 * request may have waited for a connection, for credentials, or for another attempt by
 * the HTTP client, and this is the last moment before its bytes are sent. The exception
 * is unchecked, because the client repeats what fails with a checked one.
 */
final class FenceInterceptor implements Interceptor {

	@Override
	public Response intercept(Chain chain) throws IOException {
		Request request = chain.request();
		RunCalls run = request.tag(RunCalls.class);
		if (run != null) {
			run.requireAdmitted(request.method() + " " + request.url().encodedPath());
		}
		return chain.proceed(request);
	}

}
