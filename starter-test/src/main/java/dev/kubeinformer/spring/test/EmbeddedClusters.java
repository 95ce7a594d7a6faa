package dev.kubeinformer.spring.test;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Embedded APIs of an application context, by the names of their clusters. The one of the
 * default cluster is first.
 *
 * @param servers the embedded API by the name of its cluster
 */
record EmbeddedClusters(Map<String, EmbeddedKubernetes> servers) {

	static EmbeddedClusters of(Collection<String> names, BeanFactory beanFactory) {
		Map<String, EmbeddedKubernetes> servers = new LinkedHashMap<>();
		servers.put(InformerClusters.DEFAULT,
				beanFactory.getBean(EmbeddedKubernetesConfiguration.SERVER, EmbeddedKubernetes.class));
		for (String name : names) {
			servers.put(name,
					beanFactory.getBean(EmbeddedClustersRegistrar.serverName(name), EmbeddedKubernetes.class));
		}
		return new EmbeddedClusters(servers);
	}

	EmbeddedKubernetes byDefault() {
		return this.servers.values().iterator().next();
	}

	Set<String> names() {
		return this.servers.keySet();
	}

	Collection<EmbeddedKubernetes> all() {
		return this.servers.values();
	}

	/**
	 * Returns the embedded API of a cluster.
	 * @param name the name of the cluster
	 * @return the embedded API; {@code null} if the cluster has none
	 */
	@Nullable EmbeddedKubernetes get(String name) {
		return this.servers.get(name);
	}

}
