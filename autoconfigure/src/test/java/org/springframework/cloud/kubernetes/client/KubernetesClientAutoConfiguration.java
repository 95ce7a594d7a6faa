package org.springframework.cloud.kubernetes.client;

import java.util.List;

import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.informer.cache.Cache;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Service;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The beans of Spring Cloud Kubernetes that are of our types, under the name of the class
 * that defines the client there.
 */
@AutoConfiguration
public class KubernetesClientAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ApiClient apiClient(@Value("${cloud.url}") String url) {
		return new ApiClient().setBasePath(url).setReadTimeout(0);
	}

	@Bean
	@ConditionalOnMissingBean
	CoreV1Api coreV1Api(ApiClient apiClient) {
		return new CoreV1Api(apiClient);
	}

	@Bean
	SharedInformerFactory sharedInformerFactory(ApiClient apiClient) {
		return new SharedInformerFactory(apiClient);
	}

	@Bean
	@ConditionalOnMissingBean(value = V1Service.class, parameterizedContainer = { List.class, Lister.class })
	List<Lister<V1Service>> serviceListers() {
		Cache<V1Service> cache = new Cache<>();
		cache.add(new V1Service().metadata(new V1ObjectMeta().namespace("cloud").name("of-cloud")));
		return List.of(new Lister<>(cache));
	}

}
