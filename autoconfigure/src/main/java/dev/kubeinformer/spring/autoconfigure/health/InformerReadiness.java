package dev.kubeinformer.spring.autoconfigure.health;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;

import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Rules by which handlers, reconcilers and informers count in readiness: those that are
 * known when the application becomes ready, or the application of a child context, until
 * each was synced and watched once. After that one is shown only while it does no harm,
 * for a restart of a handler must not take the application out of its load balancer. Who
 * was so once is asked of handler and informer themselves, so that it does not matter
 * when probes came.
 */
final class InformerReadiness implements ApplicationListener<ApplicationReadyEvent> {

	private final ApplicationContext context;

	private final InformersHealthContributor health;

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final ReconcilerReadiness reconcilers;

	private final ConfiguredSettings configured;

	private final InformerStatusMapper statusMapper;

	private final boolean autoStartup;

	private volatile @Nullable Set<String> known;

	InformerReadiness(ApplicationContext context, InformersHealthContributor health, Informers informers,
			InformerHandlerRegistry handlers, ReconcilerReadiness reconcilers, ConfiguredSettings configured,
			InformerStatusMapper statusMapper, boolean autoStartup) {
		this.context = context;
		this.health = health;
		this.informers = informers;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.configured = configured;
		this.statusMapper = statusMapper;
		this.autoStartup = autoStartup;
	}

	/**
	 * Returns whether a handler, reconciler or informer counts at the moment.
	 * @param name the id of the handler, reconciler or informer
	 * @return whether it counts
	 */
	boolean counts(String name) {
		Set<String> counted = this.known;
		if (!this.autoStartup || (counted != null && !counted.contains(name))) {
			return false;
		}
		HealthIndicator indicator = this.health.children().get(name);
		if (indicator == null || !isAskedFor(name)) {
			return false;
		}
		// Asked for first: one that gets ready between the two questions still counts.
		boolean ready = wasReady(name);
		Status status = status(indicator);
		boolean harmful = status.equals(Status.DOWN) || status.equals(Status.OUT_OF_SERVICE);
		return !harmful || !ready || isTooStale(name);
	}

	private boolean isAskedFor(String name) {
		InformerHandlerContainer container = container(name);
		if (container != null) {
			return container.isAutoStartup() && container.isReadiness();
		}
		if (this.reconcilers.knows(name)) {
			return this.reconcilers.isAskedFor(name);
		}
		return informer(name).map(Informer::spec)
			.map((spec) -> this.configured.forResource(spec.type())
				.orElse(this.configured.forAll())
				.get(Setting.READINESS))
			.orElse(true);
	}

	private boolean wasReady(String name) {
		InformerHandlerContainer container = container(name);
		if (container == null && this.reconcilers.knows(name)) {
			return this.reconcilers.wasReady(name);
		}
		boolean synced = container == null || container.wasSynced();
		return synced && informer(name).map(Informer::status)
			.map((status) -> status.sync().everSynced() && status.watch().everWatched())
			.orElse(container != null);
	}

	private boolean isTooStale(String name) {
		if (container(name) == null && this.reconcilers.knows(name)) {
			return this.reconcilers.isTooStale(name);
		}
		return informer(name).map(Informer::status).filter(this.statusMapper::isTooStale).isPresent();
	}

	private Optional<Informer<?>> informer(String name) {
		InformerHandlerContainer container = container(name);
		String id = (container != null) ? container.spec().id() : name;
		return this.informers.all().stream().filter((informer) -> informer.id().equals(id)).findFirst();
	}

	private @Nullable InformerHandlerContainer container(String name) {
		return this.handlers.all().stream().filter((handler) -> handler.id().equals(name)).findFirst().orElse(null);
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
		Set<String> all = new HashSet<>(this.health.children().keySet());
		Set<String> before = this.known;
		if (before != null) {
			all.addAll(before);
		}
		this.known = all;
	}

}
