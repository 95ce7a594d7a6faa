package dev.kubeinformer.spring.handler.container;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.inject.WaitingCallback;

/**
 * An {@link EventHandler} whose bean may ask for caches as late as in a callback: because
 * the bean is created with its first event, or by a provider. The callback waits for them
 * in place; for all others the handler's gate does.
 *
 * @param <T> the model class
 */
final class WaitingEventHandler<T extends KubernetesObject> implements EventHandler<T> {

	private final EventHandler<T> handler;

	private final HandlerDependencies wait;

	private final WaitingCallback callback;

	private volatile BooleanSupplier running = () -> true;

	WaitingEventHandler(EventHandler<T> handler, Supplier<Object> bean, InjectedInformers injected,
			HandlerDependencies wait) {
		this.handler = handler;
		this.wait = wait;
		this.callback = new WaitingCallback(injected, bean, wait::read, wait.await(),
				() -> this.running.getAsBoolean());
	}

	HandlerDependencies cacheWait() {
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
		this.callback.run(() -> this.handler.handle(event));
	}

}
