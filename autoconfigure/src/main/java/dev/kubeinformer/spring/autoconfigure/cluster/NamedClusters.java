package dev.kubeinformer.spring.autoconfigure.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;
import dev.kubeinformer.spring.autoconfigure.client.ClientProvider;
import dev.kubeinformer.spring.autoconfigure.client.ClusterBeans;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.autoconfigure.client.ClusterNames;
import dev.kubeinformer.spring.autoconfigure.client.NamedClusterClient;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.NamedCluster;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;

/**
 * Clusters below {@code kubernetes.clusters}, with their configuration and clients. A
 * hierarchy of application contexts shares them.
 */
public final class NamedClusters implements ClusterNames, AutoCloseable {

	private final Map<String, ClusterProperties> entries;

	private final Map<String, NamedClusterClient> clients = new HashMap<>();

	private final ConfigurableListableBeanFactory beanFactory;

	private final Environment environment;

	public NamedClusters(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		this.beanFactory = beanFactory;
		this.environment = environment;
		this.entries = ClusterEntries.read(environment);
		this.entries.forEach((name, entry) -> this.clients.put(name,
				new NamedClusterClient(name, ClusterEntries.name(name, ""), entry.client(), beanFactory, environment)));
	}

	@Override
	public Set<String> names() {
		return this.entries.keySet();
	}

	public Map<String, ClusterProperties> entries() {
		return this.entries;
	}

	/**
	 * Returns the holder of a cluster's client. The holder creates the client when it is
	 * first needed.
	 * @param name the name of the cluster
	 * @return the holder of the client
	 */
	NamedClusterClient client(String name) {
		NamedClusterClient client = this.clients.get(name);
		if (client == null) {
			// A context that was processed ahead of time has bean definitions for
			// clusters that the configuration at run time may no longer have.
			throw new IllegalStateException("There is no longer a cluster '%s' below '%s'; the clusters are %s"
				.formatted(name, ClusterEntries.PREFIX, names()));
		}
		return client;
	}

	/**
	 * Creates the informers of a cluster.
	 * @param name the name of the cluster
	 * @param factory the factory of informers
	 * @param all the common configuration of all clusters
	 * @return the informers
	 */
	Informers informers(String name, InformersFactory factory, ConfiguredSettings all) {
		ClusterProperties properties = Objects.requireNonNull(this.entries.get(client(name).name()));
		ConfiguredSettings configured = all.forCluster(name);
		return factory.create(name, properties.protobuf(), provider(name), configured, specs(name, configured));
	}

	/**
	 * Returns the provider of a cluster's client: the client of the application or, by
	 * default, of the starter.
	 * @param name the name of the cluster
	 * @return the provider
	 */
	ClientProvider provider(String name) {
		String bean = clientBean(name);
		return new ClientProvider(() -> this.beanFactory.getBean(bean, ApiClient.class),
				new ClientPropertyNames(this.environment, ClusterEntries.name(name, "")));
	}

	private String clientBean(String name) {
		String own = ownClient(name);
		return (own != null) ? own : NamedClusterBeans.CLIENT + name;
	}

	/**
	 * Creates the client of a cluster, unless the client exists. Does nothing for a
	 * cluster that was added at run time with a client.
	 * @param name the name of the cluster
	 */
	public void obtainClient(String name) {
		if (this.entries.containsKey(name)) {
			this.beanFactory.getBean(clientBean(name), ApiClient.class);
		}
	}

	/**
	 * Returns the client of the application for a cluster.
	 * @param name the name of the cluster
	 * @return the name of its bean; {@code null} if there is none
	 */
	private @Nullable String ownClient(String name) {
		String bean = new ClusterBeans(this.beanFactory).find(ApiClient.class, name);
		return (NamedClusterBeans.CLIENT + name).equals(bean) ? null : bean;
	}

	private InformerSpecs specs(String name, ConfiguredSettings configured) {
		ClusterLocator locator = client(name).locator();
		// Return any name if informers are disabled, because the namespace is never used
		// then. Looking it up would require a cluster.
		return new InformerSpecs(configured, () -> configured.isEnabled() ? locator.currentNamespace() : "default",
				ClusterEntries.name(name, ""));
	}

	/**
	 * Returns the clusters.
	 * @param all the common configuration of all clusters
	 * @return the clusters, which are not started
	 */
	public List<NamedCluster> all(ConfiguredSettings all) {
		List<NamedCluster> clusters = new ArrayList<>();
		this.entries.forEach((name, entry) -> {
			Informers informers = this.beanFactory.getBean(NamedClusterBeans.INFORMERS + name, Informers.class);
			ConfiguredSettings configured = all.forCluster(name);
			ClusterRuntime runtime = new ClusterRuntime(name, informers, configured, specs(name, configured),
					entry.readiness());
			boolean ours = ownClient(name) == null;
			// If the start applies definitions, it is slow, and the application must not
			// wait for it.
			boolean applies = Binder.get(this.environment)
				.bind(DefinitionsProperties.APPLY, Boolean.class)
				.orElse(false);
			clusters.add(new NamedCluster(runtime, () -> (ours && client(name).isSlow()) || applies, () -> {
				if (ours) {
					client(name).get();
				}
			}, true));
		});
		return clusters;
	}

	/**
	 * Creates the runtime of a cluster that is added at run time.
	 * @param name the name of the cluster
	 * @param client the client
	 * @param factory the factory of informers
	 * @param all the common configuration of all clusters
	 * @return the runtime of the cluster
	 */
	public ClusterRuntime add(String name, ApiClient client, InformersFactory factory, ConfiguredSettings all) {
		ConfiguredSettings configured = all.forCluster(name);
		InformerSpecs specs = new InformerSpecs(configured, () -> {
			throw new IllegalArgumentException(
					"the namespace '@current' is unknown for cluster '%s', which was added with a client"
						.formatted(name));
		}, ClusterEntries.name(name, ""));
		Informers informers = factory.create(name, client, configured, specs);
		// Initialize it like a bean, for post-processors that inspect all informers.
		Object processed = this.beanFactory.initializeBean(informers, NamedClusterBeans.INFORMERS + name);
		return new ClusterRuntime(name, (Informers) processed, configured, specs, false);
	}

	/**
	 * Closes the clients, including those that are being created by threads that start
	 * clusters.
	 */
	@Override
	public void close() {
		this.clients.values().forEach(NamedClusterClient::close);
	}

}
