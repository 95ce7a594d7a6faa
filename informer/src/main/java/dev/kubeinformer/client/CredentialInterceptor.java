package dev.kubeinformer.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.function.BooleanSupplier;

import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.credential.Credential;
import dev.kubeinformer.internal.client.credential.Credentials;
import dev.kubeinformer.internal.client.tls.ClusterTls;

/**
 * Authenticates requests with the current credential. If the API server rejects a request
 * (HTTP 401) and a newer credential exists, the request is sent once more. A request that
 * has an {@code Authorization} header already is sent with that header. Thread-safe.
 */
final class CredentialInterceptor implements Interceptor {

	static final String HEADER = "Authorization";

	private final Credentials credentials;

	/** Credential that was obtained last. */
	private volatile @Nullable Credential used;

	/**
	 * Creates an interceptor.
	 * @param credentials the credentials
	 * @param tls the TLS of the connections, which gets the client certificate of the
	 * credential
	 */
	CredentialInterceptor(Credentials credentials, ClusterTls tls) {
		this.credentials = credentials;
		credentials.listen((credential) -> {
			tls.identity(credential.identity());
			this.used = credential;
		});
	}

	/**
	 * Returns the credential that was obtained last.
	 * @return the credential; {@code null} if there is none yet
	 */
	@Nullable Credential used() {
		return this.used;
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		if (chain.request().header(HEADER) != null) {
			return chain.proceed(chain.request());
		}
		BooleanSupplier cancelled = chain.call()::isCanceled;
		Credential credential = this.credentials.current(cancelled);
		Response response = chain.proceed(authorized(chain.request(), credential));
		if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
			return response;
		}
		Credential next;
		try {
			next = this.credentials.after(credential, cancelled);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
		if (next.authenticatesAs(credential) || isOneShot(chain.request())) {
			return response;
		}
		response.close();
		return chain.proceed(authorized(chain.request(), next));
	}

	private static Request authorized(Request request, Credential credential) {
		String authorization = credential.authorization();
		return (authorization != null) ? request.newBuilder().header(HEADER, authorization).build() : request;
	}

	private static boolean isOneShot(Request request) {
		RequestBody body = request.body();
		return body != null && body.isOneShot();
	}

}
