package dev.kubeinformer.spring.autoconfigure.health;

import java.util.stream.Stream;

import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Health of informers that are disabled. It exists because a health group may name
 * informers or some of their components, and Boot rejects unknown members of groups.
 */
final class DisabledInformersHealthContributor implements CompositeHealthContributor {

	private static final HealthIndicator DISABLED = () -> Health.unknown().withDetail("enabled", false).build();

	@Override
	public HealthContributor getContributor(String name) {
		return DISABLED;
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return Stream.of(new HealthContributors.Entry("disabled", DISABLED));
	}

}
