package dev.kubeinformer.spring.autoconfigure.health;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;

/**
 * Decides which handlers, reconcilers and informers readiness includes. These are the
 * components that exist when the application, or the application of a child context,
 * becomes ready. Readiness includes a component until it has been synced and watched
 * once. Afterwards, a component that goes down is no longer included, unless its cache is
 * too stale. Otherwise the restart of a handler would take the application out of its
 * load balancer. For the same reason, a component that is added later is not included,
 * even if it has the id of a removed one. Handlers and informers record whether they were
 * ever synced, so the timing of probes does not matter. Components of an excluded cluster
 * are never included.
 */
final class InformerReadiness implements ApplicationListener<ApplicationReadyEvent> {

	private final ApplicationContext context;

	private final InformersHealthContributor health;

	private final ClusterRuntimes clusters;

	private final InformerHandlers handlers;

	private final ReconcilerReadiness reconcilers;

	private final InformerStatusMapper statusMapper;

	private final boolean autoStartup;

	/**
	 * Components that existed when an application became ready; {@code null} before. The
	 * set contains components rather than ids, because a later component may have the
	 * same id. References are weak, because a removed component never comes back.
	 */
	private volatile @Nullable Set<Object> known;

	InformerReadiness(ApplicationContext context, InformersHealthContributor health, ClusterRuntimes clusters,
			InformerHandlers handlers, ReconcilerReadiness reconcilers, InformerStatusMapper statusMapper,
			boolean autoStartup) {
		this.context = context;
		this.health = health;
		this.clusters = clusters;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.statusMapper = statusMapper;
		this.autoStartup = autoStartup;
	}

	/**
	 * Returns whether readiness currently includes a handler, reconciler or informer.
	 * @param name the id of the handler, reconciler or informer
	 * @return {@code true} if the component is included
	 */
	boolean counts(String name) {
		Set<Object> counted = this.known;
		if (!this.autoStartup) {
			return false;
		}
		HealthIndicator indicator = this.health.children().get(name);
		return indicator != null
				&& cluster(name).filter((cluster) -> counted == null || counted.contains(cluster.find(name)))
					.filter((cluster) -> cluster.isAskedFor(name))
					.filter((cluster) -> counts(cluster, name, indicator))
					.isPresent();
	}

	private static boolean counts(ClusterReadiness cluster, String name, HealthIndicator indicator) {
		// Read this before the status. If the component becomes ready between the two
		// reads, readiness still includes it.
		boolean ready = cluster.wasReady(name);
		Status status = status(indicator);
		boolean harmful = status.equals(Status.DOWN) || status.equals(Status.OUT_OF_SERVICE);
		return !harmful || !ready || cluster.isTooStale(name);
	}

	private Optional<ClusterReadiness> cluster(String name) {
		return this.clusters.all()
			.stream()
			.map((cluster) -> new ClusterReadiness(cluster, this.handlers, this.reconcilers, this.statusMapper))
			.filter((cluster) -> cluster.knows(name))
			.findFirst();
	}

	private static Status status(HealthIndicator indicator) {
		Health health = indicator.health();
		return (health != null) ? health.getStatus() : Status.UNKNOWN;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		boolean own = event.getApplicationContext() == this.context;
		if (own ? this.known == null : isChild(event.getApplicationContext())) {
			addKnown();
		}
	}

	private boolean isChild(@Nullable ApplicationContext other) {
		ApplicationContext parent = (other != null) ? other.getParent() : null;
		return parent != null && (parent == this.context || isChild(parent));
	}

	private void addKnown() {
		Set<Object> before = this.known;
		Set<Object> all = (before != null) ? before
				: Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
		this.health.children()
			.keySet()
			.forEach((name) -> cluster(name).map((cluster) -> cluster.find(name)).ifPresent(all::add));
		this.known = all;
	}

}
