package dev.kubeinformer.spring.autoconfigure.health;

import java.util.HashSet;
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

/**
 * Rules by which handlers and informers count in readiness: those that are known when the
 * application becomes ready, until each was synced once. After that one is shown only
 * while it does no harm, for a restart of a handler must not take the application out of
 * its load balancer. Who was synced once is asked of handler and informer themselves, so
 * that it does not matter when probes came.
 */
final class InformerReadiness implements ApplicationListener<ApplicationReadyEvent> {

	private final ApplicationContext context;

	private final InformersHealthContributor health;

	private final Informers informers;

	private final InformerHandlerRegistry handlers;

	private final boolean autoStartup;

	private volatile @Nullable Set<String> known;

	InformerReadiness(ApplicationContext context, InformersHealthContributor health, Informers informers,
			InformerHandlerRegistry handlers, boolean autoStartup) {
		this.context = context;
		this.health = health;
		this.informers = informers;
		this.handlers = handlers;
		this.autoStartup = autoStartup;
	}

	/**
	 * Whether a handler or informer counts at the moment.
	 * @param name the handler's or informer's id
	 * @return whether it counts
	 */
	boolean counts(String name) {
		Set<String> counted = this.known;
		if (!this.autoStartup || (counted != null && !counted.contains(name))) {
			return false;
		}
		InformerHandlerContainer container = container(name);
		if (container != null && (!container.isAutoStartup() || !container.isReadiness())) {
			return false;
		}
		HealthIndicator indicator = this.health.children().get(name);
		if (indicator == null) {
			return false;
		}
		Status status = status(indicator);
		boolean harmful = status.equals(Status.DOWN) || status.equals(Status.OUT_OF_SERVICE);
		return !harmful || !wasSynced(name, container);
	}

	private @Nullable InformerHandlerContainer container(String name) {
		return this.handlers.all().stream().filter((handler) -> handler.id().equals(name)).findFirst().orElse(null);
	}

	private boolean wasSynced(String name, @Nullable InformerHandlerContainer container) {
		if (container != null) {
			return container.wasSynced();
		}
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.id().equals(name))
			.map(Informer::status)
			.anyMatch((status) -> status.everSynced());
	}

	private static Status status(HealthIndicator indicator) {
		Health health = indicator.health();
		return (health != null) ? health.getStatus() : Status.UNKNOWN;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		if (event.getApplicationContext() == this.context && this.known == null) {
			this.known = new HashSet<>(this.health.children().keySet());
		}
	}

}
