package dev.kubeinformer.spring.test;

import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesConnectionDetails;
import dev.kubeinformer.spring.test.InformersConfiguration.PodHandler;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what {@link EmbeddedKubernetesTest} makes of an application that has a client
 * of its own and auto-configuration of others.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE)
@EmbeddedKubernetesTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedKubernetesTestTests {

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private PodHandler handler;

	@Autowired
	private Informers informers;

	@Autowired
	private ApiClient client;

	@Test
	@Order(1)
	void handlerShouldFollowTheEmbeddedApi() {
		this.kubernetes.faults().on(Requests.list("configmaps")).status(500);
		this.kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("one"));
		await().untilAsserted(() -> assertThat(this.handler.calls()).contains("ADD one"));
	}

	@Test
	@Order(2)
	void everythingShouldBeGoneInTheNextTest() throws ApiException {
		assertThat(this.kubernetes.requests()).isEmpty();
		assertThat(this.kubernetes.resources(V1Pod.class).list()).isEmpty();
		assertThat(this.informers.lister(V1Pod.class).list()).isEmpty();
		assertThat(this.handler.calls()).containsExactly("ADD one", "DELETE one");
		assertThat(Long.parseLong(this.kubernetes.resourceVersion())).isGreaterThanOrEqualTo(3);
		assertThat(new CoreV1Api(this.client).listNamespacedConfigMap("default").execute().getItems()).isEmpty();
	}

	@Test
	void clientOfTheEmbeddedApiShouldBeInjectedByType(@Autowired CoreV1Api api) throws ApiException {
		assertThat(this.client.getBasePath()).isEqualTo(this.kubernetes.url());
		assertThat(api.getApiClient()).isSameAs(this.client);
		assertThat(api.listNamespacedPod("default").execute().getItems()).isEmpty();
	}

	@Test
	void clientsOfTheApplicationShouldBePointedToTheEmbeddedApi(@Autowired ApplicationContext context) {
		List<String> names = List.of(context.getBeanNamesForType(ApiClient.class));
		assertThat(names).containsExactlyInAnyOrder("embeddedKubernetesApiClient", "ownClient");
		assertThat(context.getBean("ownClient", ApiClient.class).getBasePath()).isEqualTo(this.kubernetes.url());
	}

	@Test
	void connectionDetailsShouldBeThoseOfTheEmbeddedApi(@Autowired KubernetesConnectionDetails details) {
		assertThat(details.getUrl()).isEqualTo(this.kubernetes.url());
		assertThat(details.getNamespace()).isEqualTo("default");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(InformersConfiguration.class)
	@ImportAutoConfiguration(OtherAutoConfiguration.class)
	static class TestConfiguration {

		@Bean
		@Primary
		ApiClient ownClient() {
			return new ClientBuilder().setBasePath("https://prod.example.com").build();
		}

		@Bean
		@Primary
		KubernetesConnectionDetails ownDetails() {
			return () -> "https://prod.example.com";
		}

		@Bean
		CoreV1Api coreV1Api(ApiClient client) {
			return new CoreV1Api(client);
		}

	}

	/**
	 * Stands for Spring Cloud Kubernetes.
	 */
	@AutoConfiguration
	static class OtherAutoConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ApiClient otherClient() {
			throw new IllegalStateException("There is a client");
		}

	}

}
