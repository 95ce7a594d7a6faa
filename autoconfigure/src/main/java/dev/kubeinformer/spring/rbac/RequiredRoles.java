package dev.kubeinformer.spring.rbac;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.reconciler.MissingRights;
import dev.kubeinformer.spring.reconciler.Reconcilers;

/**
 * RBAC roles that an application needs in each of its clusters. They cover its informers,
 * handlers and reconcilers, the Leases in that cluster (for leader election, and for
 * shard slots that move between replicas), and the definitions that the application
 * applies there. Thread-safe. Internal to the starter.
 */
public final class RequiredRoles {

	private static final String SUFFIX = "informers";

	private final ClusterRuntimes clusters;

	private final InformerHandlers handlers;

	private final Reconcilers reconcilers;

	private final MissingRights missingRights;

	private final LeaseRights leases;

	private final String name;

	private final DefinitionRights definitions;

	/**
	 * Creates the roles.
	 * @param clusters the clusters
	 * @param handlers the handlers
	 * @param reconcilers the reconcilers
	 * @param missingRights the permissions that reconcilers were denied
	 * @param leases the rules for Leases
	 * @param name the name of the roles
	 * @param definitions the rules for definitions
	 */
	public RequiredRoles(ClusterRuntimes clusters, InformerHandlers handlers, Reconcilers reconcilers,
			MissingRights missingRights, LeaseRights leases, String name, DefinitionRights definitions) {
		this.clusters = clusters;
		this.handlers = handlers;
		this.reconcilers = reconcilers;
		this.missingRights = missingRights;
		this.leases = leases;
		this.name = name;
		this.definitions = definitions;
	}

	/**
	 * Returns the roles of an application.
	 * @param beans the beans of the application
	 * @param environment the environment of the application
	 * @return the roles
	 * @throws org.springframework.beans.factory.NoSuchBeanDefinitionException if the
	 * application has no informers
	 */
	public static RequiredRoles of(BeanFactory beans, Environment environment) {
		return new RequiredRoles(beans.getBean(ClusterRuntimes.class), beans.getBean(InformerHandlers.class),
				beans.getBean(Reconcilers.class), beans.getBean(MissingRights.class),
				LeaseRights.of(beans, environment), name(environment),
				DefinitionRights.of(UsedResources.of(beans), environment));
	}

	/**
	 * Returns the cluster with the Lease of the leader election.
	 * @param environment the environment of the application
	 * @return the name of the cluster
	 */
	public static String leaseCluster(Environment environment) {
		String cluster = environment.getProperty("kubernetes.leader.cluster", "").strip();
		return cluster.isEmpty() ? InformerClusters.DEFAULT : cluster;
	}

	/**
	 * Returns a valid name for the roles, derived from the name of the application.
	 * @param environment the environment of the application, which may have no name
	 * @return the name of the roles
	 */
	public static String name(Environment environment) {
		String name = environment.getProperty("spring.application.name", "")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^a-z0-9]+", "-")
			.replaceAll("^-|-$", "");
		return name.isEmpty() ? SUFFIX : name + "-" + SUFFIX;
	}

	/**
	 * Returns the names of the clusters of the application.
	 * @return the names, the default cluster first
	 */
	public List<String> clusters() {
		return this.clusters.all().stream().map(ClusterRuntime::name).toList();
	}

	/**
	 * Returns the roles that are currently needed in a cluster.
	 * @param cluster the name of the cluster
	 * @param more additional rules
	 * @return a {@code ClusterRole} first, if one is needed, then a {@code Role} for each
	 * namespace, as trees of maps, lists and strings; empty if no role is needed
	 * @throws IllegalArgumentException if the cluster does not exist
	 */
	public List<Map<String, Object>> in(String cluster, Collection<RequiredRbac> more) {
		Informers informers = this.clusters.all()
			.stream()
			.filter((candidate) -> candidate.name().equals(cluster))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no cluster '%s'; the clusters are %s".formatted(cluster, clusters())))
			.informers();
		RbacRoles roles = RbacRoles.of(informers, this.handlers.of(informers), this.reconcilers, this.missingRights);
		this.leases.in(cluster).forEach(roles::add);
		this.definitions.in(cluster).forEach(roles::add);
		more.forEach(roles::add);
		return roles.toDocuments(this.name);
	}

	/**
	 * Writes documents as YAML for {@code kubectl apply}.
	 * @param documents the documents
	 * @return the YAML; a comment if there is no document
	 */
	public static String toYaml(List<Map<String, Object>> documents) {
		return RbacRoles.toYaml(documents);
	}

}
