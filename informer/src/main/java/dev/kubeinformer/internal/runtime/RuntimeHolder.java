package dev.kubeinformer.internal.runtime;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * The client of an application's informers and what they share while they run. One caller
 * asks for the client, which may take long or fail, and the others wait for it; no lock
 * is held meanwhile. Safe for use by several threads.
 */
public final class RuntimeHolder {

	/**
	 * How long one thread waits for the client that another one asks for: longer than a
	 * credential plugin may take.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(75);

	private final Supplier<ApiClient> clients;

	private final Function<ApiClient, InformerRuntime> runtimes;

	/** Guards the fields below; never held while waiting. */
	private final ReentrantLock lock = new ReentrantLock();

	private Consumer<? super ApiClient> check = (client) -> {
	};

	private @Nullable Attempt attempt;

	private @Nullable ApiClient client;

	private @Nullable InformerRuntime runtime;

	/**
	 * Creates a link without a client.
	 * @param clients gives the client
	 * @param runtimes makes of a client what informers share
	 */
	public RuntimeHolder(Supplier<ApiClient> clients, Function<ApiClient, InformerRuntime> runtimes) {
		this.clients = clients;
		this.runtimes = runtimes;
	}

	/**
	 * Returns what informers share at this moment. No client is asked for.
	 * @return what they share; {@code null} if nothing, as after {@link #end()}
	 */
	public @Nullable InformerRuntime current() {
		this.lock.lock();
		try {
			return this.runtime;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns what informers share. If there is nothing yet, the client is asked for.
	 * @return what they share; {@code null} if {@link #end()} came meanwhile
	 * @throws RuntimeException what the supplier or the check of the client threw, to all
	 * who waited for it; the next call asks again
	 */
	public @Nullable InformerRuntime runtime() {
		Attempt awaited;
		boolean own = false;
		this.lock.lock();
		try {
			if (this.runtime != null) {
				return this.runtime;
			}
			if (this.attempt == null) {
				this.attempt = new Attempt(Thread.currentThread(), new CompletableFuture<>());
				own = true;
			}
			awaited = this.attempt;
		}
		finally {
			this.lock.unlock();
		}
		return own ? carryOut(awaited) : awaited.await();
	}

	private @Nullable InformerRuntime carryOut(Attempt own) {
		try {
			ApiClient asked = Objects.requireNonNull(this.clients.get(), "The supplier of the API client gave none");
			Consumer<? super ApiClient> passed = null;
			while (true) {
				Consumer<? super ApiClient> next = install(own, asked, passed);
				if (next == null) {
					return own.await();
				}
				next.accept(asked);
				passed = next;
			}
		}
		catch (Throwable ex) {
			this.lock.lock();
			try {
				if (this.attempt == own) {
					this.attempt = null;
				}
			}
			finally {
				this.lock.unlock();
			}
			own.result().completeExceptionally(ex);
			throw ex;
		}
	}

	/**
	 * Takes a client, unless it has to pass a check first or is not wanted any more.
	 * @param own the attempt that brought it
	 * @param asked the client
	 * @param passed the check that it passed; {@code null} if none
	 * @return the check that it has to pass; {@code null} if the attempt is over
	 */
	private @Nullable Consumer<? super ApiClient> install(Attempt own, ApiClient asked,
			@Nullable Consumer<? super ApiClient> passed) {
		this.lock.lock();
		try {
			if (this.attempt == own) {
				if (this.check != passed) {
					return this.check;
				}
				this.runtime = this.runtimes.apply(asked);
				this.client = asked;
				this.attempt = null;
				own.result().complete(this.runtime);
			}
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether informers share something still.
	 * @param started what they shared when they were started
	 * @return whether it is that
	 */
	public boolean isCurrent(InformerRuntime started) {
		this.lock.lock();
		try {
			return this.runtime == started;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Releases the client. Threads that wait for it return; a supplier that is at work is
	 * not waited for.
	 * @return what informers shared; {@code null} if nothing
	 */
	public @Nullable InformerRuntime end() {
		this.lock.lock();
		try {
			InformerRuntime ended = this.runtime;
			this.runtime = null;
			this.client = null;
			if (this.attempt != null) {
				this.attempt.result().complete(null);
				this.attempt = null;
			}
			return ended;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sets what looks at each client, and lets it look at the present one.
	 * @param next looks at a client
	 */
	public void check(Consumer<? super ApiClient> next) {
		ApiClient present;
		this.lock.lock();
		try {
			this.check = next;
			present = this.client;
		}
		finally {
			this.lock.unlock();
		}
		if (present != null) {
			next.accept(present);
		}
	}

	/**
	 * One attempt to get a client.
	 *
	 * @param thread who makes it
	 * @param result completed with what informers share, or with {@code null} if it is
	 * not wanted any more
	 */
	private record Attempt(Thread thread, CompletableFuture<@Nullable InformerRuntime> result) {

		@Nullable InformerRuntime await() {
			if (this.thread == Thread.currentThread() && !this.result.isDone()) {
				throw new IllegalStateException(
						"The supplier or check of the API client starts informers, which wait for that client");
			}
			try {
				// Bounded: who makes the attempt may need a lock that the caller holds.
				return this.result.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				throw new IllegalStateException(
						"Thread '%s' has been asking for the API client for more than %d s; does a credential plugin hang?"
							.formatted(this.thread.getName(), PATIENCE.toSeconds()),
						ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while waiting for the API client", ex);
			}
			catch (ExecutionException ex) {
				if (ex.getCause() instanceof RuntimeException cause) {
					throw cause;
				}
				if (ex.getCause() instanceof Error cause) {
					throw cause;
				}
				throw new IllegalStateException("The API client cannot be obtained", ex.getCause());
			}
		}

	}

}
