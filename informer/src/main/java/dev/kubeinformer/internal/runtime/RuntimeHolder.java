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
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

/**
 * Holds the API client of an application's informers, and the resources that the
 * informers share while they run. The first caller that needs the client obtains it,
 * which may be slow or fail. Meanwhile, other callers wait without holding a lock.
 * Thread-safe.
 */
public final class RuntimeHolder {

	/**
	 * Longest time for which a thread waits until another thread has obtained the client.
	 * It is longer than the timeout of a credential plugin.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(75);

	private final Supplier<ApiClient> clients;

	private final Function<ApiClient, InformerRuntime> runtimes;

	/** Guards the fields below. A thread that waits does not hold this lock. */
	private final ReentrantLock lock = new ReentrantLock();

	private Steps steps = new Steps((client) -> {
	}, (client) -> {
	});

	private @Nullable Attempt attempt;

	private @Nullable ApiClient client;

	private @Nullable InformerRuntime runtime;

	/**
	 * Creates a holder without a client.
	 * @param clients obtains the client
	 * @param runtimes creates the shared resources from a client
	 */
	public RuntimeHolder(Supplier<ApiClient> clients, Function<ApiClient, InformerRuntime> runtimes) {
		this.clients = clients;
		this.runtimes = runtimes;
	}

	/**
	 * Returns the current shared resources. Does not obtain a client.
	 * @return the shared resources; {@code null} if there are none, for example after
	 * {@link #end()}
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
	 * Returns the shared resources, and obtains the client if there are none.
	 * @return the shared resources; {@code null} if {@link #end()} was called in the
	 * meantime
	 * @throws RuntimeException if the supplier or the check of the client fails; all
	 * waiting callers receive this failure, and the next call tries again
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
			ApiClient asked = Objects.requireNonNull(this.clients.get(),
					"The supplier of the API client returned null");
			Steps passed = null;
			while (true) {
				Steps next = install(own, asked, passed);
				if (next == null) {
					return own.await();
				}
				next.carryOut(asked);
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
	 * Uses a client from now on. Does nothing if other steps must be carried out first,
	 * or if the attempt that obtained the client has ended meanwhile.
	 * @param own the attempt that obtained the client
	 * @param asked the client
	 * @param passed the steps that were carried out with the client; {@code null} for
	 * none
	 * @return the steps to carry out before the next call; {@code null} if the attempt
	 * has ended, with or without this client
	 */
	private @Nullable Steps install(Attempt own, ApiClient asked, @Nullable Steps passed) {
		this.lock.lock();
		try {
			if (this.attempt == own) {
				if (this.steps != passed) {
					return this.steps;
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
	 * Returns whether shared resources are still the current ones.
	 * @param started the shared resources with which the informers were started
	 * @return {@code true} if they are current
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
	 * Releases the client. Threads that wait for the client return. If a thread is
	 * obtaining the client, this method does not wait for it.
	 * @return the previous shared resources; {@code null} if there were none
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
	 * Sets a check that each client must pass before it is used, and checks the current
	 * client.
	 * @param next the check
	 */
	public void check(Consumer<? super ApiClient> next) {
		change((present) -> new Steps(next, present.preparation), next);
	}

	/**
	 * Sets an action that prepares the cluster before a client is used, after the check.
	 * Also runs it with the current client.
	 * @param next the preparation
	 */
	public void prepare(Consumer<? super ApiClient> next) {
		change((present) -> new Steps(present.check, next), next);
	}

	private void change(UnaryOperator<Steps> change, Consumer<? super ApiClient> next) {
		ApiClient present;
		this.lock.lock();
		try {
			this.steps = change.apply(this.steps);
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
	 * Steps to carry out before a client is used: the check and the preparation.
	 * Instances are compared by identity, because after a change the new steps must be
	 * carried out.
	 */
	private static final class Steps {

		private final Consumer<? super ApiClient> check;

		private final Consumer<? super ApiClient> preparation;

		private Steps(Consumer<? super ApiClient> check, Consumer<? super ApiClient> preparation) {
			this.check = check;
			this.preparation = preparation;
		}

		private void carryOut(ApiClient client) {
			this.check.accept(client);
			this.preparation.accept(client);
		}

	}

	/**
	 * Attempt of a thread to obtain a client.
	 *
	 * @param thread the thread of the attempt
	 * @param result the future, which is completed with the shared resources; with
	 * {@code null} if {@link #end()} was called meanwhile
	 */
	private record Attempt(Thread thread, CompletableFuture<@Nullable InformerRuntime> result) {

		@Nullable InformerRuntime await() {
			if (this.thread == Thread.currentThread() && !this.result.isDone()) {
				throw new IllegalStateException(
						"The supplier or check of the API client must not start informers, because "
								+ "these wait for that client");
			}
			try {
				// The wait is bounded, because the thread of the attempt may need a lock
				// that the caller holds.
				return this.result.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				throw new IllegalStateException(
						("Thread '%s' has not obtained the API client or prepared the cluster for more than %d s; "
								+ "check for a credential plugin or an API server that hangs")
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
				throw new IllegalStateException("Cannot obtain the API client", ex.getCause());
			}
		}

	}

}
