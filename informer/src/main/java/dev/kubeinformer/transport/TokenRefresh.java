package dev.kubeinformer.transport;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Interceptor;
import org.jspecify.annotations.Nullable;

/**
 * Has the token of an {@link ApiClient} renewed that the API server does not accept any
 * more. The client renews it by itself only when its period is over.
 * <p>
 * Many informers may be turned away in the same moment: the token is fetched for all of
 * them by the requests that come next, and a credential plugin that gives the same bad
 * token again is asked for another one every few seconds at most. Safe for use by several
 * threads.
 */
final class TokenRefresh {

	private static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);

	private final ApiClient apiClient;

	private final LongSupplier nanoTime;

	private @Nullable Long renewed;

	/**
	 * Creates the renewal.
	 * @param apiClient the client
	 * @param nanoTime the time that only grows
	 */
	TokenRefresh(ApiClient apiClient, LongSupplier nanoTime) {
		this.apiClient = apiClient;
		this.nanoTime = nanoTime;
	}

	/**
	 * Has the next request fetch its token anew. It does not wait, and a token that never
	 * changes stays as it is.
	 */
	synchronized void renew() {
		long now = this.nanoTime.getAsLong();
		if (this.renewed != null && now - this.renewed < AT_MOST_EVERY.toNanos()) {
			return;
		}
		this.renewed = now;
		for (Interceptor interceptor : this.apiClient.getHttpClient().interceptors()) {
			if (interceptor instanceof RefreshAuthentication authentication) {
				authentication.setExpiry(Instant.MIN);
			}
		}
	}

}
