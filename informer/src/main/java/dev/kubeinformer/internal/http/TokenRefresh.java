package dev.kubeinformer.internal.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * Tokens of an API client that all informers share. They are fetched once for all, and
 * again when the API server no longer accepts them. The official client fetches them once
 * for each concurrent request, and renews them only when they expire. Safe for use by
 * several threads.
 */
public final class TokenRefresh {

	private final LongSupplier nanoTime;

	private final String threadName;

	private final List<SharedToken> tokens = new CopyOnWriteArrayList<>();

	/**
	 * Creates the renewal.
	 * @param nanoTime the monotonic clock
	 * @param threadName the name of threads that fetch a token
	 */
	public TokenRefresh(LongSupplier nanoTime, String threadName) {
		this.threadName = threadName;
		this.nanoTime = nanoTime;
	}

	/**
	 * Copies a client so that its requests share their tokens.
	 * @param client the client of the application
	 * @return the copy
	 */
	public OkHttpClient share(OkHttpClient client) {
		OkHttpClient.Builder builder = client.newBuilder();
		builder.interceptors().replaceAll((interceptor) -> shared(interceptor, client));
		return builder.build();
	}

	private Interceptor shared(Interceptor interceptor, OkHttpClient client) {
		if (interceptor instanceof RefreshAuthentication authentication) {
			SharedToken token = new SharedToken(authentication, client, this.nanoTime, this.threadName);
			this.tokens.add(token);
			return token;
		}
		return interceptor;
	}

	/**
	 * Makes the next request fetch the token again, unless that happened meanwhile. This
	 * method does not block, and a static token stays unchanged.
	 * @param refused the response to a rejected request
	 */
	public void renew(Response refused) {
		String authorization = refused.request().header(SharedToken.HEADER);
		this.tokens.forEach((token) -> token.renew(authorization));
	}

}
