package dev.kubeinformer.spring;

import java.util.Map;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of where handlers are found: by a component scan, and in contexts with parents.
 */
class HandlerContextTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void annotatedClassShouldBeFoundByAComponentScan() {
		this.runner.withUserConfiguration(ScanConfiguration.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("given").beanName())
				.isEqualTo("handlerContextTests.ScannedHandler"));
	}

	@Test
	void handlerOfTheParentShouldGetEventsOnceAndChildrenShouldShareItsInformers() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean("parentHandler", PodHandler.class)
			.run((parent) -> this.runner.withParent(parent)
				.withBean("childHandler", PodHandler.class)
				.withBean(PodReader.class)
				.run((child) -> {
					assertThat(child.getBean(InformerHandlerRegistry.class).all()).singleElement()
						.satisfies((container) -> assertThat(container.id()).isEqualTo("childHandler"));
					PodHandler parentHandler = parent.getBean(PodHandler.class);
					PodHandler childHandler = child.getBean("childHandler", PodHandler.class);
					await().until(() -> childHandler.calls().contains("added one"));
					this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
					await().until(() -> childHandler.calls().contains("added two")
							&& parentHandler.calls().contains("added two"));
					assertThat(parentHandler.calls()).containsExactly("added one", "added two");
					assertThat(childHandler.calls()).containsExactly("added one", "added two");
					assertThat(child.getBean(PodReader.class).pods.list()).hasSize(2);
					assertThat(child.getBean(Informers.class).all()).hasSize(1);
					assertThat(this.kubernetes.openWatches()).isOne();
				}));
	}

	@Test
	void handlersOfAClosedChildShouldGetNothingMore() {
		this.runner.withBean("parentHandler", PodHandler.class).run((parent) -> {
			PodHandler[] closed = new PodHandler[1];
			this.runner.withParent(parent).withBean("childHandler", PodHandler.class).run((child) -> {
				closed[0] = child.getBean("childHandler", PodHandler.class);
				await().until(() -> child.getBean(InformerHandlerRegistry.class).get("childHandler").hasSynced());
			});
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			await().until(() -> parent.getBean(PodHandler.class).calls().contains("added one"));
			assertThat(closed[0].calls()).isEmpty();
		});
	}

	@Test
	void narrowedHandlerAndPlainListerShouldBeTwoInformers() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("app", "a")));
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "b")));
		this.runner.withBean("narrowed", NarrowedHandler.class).withBean(PodReader.class).run((context) -> {
			await().until(() -> context.getBean(PodReader.class).pods.list().size() == 2);
			await().until(() -> context.getBean(NarrowedHandler.class).calls().contains("added one"));
			assertThat(context.getBean(NarrowedHandler.class).calls()).containsExactly("added one");
			assertThat(context.getBean(Informers.class).all()).extracting((informer) -> informer.id())
				.hasSize(2)
				.anyMatch("pods"::equals)
				.anyMatch((id) -> id.matches("pods-[0-9a-f]{8}"));
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ComponentScan(excludeFilters = @ComponentScan.Filter(type = FilterType.REGEX, pattern = "(?!.*ScannedHandler$).*"))
	static class ScanConfiguration {

	}

	@InformerHandler(id = "given")
	static class ScannedHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class PodHandler extends RecordingHandler {

		@OnAdd
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@InformerHandler(labelSelector = "app=a")
	static class NarrowedHandler extends PodHandler {

	}

	static class PodReader {

		private final Lister<V1Pod> pods;

		PodReader(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

}
