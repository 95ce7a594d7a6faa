package dev.kubeinformer.spring;

import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.annotation.AnnotatedGenericBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.Scope;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.annotation.ApplicationScope;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.context.annotation.SessionScope;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of handlers and reconcilers in scopes, most of which do not exist in the thread
 * that calls them. Nothing connects here.
 */
class HandlerScopeTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	private final WebApplicationContextRunner web = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class))
		.withPropertyValues(InformerContextRunner.NO_CLUSTER)
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@ParameterizedTest
	@ValueSource(classes = { RequestHandler.class, SessionHandler.class, RequestReconciler.class })
	void webScopedBeanShouldBeRefusedWithAScopedProxy(Class<?> configuration) {
		assertRefused(this.web.withUserConfiguration(configuration),
				configuration.getSimpleName().startsWith("Session") ? "session" : "request");
	}

	@Test
	void webScopedBeanShouldBeRefusedInAnApplicationThatHasNoSuchScope() {
		assertRefused(this.runner.withUserConfiguration(RequestHandler.class), "request");
	}

	@Test
	void webScopedBeanShouldBeRefusedWhenTheContextStartsInARequest() {
		RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(new MockHttpServletRequest()));
		try {
			assertRefused(this.web.withUserConfiguration(RequestHandler.class), "request");
		}
		finally {
			RequestContextHolder.resetRequestAttributes();
		}
	}

	@ParameterizedTest
	@EnumSource(value = ScopedProxyMode.class, names = { "NO", "TARGET_CLASS" })
	void beanOfAScopeThatAThreadHasShouldBeRefused(ScopedProxyMode mode) {
		assertRefused(scoped("worker", new SimpleThreadScope(), mode), "worker");
		assertRefused(scoped("conversation", new ConversationScope(), mode), "conversation");
	}

	@Test
	void beanOfAScopeThatEveryThreadHasShouldBeCalled() {
		this.web.withUserConfiguration(ApplicationHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler")).isNotNull());
		scoped("common", new CommonScope(), ScopedProxyMode.TARGET_CLASS)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler")).isNotNull());
		scoped("silent", new SilentScope(), ScopedProxyMode.TARGET_CLASS)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler")).isNotNull());
	}

	@Test
	void beanOfAScopeThatEveryThreadHasShouldNeedAScopedProxy() {
		scoped("common", new CommonScope(), ScopedProxyMode.NO).run((context) -> assertThat(context).getFailure()
			.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
				assertThat(ex).hasMessageContaining("has the scope 'common', so there is no single bean to call");
				assertThat(ex.getAction()).contains("give its scope a scoped proxy");
			}));
	}

	private ApplicationContextRunner scoped(String name, Scope scope, ScopedProxyMode mode) {
		return this.runner.withInitializer((context) -> {
			context.getBeanFactory().registerScope(name, scope);
			BeanDefinition target = new AnnotatedGenericBeanDefinition(PodHandler.class);
			target.setScope(name);
			BeanDefinitionRegistry registry = (BeanDefinitionRegistry) context;
			BeanDefinitionHolder holder = new BeanDefinitionHolder(target, "handler");
			if (mode == ScopedProxyMode.TARGET_CLASS) {
				holder = ScopedProxyUtils.createScopedProxy(holder, registry, true);
			}
			registry.registerBeanDefinition("handler", holder.getBeanDefinition());
		});
	}

	private static void assertRefused(AbstractApplicationContextRunner<?, ?, ?> runner, String scope) {
		runner.run((context) -> assertThat(context.getStartupFailure())
			.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
				assertThat(ex).hasMessageContaining(
						"has the scope '%s', which does not exist in the threads that call it".formatted(scope));
				assertThat(ex.getAction()).contains("Make the bean a singleton").doesNotContain("scoped proxy");
			}));
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Reconciler
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestHandler {

		@Bean
		@RequestScope
		PodHandler handler() {
			return new PodHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SessionHandler {

		@Bean
		@SessionScope
		PodHandler handler() {
			return new PodHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestReconciler {

		@Bean
		@RequestScope
		PodReconciler reconciler() {
			return new PodReconciler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ApplicationHandler {

		@Bean
		@ApplicationScope
		PodHandler handler() {
			return new PodHandler();
		}

	}

	/**
	 * Scope of what only some threads have, like those of Web Flow and Vaadin.
	 */
	static class ConversationScope implements Scope {

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			throw new IllegalStateException("No conversation");
		}

		@Override
		public @Nullable Object remove(String name) {
			return null;
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
			throw new IllegalStateException("No conversation");
		}

		@Override
		public String getConversationId() {
			throw new IllegalStateException("No conversation");
		}

	}

	/**
	 * Scope without conversations.
	 */
	static class SilentScope implements Scope {

		private final CommonScope beans = new CommonScope();

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			return this.beans.get(name, factory);
		}

		@Override
		public @Nullable Object remove(String name) {
			return this.beans.remove(name);
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
			this.beans.registerDestructionCallback(name, callback);
		}

		@Override
		public String getConversationId() {
			throw new UnsupportedOperationException();
		}

	}

}
