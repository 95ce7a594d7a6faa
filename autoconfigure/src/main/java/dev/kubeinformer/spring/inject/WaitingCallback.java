package dev.kubeinformer.spring.inject;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.kubeinformer.informer.Informer;

/**
 * Callback of a bean that may ask for caches as late as in the callback: because the bean
 * is created with its first one, or by a provider. It waits for them in place. Internal
 * to the starter.
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
	 * @param bean gives the bean
	 * @param read gives the informers that the bean reads, as far as is known by now
	 * @param wait waits for one of them
	 * @param running whether the handler or reconciler still runs
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
	 * Does work of the bean, when the caches are filled that it reads.
	 * @param work the work
	 * @throws Exception if the work throws one, or the wait ends without success
	 */
	public void run(InjectedInformers.Work work) throws Exception {
		if (!this.created) {
			this.injected.inCallback((informer) -> {
				// Awaited when Spring's lock is free again.
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
