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
 * Health of all current handlers and reconcilers in all current clusters, of informers
 * that only listers use, of leader election and of shard slots that move between the
 * replicas.
 *
 * @param clusters the clusters
 * @param health the health of the components of each cluster
 * @param leader the health of leader election; {@code null} if there is none
 * @param shards the health of the shard slots; {@code null} if none move
 */
record InformersHealthContributor(ClusterRuntimes clusters, ClusterHealth health, @Nullable HealthIndicator leader,
		@Nullable HealthIndicator shards) implements CompositeHealthContributor {

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
		if (this.shards != null) {
			children.putIfAbsent(ShardsHealthIndicator.NAME, this.shards);
		}
		return children;
	}

}
