package dev.kubeinformer.spring.inject;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.kubeinformer.informer.Informer;

/**
 * Runs callbacks of a handler or reconciler bean, after waiting for the caches that the
 * bean reads. Some of these caches are known only during a callback, because the bean is
 * created for its first callback or uses a provider. Internal to the starter.
 */
public final class WaitingCallback {

	private final InjectedInformers injected;

	private final Supplier<Object> bean;

	private final Supplier<Set<Informer<?>>> read;

	private final CacheSyncAwaiter wait;

	private final BooleanSupplier running;

	private volatile boolean created;

	/**
	 * Creates the callback.
	 * @param injected the informers that were injected
	 * @param bean the supplier of the bean
	 * @param read the supplier of the informers that the bean is known to read
	 * @param wait the awaiter, which waits for a cache
	 * @param running the check whether the handler or reconciler is still running
	 */
	public WaitingCallback(InjectedInformers injected, Supplier<Object> bean, Supplier<Set<Informer<?>>> read,
			CacheSyncAwaiter wait, BooleanSupplier running) {
		this.injected = injected;
		this.bean = bean;
		this.read = read;
		this.wait = wait;
		this.running = running;
	}

	/**
	 * Runs work of the bean after the caches that it reads have been filled.
	 * @param work the work
	 * @throws Exception if the work throws an exception, or the wait fails
	 */
	public void run(InjectedInformers.Work work) throws Exception {
		if (!this.created) {
			this.injected.inCallback((informer) -> {
				// Do not wait here, but after the bean is created, because its creation
				// holds Spring's lock.
			}, this.bean::get);
			for (Informer<?> informer : this.read.get()) {
				this.wait.await(informer, this.running);
			}
			this.created = true;
		}
		this.injected.inCallback(this::await, work);
	}

	private void await(Informer<?> informer) {
		try {
			this.wait.await(informer, this.running);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(
					"Interrupted while waiting for the cache of informer '%s'".formatted(informer.id()), ex);
		}
	}

}
