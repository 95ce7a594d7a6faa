package dev.kubeinformer.spring.handler;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of how the resource of a handler is found in its code. Nothing connects here.
 */
class HandlerTypeTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@ParameterizedTest
	@ValueSource(classes = { ObjectParameter.class, BeforeAndAfter.class, FinalStateUnknown.class, EventParameter.class,
			EventOfSubtype.class, RawEventAndType.class, Superclass.class, SuperclassOfSuperclass.class,
			AnnotatedInterface.class, DefaultMethod.class, OfficialInterface.class, OfficialSuperclass.class,
			OfficialSubinterface.class, SupertypeOfType.class, BoundOfTypeVariable.class, GenericMethod.class })
	void typeShouldBeFound(Class<?> handler) {
		this.runner.withBean("handler", handler)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler").spec().id())
				.isEqualTo("pods"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "official", "officialGeneric", "listener", "lazyOfficial", "lazyListener", "generic",
			"anonymous" })
	void typeShouldBeFoundOnBeanMethodsThatReturnInterfaces(String handler) {
		this.runner.withUserConfiguration(BeanMethods.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get(handler);
			assertThat(container.spec().id()).isEqualTo("pods");
			assertThat(container.beanName()).isEqualTo(handler);
		});
	}

	@Test
	void lazyBeanOfAnInterfaceShouldNotBeCreatedToTellItsType() {
		this.runner.withUserConfiguration(BeanMethods.class)
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("lazyListener")).isFalse());
	}

	@Test
	void annotationShouldSayTheTypeWhereTheCodeDoesNot() {
		this.runner.withBean("handler", OpenHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler").spec().id())
				.isEqualTo("configmaps"));
	}

	@InformerHandler
	static class ObjectParameter {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class BeforeAndAfter {

		@OnUpdate
		void changed(V1Pod before, V1Pod after) {
		}

	}

	@InformerHandler
	static class FinalStateUnknown {

		@OnDelete
		void deleted(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class EventParameter {

		@OnAdd
		@OnUpdate
		@OnDelete
		void handle(ResourceEvent<V1Pod> event) {
		}

	}

	@InformerHandler
	static class EventOfSubtype {

		@OnAdd
		void added(ResourceEvent<? extends V1Pod> event) {
		}

	}

	@InformerHandler(V1Pod.class)
	static class RawEventAndType {

		@OnAdd
		@SuppressWarnings("rawtypes")
		void added(ResourceEvent event) {
		}

	}

	abstract static class Base<T extends KubernetesObject> {

		@OnAdd
		void added(T object) {
		}

		@OnDelete
		void deleted(ResourceEvent<T> event) {
		}

	}

	@InformerHandler
	static class Superclass extends Base<V1Pod> {

	}

	abstract static class Middle<A, T extends KubernetesObject> extends Base<T> {

	}

	@InformerHandler
	static class SuperclassOfSuperclass extends Middle<String, V1Pod> {

		@Override
		void added(V1Pod object) {
		}

	}

	interface Listener<T extends KubernetesObject> {

		@OnAdd
		void added(T object);

	}

	@InformerHandler
	static class AnnotatedInterface implements Listener<V1Pod> {

		@Override
		public void added(V1Pod pod) {
		}

	}

	interface DefaultListener<T extends KubernetesObject> {

		@OnAdd
		default void added(T object) {
		}

	}

	@InformerHandler
	static class DefaultMethod implements DefaultListener<V1Pod> {

	}

	@InformerHandler
	static class OfficialInterface implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	static class OfficialGeneric<T extends KubernetesObject> implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
		}

		@Override
		public void onUpdate(T before, T after) {
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
		}

	}

	@InformerHandler
	static class OfficialSuperclass extends OfficialGeneric<V1Pod> {

	}

	interface PodEventHandler extends ResourceEventHandler<V1Pod> {

	}

	@InformerHandler
	static class OfficialSubinterface extends OfficialInterface implements PodEventHandler {

	}

	@InformerHandler(V1Pod.class)
	static class SupertypeOfType {

		@OnAdd
		void added(KubernetesObject object) {
		}

		@OnUpdate
		void changed(KubernetesObject before, V1Pod after) {
		}

		@OnDelete
		void deleted(ResourceEvent<? extends KubernetesObject> event) {
		}

	}

	@InformerHandler
	static class BoundOfTypeVariable<T extends V1Pod> {

		@OnAdd
		void added(T pod) {
		}

	}

	@InformerHandler
	static class GenericMethod {

		@OnAdd
		<T extends V1Pod> void added(T pod) {
		}

	}

	@InformerHandler(V1ConfigMap.class)
	static class OpenHandler {

		@OnAdd
		void added(ResourceEvent<?> event) {
		}

	}

	static class Generic<T extends KubernetesObject> {

		@OnAdd
		void added(T object) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BeanMethods {

		@Bean
		@InformerHandler
		ResourceEventHandler<V1Pod> official() {
			return new OfficialInterface();
		}

		@Bean
		@InformerHandler
		ResourceEventHandler<V1Pod> officialGeneric() {
			return new OfficialGeneric<>();
		}

		@Bean
		@InformerHandler
		Listener<V1Pod> listener() {
			return new AnnotatedInterface();
		}

		@Bean
		@Lazy
		@InformerHandler
		ResourceEventHandler<V1Pod> lazyOfficial() {
			return new OfficialGeneric<>();
		}

		@Bean
		@Lazy
		@InformerHandler
		Listener<V1Pod> lazyListener() {
			return new AnnotatedInterface();
		}

		@Bean
		@InformerHandler
		Generic<V1Pod> generic() {
			return new Generic<>();
		}

		@Bean
		@InformerHandler
		Object anonymous() {
			return new Object() {

				@OnAdd
				void added(V1Pod pod) {
				}

			};
		}

	}

}
