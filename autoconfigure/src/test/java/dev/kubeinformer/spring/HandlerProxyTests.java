package dev.kubeinformer.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.env.Environment;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of handlers behind proxies that do something around each call, as
 * {@code @Transactional} does, and of beans that are not there at the start.
 */
class HandlerProxyTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@ParameterizedTest
	@CsvSource({ "methods,false", "methods,true", "official,false", "official,true", "plainMethods,true" })
	void callsShouldGoThroughTheProxy(String name, boolean proxyTargetClass) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withUserConfiguration(AroundConfiguration.class, Handlers.class)
			.withPropertyValues("app.proxy-target-class=" + proxyTargetClass)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Object bean = context.getBean(name);
				assertThat(AopUtils.isAopProxy(bean)).isTrue();
				assertThat(Proxy.isProxyClass(bean.getClass())).isNotEqualTo(proxyTargetClass);
				RecordingHandler target = (RecordingHandler) AopProxyUtils.getSingletonTarget(bean);
				await().until(() -> target.calls().equals(List.of("added one")));
				assertThat(context.getBean(Calls.class).of(target.getClass())).hasSize(1);
			});
	}

	@Test
	void scopedProxyShouldBeCalledInItsScope() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withInitializer((context) -> context.getBeanFactory().registerScope("common", new CommonScope()))
			.withBean(Calls.class)
			.withUserConfiguration(ScopedConfiguration.class)
			.run((context) -> {
				Calls calls = context.getBean(Calls.class);
				await().until(() -> calls.of(ScopedHandler.class).size() == 1);
				assertThat(context.getBean(InformerHandlerRegistry.class).get("scoped").beanName())
					.isEqualTo("scopedHandler");
			});
	}

	@Test
	void handlersShouldWorkWithLazyInitialization() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		SpringApplication application = new SpringApplication(LazyApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		String[] arguments = { "--spring.main.lazy-initialization=true",
				"--kubernetes.client.url=" + this.kubernetes.url() };
		try (ConfigurableApplicationContext context = application.run(arguments)) {
			assertThat(context.getBeanFactory().getBeanDefinition("lazyHandler").isLazyInit()).isTrue();
			await().until(() -> context.getBean(InformerHandlerRegistry.class).get("lazyHandler").hasSynced());
			assertThat(context.getBean(MethodHandler.class).calls()).containsExactly("added one");
		}
	}

	@Test
	void lazyHandlerThatCannotBeCreatedShouldCountAsFailure() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner
			.withBean("broken", BrokenHandler.class, BrokenHandler::new, (definition) -> definition.setLazyInit(true))
			.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				await().until(() -> context.getBean(InformerHandlerRegistry.class)
					.get("broken")
					.status()
					.deliveries()
					.failed() == 1);
			});
	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Around {

	}

	static class Calls {

		private final List<Class<?>> calls = new CopyOnWriteArrayList<>();

		void add(Class<?> type) {
			this.calls.add(type);
		}

		List<Class<?>> of(Class<?> type) {
			return this.calls.stream().filter(type::equals).toList();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static class AroundConfiguration {

		@Bean
		Calls calls() {
			return new Calls();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor aroundAdvisor(Calls calls) {
			return new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(Around.class, true),
					(MethodInterceptor) (invocation) -> {
						calls.add(invocation.getThis().getClass());
						return invocation.proceed();
					});
		}

		@Bean
		static DefaultAdvisorAutoProxyCreator proxyCreator(Environment environment) {
			DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
			creator.setProxyTargetClass(environment.getRequiredProperty("app.proxy-target-class", Boolean.class));
			return creator;
		}

	}

	interface PodListener {

		void added(ResourceEvent<V1Pod> event);

	}

	@Around
	@InformerHandler
	static class ListeningHandler extends RecordingHandler implements PodListener {

		@Override
		@OnAdd
		public void added(ResourceEvent<V1Pod> event) {
			record("added", event.object());
		}

	}

	@Around
	@InformerHandler
	static class OfficialHandler extends RecordingHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			record("added", pod);
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			record("changed", after);
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			record("deleted", pod);
		}

	}

	@InformerHandler
	static class MethodHandler extends RecordingHandler {

		@OnAdd
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@Around
	static class PlainHandler extends MethodHandler {

	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		PodListener methods() {
			return new ListeningHandler();
		}

		@Bean
		ResourceEventHandler<V1Pod> official() {
			return new OfficialHandler();
		}

		@Bean
		@ConditionalOnProperty("app.proxy-target-class")
		PlainHandler plainMethods() {
			return new PlainHandler();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedConfiguration {

		@Bean
		@Scope(scopeName = "common", proxyMode = ScopedProxyMode.TARGET_CLASS)
		@InformerHandler(id = "scoped")
		ScopedHandler scopedHandler(Calls calls) {
			return new ScopedHandler(calls);
		}

	}

	static class ScopedHandler {

		private final Calls calls;

		ScopedHandler(Calls calls) {
			this.calls = calls;
		}

		@OnAdd
		void added(V1Pod pod) {
			this.calls.add(ScopedHandler.class);
		}

	}

	@InformerHandler
	static class BrokenHandler {

		BrokenHandler() {
			throw new IllegalStateException("no");
		}

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	static class LazyApplication {

		@Bean
		MethodHandler lazyHandler() {
			return new MethodHandler();
		}

	}

}
