package dev.kubeinformer.spring.handler.container;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.inject.CacheSyncAwaiter;

/**
 * What a handler waits for before events are delivered to it: its own cache and those
 * that its bean reads.
 */
final class HandlerDependencies {

	private final Informers informers;

	private final CacheSyncAwaiter await;

	private final InformerSpec<?> source;

	private final Supplier<Set<Informer<?>>> injected;

	/**
	 * Creates the wait of a handler.
	 * @param informers all informers of the handler's cluster
	 * @param await waits for a cache of any cluster
	 * @param source what the handler's own informer caches
	 * @param injected gives the informers that the bean reads, as far as is known by now
	 */
	HandlerDependencies(Informers informers, CacheSyncAwaiter await, InformerSpec<?> source,
			Supplier<Set<Informer<?>>> injected) {
		this.informers = informers;
		this.await = await;
		this.source = source;
		this.injected = injected;
	}

	/**
	 * Returns whether events may be delivered.
	 * @return whether the handler's own informer runs, and no cache is awaited
	 */
	boolean isOver() {
		Informer<?> own = own();
		return own != null && CacheSyncAwaiter.isOn(own.status()) && own.status().sync().everSynced()
				&& this.injected.get().stream().noneMatch(this::isAwaited);
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
		all.addAll(this.injected.get());
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
	 * Returns the informers that the bean reads, as far as is known by now.
	 * @return the informers
	 */
	Set<Informer<?>> read() {
		return this.injected.get();
	}

	/**
	 * Returns what waits in a callback of the handler for one cache.
	 * @return the wait
	 */
	CacheSyncAwaiter await() {
		return this.await;
	}

}
