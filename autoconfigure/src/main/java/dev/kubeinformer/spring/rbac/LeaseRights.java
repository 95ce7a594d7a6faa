package dev.kubeinformer.spring.rbac;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.shard.ShardGroup;

/**
 * RBAC rules for the Leases of an application: the Leases of the leader election, and the
 * Leases of the replicas between which shard slots move. Internal to the starter.
 *
 * @param elected the leadership; {@code null} if the leadership is not decided by a Lease
 * @param leaseCluster the name of the cluster with the Lease of the leader
 * @param group the group of replicas; {@code null} if slots do not move
 * @param groupCluster the name of the cluster with the Leases of the group
 */
public record LeaseRights(@Nullable ElectedLeadership elected, String leaseCluster, @Nullable ShardGroup group,
		String groupCluster) {

	/**
	 * Returns the rules of an application.
	 * @param beans the beans of the application
	 * @param environment the environment of the application
	 * @return the rules
	 */
	public static LeaseRights of(BeanFactory beans, Environment environment) {
		return new LeaseRights(ElectedLeadership.of(beans.getBeanProvider(Leadership.class).getIfAvailable()),
				RequiredRoles.leaseCluster(environment),
				ShardGroup.of(beans.getBeanProvider(Shards.class).getIfAvailable()), groupCluster(environment));
	}

	/**
	 * Returns the cluster that contains the Leases of an application's group of replicas.
	 * @param environment the environment of the application
	 * @return the name of the cluster
	 */
	public static String groupCluster(Environment environment) {
		String cluster = environment.getProperty("kubernetes.informers.shard.cluster", "").strip();
		return cluster.isEmpty() ? InformerClusters.DEFAULT : cluster;
	}

	/**
	 * Returns the rules that are needed in a cluster.
	 * @param cluster the name of the cluster
	 * @return the rules
	 */
	List<RequiredRbac> in(String cluster) {
		return Stream.concat(
				(this.elected != null && this.leaseCluster.equals(cluster)) ? this.elected.requiredRbac().stream()
						: Stream.empty(),
				(this.group != null && this.groupCluster.equals(cluster)) ? this.group.requiredRbac().stream()
						: Stream.empty())
			.toList();
	}

}
