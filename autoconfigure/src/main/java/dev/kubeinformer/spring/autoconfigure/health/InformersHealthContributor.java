package dev.kubeinformer.spring.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;

import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;

/**
 * Health of all handlers and reconcilers, and of all informers that none of them uses, as
 * they are at the moment it is asked for, in all clusters that there are then; and of the
 * election of a leader.
 *
 * @param clusters the clusters
 * @param health the health of what is in each of them
 * @param leader the health of the election of a leader; {@code null} if there is none
 */
record InformersHealthContributor(ClusterRuntimes clusters, ClusterHealth health,
		@Nullable HealthIndicator leader) implements CompositeHealthContributor {

	@Override
	public @Nullable HealthContributor getContributor(String name) {
		return children().get(name);
	}

	@Override
	public Stream<HealthContributors.Entry> stream() {
		return children().entrySet()
			.stream()
			.map((child) -> new HealthContributors.Entry(child.getKey(), child.getValue()));
	}

	Map<String, HealthIndicator> children() {
		Map<String, HealthIndicator> children = new LinkedHashMap<>();
		boolean multiple = this.clusters.isMultiple();
		for (ClusterRuntime cluster : this.clusters.all()) {
			this.health.addTo(children, cluster, multiple);
		}
		if (this.leader != null) {
			children.putIfAbsent(LeaderHealthIndicator.NAME, this.leader);
		}
		return children;
	}

}
