package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;

/**
 * The {@link ReconcilerRegistry} that looks for reconcilers when all singletons are
 * created, so that none is created for it and no proxy is missed.
 */
final class DefaultReconcilerRegistry implements ReconcilerRegistry, SmartInitializingSingleton, DisposableBean {

	private final Supplier<Map<ReconcilerContainer, ReconcilerDetails>> finder;

	private volatile Map<ReconcilerContainer, ReconcilerDetails> reconcilers = Map.of();

	/**
	 * Creates the registry.
	 * @param finder finds the reconcilers and checks them
	 */
	DefaultReconcilerRegistry(Supplier<Map<ReconcilerContainer, ReconcilerDetails>> finder) {
		this.finder = finder;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.reconcilers = new LinkedHashMap<>(this.finder.get());
	}

	// A context that is closed may be made again, on informers that outlive it.
	@Override
	public void destroy() {
		this.reconcilers.keySet().forEach(ReconcilerContainer::close);
	}

	@Override
	public ReconcilerContainer get(String id) {
		return this.reconcilers.keySet()
			.stream()
			.filter((container) -> container.id().equals(id))
			.findFirst()
			.orElseThrow(() -> Reconcilers.unknown(id, all()));
	}

	@Override
	public Collection<ReconcilerContainer> all() {
		return List.copyOf(this.reconcilers.keySet());
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return new IdleWait(this::all).await(timeout);
	}

	@Nullable ReconcilerDetails details(ReconcilerContainer container) {
		return this.reconcilers.get(container);
	}

}
