package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.jspecify.annotations.Nullable;

/**
 * Token that is fetched once for all requests that need it. A separate thread fetches it,
 * because an interrupt does not stop the official client while it reads the output of a
 * credential plugin. So a plugin that hangs blocks neither a stop nor a second attempt.
 * Safe for use by several threads.
 */
final class SharedToken implements Interceptor {

	static final String HEADER = "Authorization";

	/** Time for which a token is used before its expiry is checked. */
	private static final Duration FRESH = Duration.ofSeconds(10);

	/** Minimum time between a failure or a renewal and the next call of the plugin. */
	private static final Duration AT_MOST_EVERY = Duration.ofSeconds(5);

	/** Longest wait of a request for a token. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** Time after which a fetch counts as hung, so that another one is started. */
	private static final Duration HUNG = Duration.ofMinutes(5);

	private static final Duration POLL = Duration.ofMillis(20);

	private final RefreshAuthentication authentication;

	private final OkHttpClient detached;

	private final LongSupplier nanoTime;

	private final String threadName;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Fetch current;

	private @Nullable Long renewed;

	SharedToken(RefreshAuthentication authentication, OkHttpClient client, LongSupplier nanoTime, String threadName) {
		this.authentication = authentication;
		this.detached = detached(client, authentication);
		this.nanoTime = nanoTime;
		this.threadName = threadName;
	}

	private static OkHttpClient detached(OkHttpClient client, Interceptor authentication) {
		// The interceptor only authenticates the request: there is no other way to get a
		// token.
		OkHttpClient.Builder builder = client.newBuilder();
		builder.interceptors().clear();
		builder.networkInterceptors().clear();
		return builder.callTimeout(Duration.ZERO)
			.eventListener(EventListener.NONE)
			.addInterceptor(authentication)
			.addInterceptor((chain) -> new Response.Builder().request(chain.request())
				.protocol(Protocol.HTTP_1_1)
				.code(200)
				.message("")
				.body(ResponseBody.create("", null))
				.build())
			.build();
	}

	@Override
	public Response intercept(Chain chain) throws IOException {
		String authorization = authorization(chain.request(), chain.call());
		if (authorization.isEmpty()) {
			return chain.proceed(chain.request());
		}
		return chain.proceed(chain.request().newBuilder().header(HEADER, authorization).build());
	}

	private String authorization(Request request, Call call) throws IOException {
		CompletableFuture<String> token = token(request);
		long deadline = this.nanoTime.getAsLong() + PATIENCE.toNanos();
		while (true) {
			try {
				return token.get(POLL.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (call.isCanceled()) {
					throw new IOException("Canceled", ex);
				}
				if (this.nanoTime.getAsLong() - deadline > 0) {
					throw new IOException(
							"the client's credentials did not come within %d s; does a credential plugin hang?"
								.formatted(PATIENCE.toSeconds()),
							ex);
				}
			}
			catch (ExecutionException ex) {
				Throwable cause = Objects.requireNonNullElse(ex.getCause(), ex);
				throw new IOException("the client failed with " + cause.getClass().getName(), cause);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new InterruptedIOException("interrupted");
			}
		}
	}

	private CompletableFuture<String> token(Request request) {
		this.lock.lock();
		try {
			if (this.current == null || this.current.isOver()) {
				Fetch fetch = new Fetch(request);
				// Register the fetch only after its thread was started, which may fail.
				fetch.start();
				this.current = fetch;
			}
			return this.current.token;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Makes the next request fetch the token again. If many requests with one token are
	 * rejected, only the first call has an effect. If a plugin returns the same bad token
	 * again, it is called only every few seconds.
	 * @param refused the rejected token
	 */
	void renew(@Nullable String refused) {
		this.lock.lock();
		try {
			long now = this.nanoTime.getAsLong();
			boolean soon = this.renewed != null && now - this.renewed < AT_MOST_EVERY.toNanos();
			if (!soon && this.current != null && this.current.brought(refused)) {
				this.renewed = now;
				this.authentication.setExpiry(Instant.MIN);
				this.current = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Checks on a separate thread whether the token must be fetched, and fetches it.
	 */
	private final class Fetch {

		private final CompletableFuture<String> token = new CompletableFuture<>();

		private final Request request;

		private final long startedAt = SharedToken.this.nanoTime.getAsLong();

		private volatile long doneAt;

		Fetch(Request request) {
			this.request = request;
		}

		void start() {
			Thread thread = new Thread(this::run, SharedToken.this.threadName);
			thread.setDaemon(true);
			thread.start();
		}

		private void run() {
			try (Response response = SharedToken.this.detached.newCall(this.request).execute()) {
				done();
				this.token.complete(Objects.requireNonNullElse(response.request().header(HEADER), ""));
			}
			catch (Throwable ex) {
				// Also catch checked exceptions that other JVM languages throw
				// undeclared, because requests wait for the token.
				done();
				this.token.completeExceptionally(ex);
			}
		}

		private void done() {
			this.doneAt = SharedToken.this.nanoTime.getAsLong();
		}

		boolean isOver() {
			if (!this.token.isDone()) {
				return SharedToken.this.nanoTime.getAsLong() - this.startedAt >= HUNG.toNanos();
			}
			Duration period = SharedToken.this.authentication.getRefreshPeriod();
			Duration holds = this.token.isCompletedExceptionally() ? AT_MOST_EVERY
					: (period.compareTo(FRESH) < 0) ? period : FRESH;
			return SharedToken.this.nanoTime.getAsLong() - this.doneAt >= holds.toNanos();
		}

		boolean brought(@Nullable String authorization) {
			return this.token.isDone() && !this.token.isCompletedExceptionally()
					&& this.token.join().equals(authorization);
		}

	}

}
