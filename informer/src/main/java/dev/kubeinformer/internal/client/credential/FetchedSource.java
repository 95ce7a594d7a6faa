package dev.kubeinformer.internal.client.credential;

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
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;

/**
 * Source that fetches a credential from a plugin or another server. A separate thread
 * fetches it for all callers, so that a plugin that hangs does not delay a shutdown.
 * Shortly before the credential expires, it is fetched again in the background. Requests
 * after its expiry wait for the new one.
 */
final class FetchedSource implements CredentialSource {

	/** Longest time that a request waits for a fetch. */
	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final Duration POLL = Duration.ofMillis(20);

	private final Fetcher fetcher;

	private final ClientTime time;

	private final Runnable exchanged;

	private final ReentrantLock lock = new ReentrantLock();

	private final ExchangeLog log = new ExchangeLog();

	private volatile @Nullable Credential latest;

	private @Nullable Instant dueAt;

	private @Nullable Fetch running;

	private @Nullable IOException failure;

	/** Time at which the last fetch ended; {@code null} if no fetch has ended yet. */
	private @Nullable End endedAt;

	/** Number of fetches since the last new credential that was valid. */
	private int attempts;

	/**
	 * Delays fetches after the HTTP status 401. The first fetch follows immediately,
	 * because the credential may have been revoked. Later fetches are delayed, because a
	 * server that rejects every credential must not cause the plugin to run continuously.
	 */
	private final Refusals refusals = new Refusals();

	private volatile boolean closed;

	/**
	 * Creates a source without fetching.
	 * @param fetcher fetches the credential
	 * @param time the clocks
	 * @param exchanged called after each fetch
	 */
	FetchedSource(Fetcher fetcher, ClientTime time, Runnable exchanged) {
		this.fetcher = fetcher;
		this.time = time;
		this.exchanged = exchanged;
	}

	@Override
	public @Nullable Credential latest() {
		return this.latest;
	}

	@Override
	public boolean isSlow() {
		return true;
	}

	@Override
	public Credential current(BooleanSupplier cancelled) throws IOException {
		Fetch awaited;
		this.lock.lock();
		try {
			Credential known = this.latest;
			if (known != null && !isExpired(known)) {
				fetchIfDue();
				return known;
			}
			if (this.running == null && (isSoonAfterEnd() || isExpiredAgain())) {
				if (this.failure == null && known != null) {
					// The credential had expired when it arrived. client-go uses it,
					// because clocks may differ.
					return known;
				}
				throw failed(this.failure);
			}
			awaited = running();
		}
		finally {
			this.lock.unlock();
		}
		Credential fetched = await(awaited, cancelled);
		if (fetched == null) {
			throw failed(awaited.failure);
		}
		return fetched;
	}

	@Override
	public Credential after(Credential refused, BooleanSupplier cancelled) throws IOException {
		Fetch awaited;
		this.lock.lock();
		try {
			Credential known = this.latest;
			if (known != null && known != refused) {
				return known;
			}
			boolean early = this.refusals.isEarly(this.time.nanoTime().getAsLong());
			if (this.running == null && (early || (this.failure != null && isSoonAfterEnd()))) {
				return refused;
			}
			awaited = running();
			if (!awaited.refused) {
				awaited.refused = true;
				this.refusals.started();
			}
		}
		finally {
			this.lock.unlock();
		}
		Credential fetched = await(awaited, cancelled);
		// As in client-go, the caller reports the 401 if there is no other credential.
		return (fetched != null) ? fetched : refused;
	}

	@Override
	public boolean isTended() {
		// Only certificates are renewed in the background: requests renew a token in
		// time, but a connection keeps its certificate.
		Credential known = this.latest;
		return known != null && known.identity() != null && known.expires() != null;
	}

