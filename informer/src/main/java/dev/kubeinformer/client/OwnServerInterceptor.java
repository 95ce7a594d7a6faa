package dev.kubeinformer.client;

import java.io.IOException;
import java.util.function.Supplier;

import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Applies another interceptor only to requests to the API server. An application may use
 * the HTTP client for other servers, which must not receive the credentials.
 */
final class OwnServerInterceptor implements Interceptor {

	private final Supplier<@Nullable String> basePath;

	private final Interceptor interceptor;

	/**
	 * Creates an interceptor.
	 * @param basePath returns the URL of the API server, which may change
	 * @param interceptor the interceptor for requests to the API server
	 */
	OwnServerInterceptor(Supplier<@Nullable String> basePath, Interceptor interceptor) {
		this.basePath = basePath;
		this.interceptor = interceptor;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		return isOwn(chain.request().url()) ? this.interceptor.intercept(chain) : chain.proceed(chain.request());
	}

	private boolean isOwn(HttpUrl url) {
		String path = this.basePath.get();
		HttpUrl own = (path != null) ? HttpUrl.parse(path) : null;
		return own != null && own.scheme().equals(url.scheme()) && own.host().equals(url.host())
				&& own.port() == url.port();
	}

}
