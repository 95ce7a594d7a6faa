package dev.kubeinformer.spring.autoconfigure.health;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Rules by which handlers and informers count in readiness: those that are known when the
 * application becomes ready, until each was synced once. After that one is shown only
 * while it does no harm, for a restart of a handler must not take the application out of
 * its load balancer.
 */
final class InformerReadiness implements SmartLifecycle, ApplicationListener<ApplicationReadyEvent> {

	private final ApplicationContext context;

	private final InformersHealthContributor health;

	private final InformerHandlerRegistry handlers;

	private final boolean autoStartup;

	private final Set<String> latched = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Set<String> known;

	private volatile boolean running;

	InformerReadiness(ApplicationContext context, InformersHealthContributor health, InformerHandlerRegistry handlers,
			boolean autoStartup) {
		this.context = context;
		this.health = health;
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
		boolean latched = latch(name, container, status);
		boolean harmful = status.equals(Status.DOWN) || status.equals(Status.OUT_OF_SERVICE);
		return !harmful || !latched;
	}

	private @Nullable InformerHandlerContainer container(String name) {
		return this.handlers.all().stream().filter((handler) -> handler.id().equals(name)).findFirst().orElse(null);
	}

	private boolean latch(String name, @Nullable InformerHandlerContainer container, Status status) {
		if (status.equals(Status.UP) || (container != null && container.wasSynced())) {
			this.latched.add(name);
		}
		return this.latched.contains(name);
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

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Notes who is synced before handlers and caches stop, for there may have been no
	 * probe since.
	 */
	@Override
	public void stop() {
		this.health.children().forEach((name, indicator) -> latch(name, container(name), status(indicator)));
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
