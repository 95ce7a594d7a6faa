package dev.kubeinformer.spring.autoconfigure.health;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;

/**
 * Health of a handler and of its informer.
 *
 * @param container the handler's container
 * @param informer its informer; {@code null} if the handler never started
 * @param cluster the name of its cluster; {@code null} if there is only one
 * @param statusMapper the rules that map the state of an informer to a health status
 */
record HandlerHealthIndicator(InformerHandlerContainer container, @Nullable Informer<?> informer,
		@Nullable String cluster, InformerStatusMapper statusMapper) implements HealthIndicator {

	@Override
	public Health health() {
		HandlerStatus handler = this.container.status();
		InformerStatus status = (this.informer != null) ? this.informer.status() : null;
		Health.Builder health = Health.status(status(handler, status));
		InformerDetails details = new InformerDetails(health);
		details.put("cluster", this.cluster);
		details.source(this.container.spec(), this.container.namespaces());
		details.synced(this.container.hasSynced(), handler.sync().syncedAt());
		details.handler(handler);
		if (!this.container.isRunning()) {
			details.put("handler", "stopped");
		}
		else if (handler.paused()) {
			details.put("handler", "paused");
		}
		if (this.container.isStandby()) {
			details.put("standby", true);
		}
		details.putAny("awaiting", this.container.awaiting());
		if (this.informer != null && status != null) {
			details.informer(this.informer, status);
		}
		return health.build();
	}

	private Status status(HandlerStatus handler, @Nullable InformerStatus informer) {
		if (informer == null || handler.paused() || !this.container.isRunning()) {
			return Status.UNKNOWN;
		}
		// On a standby, the handler gets no events, so it counts as synced.
		return this.statusMapper.map(informer, this.container.isStandby() || handler.sync().synced());
	}

}
