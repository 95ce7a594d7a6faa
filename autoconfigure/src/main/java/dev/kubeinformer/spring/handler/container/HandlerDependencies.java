package dev.kubeinformer.spring.handler.container;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.inject.CacheSyncAwaiter;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.inject.WaitingCallback;

/**
 * Caches for which the delivery of events to a handler waits. These are the handler's own
 * cache and the caches that its bean reads.
 *
 * @param informers all informers of the handler's cluster
 * @param await the awaiter, which waits for caches of any cluster
 * @param source the spec of the handler's own informer
 * @param injected the informers that were injected
 * @param bean the supplier of the bean
 * @param read the supplier of the informers that the bean is known to read
 */
record HandlerDependencies(Informers informers, CacheSyncAwaiter await, InformerSpec<?> source,
		InjectedInformers injected, Supplier<Object> bean, Supplier<Set<Informer<?>>> read) {

	/**
	 * Returns whether the wait is over, so that events may be delivered.
	 * @return {@code true} if the handler's own informer is running and no cache is
	 * awaited
	 */
	boolean isOver() {
		Informer<?> own = own();
		return own != null && CacheSyncAwaiter.isOn(own.status()) && own.status().sync().everSynced()
				&& this.read.get().stream().noneMatch(this::isAwaited);
	}

	/**
	 * Returns the caches that are awaited.
	 * @return the ids of their informers
	 */
	List<String> awaited() {
		Set<Informer<?>> all = new LinkedHashSet<>();
		Informer<?> own = own();
		if (own != null) {
			all.add(own);
		}
		all.addAll(this.read.get());
		return all.stream().filter(this::isAwaited).map(Informer::id).sorted().toList();
	}

	private @Nullable Informer<?> own() {
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.spec().equals(this.source))
			.findFirst()
			.orElse(null);
	}

	private boolean isAwaited(Informer<?> informer) {
		return this.await.isAwaited(informer);
	}

	/**
	 * Makes a callback wait for caches that the bean first requests during the callback.
	 * The waits for all other caches end before the callback.
	 * @param <T> the model class
	 * @param handler the handler
	 * @param running the check whether the handler is still running; if it is not, a wait
	 * ends
	 * @return the handler that waits
	 */
	<T extends KubernetesObject> EventHandler<T> waiting(EventHandler<T> handler, BooleanSupplier running) {
		WaitingCallback callback = new WaitingCallback(this.injected, this.bean, this.read, this.await, running);
		return (event) -> callback.run(() -> handler.handle(event));
	}

}
