package dev.kubeinformer.spring.autoconfigure.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KubeConfig} that never runs a credential plugin twice at the same time: a
 * caller that asks while one runs gets its result. A plugin may open a browser or count
 * how often it is asked. Safe for use by several threads.
 */
final class CredentialedKubeConfig extends KubeConfig {

	private final Duration patience;

	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable CompletableFuture<@Nullable Map<String, String>> running;

	/** Whether the first credentials are kept for all who ask. */
	private boolean keeping;

	/**
	 * Creates a copy.
	 * @param config the kubeconfig, with its context
	 * @param patience how long to wait for credentials
	 */
	CredentialedKubeConfig(KubeConfig config, Duration patience) {
		super(config.getContexts(), config.getClusters(), config.getUsers());
		setPreferences(config.getPreferences());
		setContext(config.getCurrentContext());
		this.patience = patience;
	}

	/**
	 * Sets whether the credentials that are asked for first are also those of everybody
	 * who asks later. The official client asks twice while it is built.
	 * @param keeping whether they are kept
	 */
	void keep(boolean keeping) {
		this.lock.lock();
		try {
			this.keeping = keeping;
			this.running = null;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public @Nullable Map<String, String> getCredentials() {
		try {
			return running().get(this.patience.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			throw new CredentialsTimeoutException(this.patience);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for credentials", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException(ex.getCause());
		}
	}

	private CompletableFuture<@Nullable Map<String, String>> running() {
		this.lock.lock();
		try {
			if (this.running == null || (!this.keeping && this.running.isDone())) {
				CompletableFuture<@Nullable Map<String, String>> fetch = new CompletableFuture<>();
				this.running = fetch;
				// Nothing interrupts the client while it reads what the plugin prints.
				Thread thread = new Thread(() -> fetch(fetch), "kubeconfig-credentials");
				thread.setDaemon(true);
				thread.start();
			}
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void fetch(CompletableFuture<@Nullable Map<String, String>> fetch) {
		try {
			fetch.complete(super.getCredentials());
		}
		catch (RuntimeException | Error ex) {
			fetch.completeExceptionally(ex);
		}
	}

	/**
	 * Thrown when credentials do not come in time.
	 */
	static final class CredentialsTimeoutException extends IllegalStateException {

		private static final long serialVersionUID = 1L;

		CredentialsTimeoutException(Duration patience) {
			super("The credentials of the kubeconfig did not come within %d s".formatted(patience.toSeconds()));
		}

	}

}
