package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.rbac.RequiredRoles;

/**
 * RBAC roles of one cluster as YAML. Roles of several clusters are never combined,
 * because {@code kubectl apply} would grant all of them in its current cluster.
 *
 * @param roles the required roles
 * @param clusters the clusters
 */
record RbacDocuments(RequiredRoles roles, ClusterRuntimes clusters) {

	/**
	 * Returns the required roles of a cluster.
	 * @param name the name of the cluster; {@code null} or blank for the default cluster
	 * @return the documents; if there are several clusters, they begin with a comment
	 * with the name of the cluster
	 * @throws RefusedRequestException if the cluster does not exist
	 */
	String of(@Nullable String name) {
		String wanted = StringUtils.hasText(name) ? name.strip() : InformerClusters.DEFAULT;
		List<String> names = this.roles.clusters();
		if (!names.contains(wanted)) {
			throw RefusedRequestException.unknownCluster(wanted, names);
		}
		return comment(wanted, names) + RequiredRoles.toYaml(this.roles.in(wanted, List.of()));
	}

	private String comment(String wanted, List<String> names) {
		if (!this.clusters.isMultiple()) {
			return "";
		}
		StringBuilder comment = new StringBuilder(
				"# For the cluster '%s' alone; apply them with a context of that cluster.\n".formatted(wanted));
		names.stream()
			.filter((other) -> !other.equals(wanted))
			.forEach((other) -> comment
				.append("# The cluster '%s' has roles of its own: ask with ?cluster=%s\n".formatted(other, other)));
		return comment.toString();
	}

}
