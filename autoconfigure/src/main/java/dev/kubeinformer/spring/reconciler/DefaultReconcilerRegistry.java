package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.bean.ContainersLifecycle;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;

/**
 * Default {@link ReconcilerRegistry}. It searches for reconcilers after all singletons
 * have been created, so that it does not create beans early and does not miss proxies.
 * When a cluster is added or removed, the containers of its reconcilers are added or
 * removed, too.
 */
final class DefaultReconcilerRegistry
		implements ReconcilerRegistry, ClusterRuntimes.Member, SmartInitializingSingleton, DisposableBean {

	private final ClusterRuntimes clusters;

	private final ReconcilerFinder finder;

	private volatile Map<ReconcilerContainer, ReconcilerFinder.Found> reconcilers = Map.of();

	/**
	 * Creates the registry.
	 * @param clusters the clusters
	 * @param finder the finder of the reconcilers
	 */
	DefaultReconcilerRegistry(ClusterRuntimes clusters, ReconcilerFinder finder) {
		this.clusters = clusters;
		this.finder = finder;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.clusters.join(this, (all) -> this.reconcilers = this.finder.find(all));
	}

	@Override
	public void added(ClusterRuntime cluster) {
		Map<ReconcilerContainer, ReconcilerFinder.Found> more = new LinkedHashMap<>(this.reconcilers);
		more.putAll(this.finder.find(cluster));
		this.reconcilers = more;
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		Map<ReconcilerContainer, ReconcilerFinder.Found> left = new LinkedHashMap<>(this.reconcilers);
		List<ReconcilerContainer> closing = new ArrayList<>();
		this.reconcilers.forEach((container, found) -> {
			if (found.cluster().informers() == cluster.informers()) {
				left.remove(container);
				closing.add(container);
			}
		});
		ContainersLifecycle.<ReconcilerContainer>stopAll(closing, (container) -> container, ReconcilerContainer::close)
			.join();
		this.reconcilers = left;
	}

	// Close the containers, because the informers may outlive this context, and a later
	// context may use them.
	@Override
	public void destroy() {
		this.clusters.leave(this);
		this.reconcilers.keySet().forEach(ReconcilerContainer::close);
	}

	@Override
	public ReconcilerContainer get(String id) {
		return this.reconcilers.keySet()
			.stream()
			.filter((container) -> container.id().equals(id))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("No reconciler has the id '%s'; the reconcilers are %s"
				.formatted(id, all().stream().map(ReconcilerContainer::id).toList())));
	}

	@Override
	public Collection<ReconcilerContainer> all() {
		return List.copyOf(this.reconcilers.keySet());
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		long until = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
		List<ReconcilerRegistry> registries = this.clusters.all()
			.stream()
			.map((cluster) -> cluster.informers().reconcilers())
			.toList();
		long before;
		do {
			before = runs();
			for (ReconcilerRegistry registry : registries) {
				if (!registry.awaitIdle(Duration.ofNanos(Math.max(0, until - System.nanoTime())))) {
					return false;
				}
			}
		}
		// Repeat, because a run in one cluster may cause a run in another.
		while (registries.size() > 1 && runs() != before);
		return true;
	}

	private long runs() {
		// A run counts from its start, so that it is not missed between two checks.
		return this.reconcilers.keySet()
			.stream()
			.map((container) -> container.status().runs())
			.mapToLong((runs) -> runs.total() + runs.active())
			.sum();
	}

	@Nullable ReconcilerDetails details(ReconcilerContainer container) {
		ReconcilerFinder.Found found = this.reconcilers.get(container);
		return (found != null) ? found.details() : null;
	}

	/**
	 * Returns the informers of a reconciler's cluster.
	 * @param container the container of the reconciler
	 * @return the informers; {@code null} if the container belongs to another registry
	 */
	@Nullable Informers informers(ReconcilerContainer container) {
		ReconcilerFinder.Found found = this.reconcilers.get(container);
		return (found != null) ? found.cluster().informers() : null;
	}

}
