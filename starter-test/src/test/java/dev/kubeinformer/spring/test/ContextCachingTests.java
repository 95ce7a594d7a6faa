package dev.kubeinformer.spring.test;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;

import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import dev.kubeinformer.spring.test.InformersConfiguration.PodHandler;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of which contexts share a server, and how long it lives.
 */
class ContextCachingTests {

	@AfterEach
	void closeContexts() {
		for (Class<?> testClass : new Class<?>[] { FirstCase.class, OtherBookmarksCase.class }) {
			dirty(testClass);
		}
	}

	private static void dirty(Class<?> testClass) {
		new TestContextManager(testClass).getTestContext()
			.markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
	}

	@Test
	void classesWithEqualAnnotationsShouldShareContextAndServer() {
		ApplicationContext first = load(FirstCase.class);
		ApplicationContext second = load(SecondCase.class);
		assertThat(second).isSameAs(first);
		assertThat(load(SecondCase.NestedCase.class)).isSameAs(first);
		assertThat(load(ComposedCase.class)).isSameAs(first);
	}

	@Test
	void classesWithOtherBookmarksShouldHaveAServerOfTheirOwn() {
		assertThat(load(OtherBookmarksCase.class).getBean(EmbeddedKubernetes.class).port())
			.isNotEqualTo(load(FirstCase.class).getBean(EmbeddedKubernetes.class).port());
	}

	@Test
	void garbageShouldBeCollectedWhereTheAnnotationSaysSo() {
		EmbeddedKubernetes kubernetes = load(GarbageCollectionCase.class).getBean(EmbeddedKubernetes.class);
		V1Pod owner = kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("owner"));
		V1Pod owned = InformersConfiguration.pod("owned");
		owned.getMetadata()
			.addOwnerReferencesItem(new V1OwnerReference().apiVersion("v1")
				.kind("Pod")
				.name("owner")
				.uid(owner.getMetadata().getUid()));
		kubernetes.resources(V1Pod.class).create(owned);
		kubernetes.resources(V1Pod.class).delete(owner.getMetadata().getNamespace(), "owner");
		await().until(() -> kubernetes.resources(V1Pod.class).list().isEmpty());
		dirty(GarbageCollectionCase.class);
	}

	@Test
	void classWithoutTheAnnotationShouldHaveNoServer() {
		assertThat(load(PlainCase.class).getBeanProvider(EmbeddedKubernetes.class).getIfAvailable()).isNull();
		dirty(PlainCase.class);
	}

	@Test
	void portAndObjectsShouldSurviveStopAndStartOfTheContext() {
		ConfigurableApplicationContext context = (ConfigurableApplicationContext) load(FirstCase.class);
		EmbeddedKubernetes kubernetes = context.getBean(EmbeddedKubernetes.class);
		PodHandler handler = context.getBean(PodHandler.class);
		kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("one"));
		await().until(() -> handler.calls().contains("ADD one"));
		String url = kubernetes.url();
		context.pause();
		await().until(() -> kubernetes.openWatches() == 0);
		kubernetes.resources(V1Pod.class).create(InformersConfiguration.pod("two"));
		context.restart();
		await().until(() -> handler.calls().contains("ADD two"));
		assertThat(kubernetes.url()).isEqualTo(url);
		assertThat(kubernetes.resources(V1Pod.class).list()).hasSize(2);
	}

	@Test
	void serverShouldBeClosedWithTheContext() {
		EmbeddedKubernetes kubernetes = load(FirstCase.class).getBean(EmbeddedKubernetes.class);
		dirty(FirstCase.class);
		assertThatException().isThrownBy(() -> connect(kubernetes));
	}

	private static void connect(EmbeddedKubernetes kubernetes) throws IOException {
		URI.create(kubernetes.url() + "/version").toURL().openStream().close();
	}

	private static ApplicationContext load(Class<?> testClass) {
		return new TestContextManager(testClass).getTestContext().getApplicationContext();
	}

	@SpringJUnitConfig(InformersConfiguration.class)
	@EmbeddedKubernetesTest
	static class FirstCase {

	}

	@SpringJUnitConfig(InformersConfiguration.class)
	@EmbeddedKubernetesTest(bookmarkInterval = "60s")
	static class SecondCase {

		@Nested
		class NestedCase {

		}

	}

	@ComposedTest
	static class ComposedCase {

	}

	@SpringJUnitConfig(InformersConfiguration.class)
	@EmbeddedKubernetesTest(bookmarkInterval = "100ms")
	static class OtherBookmarksCase {

	}

	@SpringJUnitConfig(InformersConfiguration.class)
	@EmbeddedKubernetesTest(garbageCollection = true)
	static class GarbageCollectionCase {

	}

	@SpringJUnitConfig
	static class PlainCase {

		@Configuration(proxyBeanMethods = false)
		static class Empty {

		}

	}

	@SpringJUnitConfig(InformersConfiguration.class)
	@EmbeddedKubernetesTest
	@Retention(RetentionPolicy.RUNTIME)
	@interface ComposedTest {

	}

}
