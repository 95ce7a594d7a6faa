package dev.kubeinformer.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.credential.Credential;
import dev.kubeinformer.internal.client.credential.Credentials;
import dev.kubeinformer.internal.client.tls.ClusterTls;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Authenticates requests by the current credential. A request that the API server refuses
 * (HTTP 401) is sent once more if there is another credential by then. A request that
 * brings an {@code Authorization} of its own keeps it. Safe for use by several threads.
 */
final class CredentialInterceptor implements Interceptor {

	static final String HEADER = "Authorization";

	private final Credentials credentials;

	private final ClusterTls tls;

	private final ReentrantLock lock = new ReentrantLock();

	/** Credential whose client certificate the connections use. */
	private volatile @Nullable Credential used;

	CredentialInterceptor(Credentials credentials, ClusterTls tls) {
		this.credentials = credentials;
		this.tls = tls;
	}

	/**
	 * Returns the credential that was used last.
	 * @return the credential; {@code null} if none was needed yet
	 */
	@Nullable Credential used() {
		return this.used;
	}

	/**
	 * Fetches the credential before the first request.
	 * @throws IOException if it cannot be had
	 */
	void prepare() throws IOException {
		use(this.credentials.current(() -> false));
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		BooleanSupplier cancelled = chain.call()::isCanceled;
		Credential credential = current(cancelled);
		String own = chain.request().header(HEADER);
		if (own != null && !own.equals(credential.authorization())) {
			return chain.proceed(chain.request());
		}
		Response response = chain.proceed(authorized(chain.request(), credential));
		if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
			return response;
		}
		Credential next = after(credential, cancelled, response);
		if (isSame(credential, next) || isOneShot(chain.request())) {
			return response;
		}
		response.close();
		return chain.proceed(authorized(chain.request(), next));
	}

	private Credential current(BooleanSupplier cancelled) throws IOException {
		try {
			Credential credential = this.credentials.current(cancelled);
			use(credential);
			return credential;
		}
		catch (ClientConfigurationException ex) {
			throw new IOException(ex.getMessage(), ex);
		}
	}

	private Credential after(Credential refused, BooleanSupplier cancelled, Response response) throws IOException {
		try {
			Credential next = this.credentials.after(refused, cancelled);
			use(next);
			return next;
		}
		catch (ClientConfigurationException ex) {
			response.close();
			throw new IOException(ex.getMessage(), ex);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	private void use(Credential credential) {
		if (credential == this.used) {
			return;
		}
		this.lock.lock();
		try {
			Credential last = this.used;
			// Another request may have met a newer one meanwhile.
			if (last != null && credential.readAt().isBefore(last.readAt())) {
				return;
			}
			if (!Objects.equals((last != null) ? last.identity() : null, credential.identity())) {
				this.tls.identity(credential.identity());
			}
			this.used = credential;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static Request authorized(Request request, Credential credential) {
		String authorization = credential.authorization();
		return (authorization != null) ? request.newBuilder().header(HEADER, authorization).build() : request;
	}

	private static boolean isSame(Credential refused, Credential next) {
		return Objects.equals(refused.authorization(), next.authorization())
				&& Objects.equals(refused.identity(), next.identity());
	}

	private static boolean isOneShot(Request request) {
		RequestBody body = request.body();
		return body != null && body.isOneShot();
	}

}
