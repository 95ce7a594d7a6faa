package dev.kubeinformer.spring.autoconfigure.health;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;

/**
 * Health of an informer that only listers use.
 *
 * @param informer the informer
 * @param cluster the name of its cluster; {@code null} if there is only one
 * @param statusMapper the rules that map the state of an informer to a health status
 */
record InformerHealthIndicator(Informer<?> informer, @Nullable String cluster,
		InformerStatusMapper statusMapper) implements HealthIndicator {

	@Override
	public Health health() {
		InformerStatus status = this.informer.status();
		Health.Builder health = Health.status(this.statusMapper.map(status));
		InformerDetails details = new InformerDetails(health);
		details.put("cluster", this.cluster);
		details.source(this.informer.spec(), this.informer.namespaces());
		details.synced(status.sync().synced(), status.sync().syncedAt());
		details.informer(this.informer, status);
		return health.build();
	}

}
