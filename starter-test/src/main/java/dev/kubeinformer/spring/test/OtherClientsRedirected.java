package dev.kubeinformer.spring.test;

import java.util.Map;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.PriorityOrdered;

import dev.kubeinformer.spring.autoconfigure.client.ClusterNames;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * {@link BeanPostProcessor} that redirects clients of the application to the embedded
 * API. Otherwise a client that is injected by its name or qualifier would reach a real
 * cluster. If the name or qualifier of a client is the name of a cluster, the client is
 * redirected to the embedded API of that cluster, or rejected if the cluster has none.
 * All other clients are redirected to the embedded API of the default cluster. The
 * processor runs before other post processors. It also redirects clients that were
 * created before it.
 */
class OtherClientsRedirected implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware {

	private final ObjectProvider<EmbeddedClusters> clusters;

	private final ObjectProvider<ClusterNames> names;

	private @Nullable BeanFactory beanFactory;

	OtherClientsRedirected(ObjectProvider<EmbeddedClusters> clusters, ObjectProvider<ClusterNames> names) {
		this.clusters = clusters;
		this.names = names;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		if (beanFactory instanceof ConfigurableListableBeanFactory beans) {
			for (String name : beans.getBeanNamesForType(ApiClient.class, true, false)) {
				Object singleton = beans.getSingleton(name);
				if (singleton != null) {
					postProcessAfterInitialization(singleton, name);
				}
			}
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ApiClient client && !(bean instanceof EmbeddedApiClient)) {
			client.setBasePath(server(beanName).url());
		}
		return bean;
	}

	private EmbeddedKubernetes server(String beanName) {
		EmbeddedClusters all = this.clusters.getObject();
		for (Map.Entry<String, EmbeddedKubernetes> entry : all.servers().entrySet()) {
			if (isOf(entry.getKey(), beanName)) {
				return entry.getValue();
			}
		}
		this.names.stream()
			.flatMap((configured) -> configured.names().stream())
			.filter((name) -> isOf(name, beanName))
			.findFirst()
			.ifPresent((name) -> {
				throw new MissingEmbeddedClusterException(name);
			});
		return all.byDefault();
	}

	private boolean isOf(String cluster, String beanName) {
		return BeanFactoryAnnotationUtils.isQualifierMatch(cluster::equals, beanName, this.beanFactory);
	}

}
