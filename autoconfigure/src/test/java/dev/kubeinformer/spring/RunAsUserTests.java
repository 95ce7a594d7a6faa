package dev.kubeinformer.spring;

import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers and reconcilers that use services with method security.
 */
class RunAsUserTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withUserConfiguration(Security.class)
		.withPropertyValues("kubernetes.informers.retry.max-retries=0");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerShouldHaveNoUserByDefault() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			InformerHandlerRegistry registry = context.getBean(InformerHandlerRegistry.class);
			await().until(() -> registry.get("podHandler").status().deliveries().failed() == 1);
			assertThat(registry.get("podHandler").status().lastError().exception())
				.isEqualTo(AuthenticationCredentialsNotFoundException.class.getName());
		});
	}

	@Test
	void handlersReconcilersAndCleanupsShouldRunAsTheirUsers() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(RunAsUser.class)
			.withBean("podHandler", PodHandler.class)
			.withBean("podReconciler", PodReconciler.class)
			.run((context) -> {
				Service service = context.getBean(Service.class);
				await().until(() -> service.users()
					.equals(Set.of("podHandler add", "podReconciler reconcile", "podReconciler cleanup")));
				// A worker keeps no user between two events.
				assertThat(service.leaked()).isEmpty();
			});
	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity
	static class Security {

		@Bean
		Service service() {
			return new Service();
		}

	}

	static class Service {

		private final Set<String> users = new CopyOnWriteArraySet<>();

		@PreAuthorize("hasRole('CONTROLLER')")
		public void call(String what) {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			this.users.add(user.getName() + " " + what);
		}

		public Set<String> users() {
			return this.users;
		}

		public Set<String> leaked() {
			Authentication user = SecurityContextHolder.getContext().getAuthentication();
			return (user != null) ? Set.of(user.getName()) : Set.of();
		}

	}

	@InformerHandler
	record PodHandler(Service service) {

		@OnAdd
		void added(V1Pod pod) {
			this.service.call("add");
		}

	}

	@Reconciler
	record PodReconciler(Service service, ApiClient client) {

		@Reconcile
		void reconcile(V1Pod pod) throws ApiException {
			this.service.call("reconcile");
			new CoreV1Api(this.client).deleteNamespacedPod("one", "web").execute();
		}

		@OnCleanup
		void clean(V1Pod pod) {
			this.service.call("cleanup");
		}

	}

}
