package dev.kubeinformer.spring.autoconfigure.health;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerStatus;

/**
 * Health of an informer that only listers use.
 */
final class InformerHealthIndicator implements HealthIndicator {

	private final Informer<?> informer;

	InformerHealthIndicator(Informer<?> informer) {
		this.informer = informer;
	}

	@Override
	public Health health() {
		InformerStatus status = this.informer.status();
		Health.Builder health = Health.status(InformerStatusMapper.map(status));
		InformerDetails details = new InformerDetails(health);
		details.spec(this.informer.spec());
		details.synced(status.synced(), status.syncedAt());
		details.informer(status);
		return health.build();
	}

}
