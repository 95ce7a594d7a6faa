package dev.kubeinformer.internal.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * Makes all requests of an API client share their tokens. A token is fetched once for all
 * requests, and again when the API server does not accept it any more. The official
 * client would fetch it once for each concurrent request, and renew it only when it
 * expires. Safe for use by several threads.
 */
public final class TokenRefresh {

	private final LongSupplier nanoTime;

	private final String threadName;

	private final List<SharedToken> tokens = new CopyOnWriteArrayList<>();

	/**
	 * Creates an instance that has not fetched a token yet.
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
	 * Makes the next request fetch the token again. Does nothing if the token was fetched
	 * again after the rejected request was sent, or if the token never changes. This
	 * method does not block.
	 * @param refused the response to a rejected request
	 */
	public void renew(Response refused) {
		String authorization = refused.request().header(SharedToken.HEADER);
		this.tokens.forEach((token) -> token.renew(authorization));
	}

}
