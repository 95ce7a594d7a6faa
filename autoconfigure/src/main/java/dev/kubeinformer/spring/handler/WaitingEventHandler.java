package dev.kubeinformer.spring.handler;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.EventHandler;
import dev.kubeinformer.Informer;
import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.spring.inject.InjectedInformers;

/**
 * An {@link EventHandler} whose bean may ask for caches as late as in a callback: because
 * the bean is created with its first event, or by a provider. The callback waits for them
 * in place; for all others the handler's gate does.
 *
 * @param <T> the model class
 */
final class WaitingEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private final EventHandler<T> handler;

	private final Supplier<Object> bean;

	private final InjectedInformers injected;

	private final CacheWait wait;

	private volatile BooleanSupplier running = () -> true;

	private volatile boolean created;

	WaitingEventHandler(EventHandler<T> handler, Supplier<Object> bean, InjectedInformers injected, CacheWait wait) {
		this.handler = handler;
		this.bean = bean;
		this.injected = injected;
		this.wait = wait;
	}

	CacheWait cacheWait() {
		return this.wait;
	}

	/**
	 * Sets what ends a wait.
	 * @param running whether the handler still runs
	 */
	void runningWhile(BooleanSupplier running) {
		this.running = running;
	}

	@Override
	public void handle(ResourceEvent<T> event) throws Exception {
		if (!this.created) {
			this.injected.inCallback((informer) -> {
				// Awaited when Spring's lock is free again.
			}, this.bean::get);
			this.wait.await(this.running);
			this.created = true;
		}
		this.injected.inCallback(this::await, () -> this.handler.handle(event));
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
