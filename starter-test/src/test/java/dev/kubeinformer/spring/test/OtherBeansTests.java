package dev.kubeinformer.spring.test;

import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.test.InformersConfiguration.PodHandler;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link EmbeddedKubernetesTest} together with other servers, clients and
 * contexts.
 */
class OtherBeansTests {

	@Test
	void serverOfTheContextShouldBePrimary() {
		inContext(SecondServerCase.class, (context) -> {
			assertThat(context.getBean(EmbeddedKubernetes.class))
				.isSameAs(context.getBean(EmbeddedKubernetesConfiguration.SERVER));
			assertThat(context.getBean("embeddedKubernetes")).isNotSameAs(context.getBean(EmbeddedKubernetes.class));
			assertThat(context.getBean(ApiClient.class).getBasePath())
				.isEqualTo(context.getBean(EmbeddedKubernetesConfiguration.SERVER, EmbeddedKubernetes.class).url());
		});
	}

	@Test
	void primaryClientOfAClassOfItsOwnShouldBePrimaryNoMore() {
		inContext(OneSubclassCase.class, (context) -> {
			assertThat(context.getBean(ApiClient.class)).isInstanceOf(EmbeddedApiClient.class);
			assertThat(context.getBean(OwnClient.class).getBasePath())
				.isEqualTo(context.getBean(EmbeddedKubernetes.class).url());
		});
	}

	@Test
	void primaryClientAmongOthersOfItsClassShouldBeRefused() {
		assertThatException().isThrownBy(() -> inContext(TwoSubclassesCase.class, (context) -> {
		}))
			.havingRootCause()
			.withMessageStartingWith("The bean 'firstClient' cannot be primary, because @EmbeddedKubernetesTest")
			.withMessageContaining(OwnClient.class.getName());
	}

	@Test
	void clientThatIsThereBeforeTheContextShouldBePointedToTheEmbeddedApi() {
		inContext(EarlyClientCase.class,
				(context) -> assertThat(context.getBean("early", ApiClient.class).getBasePath())
					.isEqualTo(context.getBean(EmbeddedKubernetes.class).url()));
	}

	@Test
	void hierarchyShouldShareOneServerAndResetAllLevels() {
		inContext(HierarchyCase.class, (context) -> {
			ApplicationContext parent = context.getParent();
			EmbeddedKubernetes kubernetes = context.getBean(EmbeddedKubernetes.class);
			assertThat(kubernetes).isSameAs(parent.getBean(EmbeddedKubernetes.class));
			PodHandler handler = parent.getBean(PodHandler.class);
			kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("one"));
			await().until(() -> handler.calls().contains("ADD one"));
			context.getBean(EmbeddedKubernetesReset.class).run();
			assertThat(handler.calls()).containsExactly("ADD one", "DELETE one");
			assertThat(parent.getBean(Informers.class).snapshot(V1Pod.class).resourceVersion())
				.isEqualTo(kubernetes.resourceVersion());
		});
	}

	private static void inContext(Class<?> testClass, Consumer<ApplicationContext> test) {
		TestContextManager manager = new TestContextManager(testClass);
		try {
			test.accept(manager.getTestContext().getApplicationContext());
		}
		finally {
			manager.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
		}
	}

	// Overriding of beans is off, as in Spring Boot.
	@SpringBootTest
	@EmbeddedKubernetesTest
	static class SecondServerCase {

		@Configuration(proxyBeanMethods = false)
		static class Servers {

			@Bean
			EmbeddedKubernetes embeddedKubernetes() {
				return EmbeddedKubernetes.start();
			}

		}

	}

	@SpringJUnitConfig
	@EmbeddedKubernetesTest
	static class OneSubclassCase {

		@Configuration(proxyBeanMethods = false)
		static class Clients {

			@Bean
			@Primary
			OwnClient firstClient() {
				return new OwnClient();
			}

		}

	}

	@SpringJUnitConfig
	@EmbeddedKubernetesTest
	static class TwoSubclassesCase {

		@Configuration(proxyBeanMethods = false)
		static class Clients {

			@Bean
			@Primary
			OwnClient firstClient() {
				return new OwnClient();
			}

			@Bean
			OwnClient secondClient() {
				return new OwnClient();
			}

		}

	}

	@SpringJUnitConfig(initializers = EarlyClient.class)
	@EmbeddedKubernetesTest
	static class EarlyClientCase {

		@Configuration(proxyBeanMethods = false)
		static class Empty {

		}

	}

	@ContextHierarchy({ @ContextConfiguration(classes = InformersConfiguration.class),
			@ContextConfiguration(classes = HierarchyCase.Child.class) })
	@EmbeddedKubernetesTest
	static class HierarchyCase {

		@Configuration(proxyBeanMethods = false)
		static class Child {

		}

	}

	static class EarlyClient implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			context.getBeanFactory().registerSingleton("early", new ApiClient());
		}

	}

	static class OwnClient extends ApiClient {

	}

}