	@Override
	public @Nullable Duration tend() {
		this.lock.lock();
		try {
			if (!isTended()) {
				return null;
			}
			fetchIfDue();
			return (this.running != null) ? null : untilDue();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void fetchIfDue() {
		Duration due = untilDue();
		if (this.running == null && !this.closed && due != null && due.isZero()) {
			start();
		}
	}

	/**
	 * Returns the time until the credential is fetched again in the background.
	 * @return the time; {@code null} if the credential does not expire, or was not
	 * fetched yet
	 */
	private @Nullable Duration untilDue() {
		Credential known = this.latest;
		if (this.dueAt == null || this.endedAt == null || known == null) {
			return null;
		}
		Duration due = Duration.between(this.time.clock().instant(), this.dueAt);
		Duration pause = Renewal.pause(this.attempts, this.endedAt.time(), known.expires())
			.minusNanos(sinceEnd(this.endedAt));
		Duration wait = (due.compareTo(pause) > 0) ? due : pause;
		return wait.isNegative() ? Duration.ZERO : wait;
	}

	private boolean isExpired(Credential credential) {
		return credential.expires() != null && !this.time.clock().instant().isBefore(credential.expires());
	}

	private boolean isSoonAfterEnd() {
		if (this.endedAt == null || sinceEnd(this.endedAt) >= Renewal.AT_MOST_EVERY.toNanos()) {
			return false;
		}
		// A plugin may return the same credential until its expiry.
		Credential known = this.latest;
		return known == null || !isExpired(known) || !this.endedAt.time().isBefore(known.expires());
	}

	/**
	 * Returns whether the next fetch must wait, because the last credential had already
	 * expired when it arrived.
	 * @return {@code true} until the pause after the last fetch is over
	 */
	private boolean isExpiredAgain() {
		Credential known = this.latest;
		return this.failure == null && this.endedAt != null && known != null && isExpired(known)
				&& !this.endedAt.time().isBefore(known.expires())
				&& sinceEnd(this.endedAt) < Renewal.pause(this.attempts, this.endedAt.time(), null).toNanos();
	}

	private long sinceEnd(End end) {
		return this.time.nanoTime().getAsLong() - end.nanos();
	}

	private Fetch running() throws IOException {
		if (this.closed) {
			throw new IOException("the client was closed");
		}
		return (this.running != null) ? this.running : start();
	}

	private Fetch start() {
		Fetch fetch = new Fetch();
		// Start the thread first. If that fails, no caller must wait for this fetch.
		fetch.thread.start();
		this.running = fetch;
		return fetch;
	}

	private @Nullable Credential await(Fetch fetch, BooleanSupplier cancelled) throws IOException {
		long start = this.time.nanoTime().getAsLong();
		while (true) {
			try {
				return fetch.result.get(POLL.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				if (cancelled.getAsBoolean()) {
					throw new IOException("Canceled", ex);
				}
				if (this.time.nanoTime().getAsLong() - start >= PATIENCE.toNanos()) {
					throw new IOException("%s did not return a credential within %d s".formatted(this.fetcher.name(),
							PATIENCE.toSeconds()), ex);
				}
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new InterruptedIOException("interrupted");
			}
		}
	}

	// Create one exception per caller, so that each has its own stack trace.
	private static IOException failed(@Nullable IOException failure) {
		return (failure != null)
				? new IOException(failure.getMessage(), Objects.requireNonNullElse(failure.getCause(), failure))
				: new IOException("no credential was fetched");
	}

	private void ended(Fetch fetch, @Nullable Credential fetched, @Nullable IOException failed) {
		Credential old;
		boolean isNew;
		boolean repeated;
		this.lock.lock();
		try {
			old = this.latest;
			this.running = null;
			this.failure = failed;
			this.endedAt = new End(this.time.nanoTime().getAsLong(), this.time.clock().instant());
			isNew = fetched != null && (old == null || !fetched.authenticatesAs(old));
			if (fetch.refused) {
				this.refusals.ended(this.endedAt.nanos());
			}
			this.attempts = (isNew && !isExpired(Objects.requireNonNull(fetched))) ? 0 : this.attempts + 1;
			if (fetched != null && (old == null || isNew || !Objects.equals(fetched.expires(), old.expires()))) {
				this.latest = fetched;
				this.dueAt = (fetched.expires() != null) ? Renewal.dueAt(fetched.readAt(), fetched.expires()) : null;
			}
			repeated = (fetch.refused && this.refusals.areSeveral()) || this.attempts > 1;
		}
		finally {
			this.lock.unlock();
		}
		log(old, fetched, failed, isNew, repeated);
		fetch.failure = failed;
	}

	private void log(@Nullable Credential old, @Nullable Credential fetched, @Nullable IOException failed,
			boolean isNew, boolean repeated) {
		if (failed != null) {
			if (old != null && !this.closed) {
				this.log.kept(old, failed, this.time.clock().instant());
			}
		}
		else if (fetched != null && isNew && old != null) {
			this.log.exchanged(fetched, repeated);
		}
		else {
			this.log.healthy();
		}
	}

	@Override
	public void close() {
		Fetch fetch;
		this.lock.lock();
		try {
			this.closed = true;
			fetch = this.running;
		}
		finally {
			this.lock.unlock();
		}
		this.fetcher.close();
		if (fetch != null) {
			fetch.thread.interrupt();
		}
	}

	/**
	 * Time at which a fetch ended, by both clocks.
	 *
	 * @param nanos the reading of the monotonic clock
	 * @param time the wall-clock time
	 */
	private record End(long nanos, Instant time) {

	}

	/**
	 * One fetch, on a thread of its own.
	 */
	private final class Fetch implements Runnable {

		private final CompletableFuture<@Nullable Credential> result = new CompletableFuture<>();

		private final Thread thread = Caretaker.thread(this);

		private volatile @Nullable IOException failure;

		/**
		 * Whether a caller waits for this fetch because of the HTTP status 401. Guarded
		 * by the lock of the source.
		 */
		private boolean refused;

		@Override
		public void run() {
			Credential fetched = null;
			IOException failed = null;
			try {
				fetched = FetchedSource.this.fetcher.fetch();
			}
			catch (IOException ex) {
				failed = ex;
			}
			catch (Throwable ex) {
				// Catch any failure, because callers wait for the result.
				failed = new IOException(
						"%s failed with %s".formatted(FetchedSource.this.fetcher.name(), ex.getClass().getName()), ex);
			}
			try {
				ended(this, fetched, failed);
				FetchedSource.this.exchanged.run();
			}
			finally {
				this.result.complete((failed != null) ? null : FetchedSource.this.latest);
			}
		}

	}

}
