package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.reconciler.MissingRights;

/**
 * The RBAC roles of each cluster as YAML. Those of several clusters are never together:
 * {@code kubectl apply} would grant all of them in the one that it talks to.
 */
final class RbacDocuments {

	private final ClusterContents contents;

	private final MissingRights missingRights;

	private final @Nullable LeaderOperations leader;

	private final String roleName;

	RbacDocuments(ClusterContents contents, MissingRights missingRights, @Nullable LeaderOperations leader,
			String roleName) {
		this.contents = contents;
		this.missingRights = missingRights;
		this.leader = leader;
		this.roleName = roleName;
	}

	/**
	 * Returns the roles that are needed in a cluster.
	 * @param name the name of the cluster; {@code null} or blank for the default one
	 * @return the documents, after a comment that names the cluster where there are
	 * several
	 * @throws RefusedRequestException if there is no such cluster
	 */
	String of(@Nullable String name) {
		String wanted = StringUtils.hasText(name) ? name.strip() : InformerClusters.DEFAULT;
		List<ClusterRuntime> all = this.contents.clusters().all();
		List<String> names = all.stream().map(ClusterRuntime::name).toList();
		Informers informers = all.stream()
			.filter((cluster) -> cluster.name().equals(wanted))
			.findFirst()
			.orElseThrow(() -> RefusedRequestException.unknownCluster(wanted, names))
			.informers();
		RbacRoles roles = RbacRoles.of(informers, this.contents.handlers().of(informers), this.contents.reconcilers(),
				this.missingRights);
		if (this.leader != null && this.leader.cluster().equals(wanted)) {
			this.leader.elected().requiredRbac().forEach(roles::add);
		}
		return comment(wanted, names) + roles.toYaml(this.roleName);
	}

	private String comment(String wanted, List<String> names) {
		if (!this.contents.clusters().isMultiple()) {
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
