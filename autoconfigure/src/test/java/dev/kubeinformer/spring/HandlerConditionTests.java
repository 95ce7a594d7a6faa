package dev.kubeinformer.spring;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.method.HandlerConditionException;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the conditions of handler methods.
 */
@ExtendWith(OutputCaptureExtension.class)
class HandlerConditionTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("kubernetes.informers.retry.delay=10ms", "kubernetes.informers.retry.jitter=1ms");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void eachEventOfAMethodShouldHaveItsOwnCondition() {
		create("one", "a");
		create("two", "b");
		this.runner.withBean("handler", ConditionPerEvent.class).run((context) -> {
			ConditionPerEvent handler = context.getBean(ConditionPerEvent.class);
			await().until(() -> container(context.getBean(InformerHandlerRegistry.class)).hasSynced());
			assertThat(handler.calls()).containsExactly("ADD one");
			update("one", "c");
			update("two", "c");
			await().until(() -> handler.calls().contains("UPDATE two"));
			this.kubernetes.resources(V1Pod.class).delete("web", "one");
			this.kubernetes.resources(V1Pod.class).delete("web", "two");
			await().until(() -> handler.calls().contains("DELETE two"));
			assertThat(handler.calls()).containsExactly("ADD one", "UPDATE two", "DELETE two");
		});
	}

	@Test
	void conditionMayAskTheObjectsAndBeans() {
		create("one", "a");
		create("two", "b");
		this.runner.withBean("handler", BeanCondition.class)
			.withBean("filter", Filter.class)
			.withPropertyValues("app.version=b")
			.run((context) -> {
				await().until(() -> container(context.getBean(InformerHandlerRegistry.class)).hasSynced());
				assertThat(context.getBean(BeanCondition.class).calls()).containsExactly("added two");
			});
	}

	@Test
	void generationShouldTellChangesOfTheSpecFromOthersAndFromResyncs() {
		this.kubernetes.resources(V1Pod.class)
			.create(TestObjects.pod("web", "one").spec(new V1PodSpec().nodeName("n1")));
		this.runner.withBean("handler", GenerationHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.handler.resync=20ms")
			.run((context) -> {
				GenerationHandler handler = context.getBean(GenerationHandler.class);
				HandlerStatus before = container(context.getBean(InformerHandlerRegistry.class)).status();
				await().until(() -> container(context.getBean(InformerHandlerRegistry.class)).status()
					.deliveries()
					.processed() > before.deliveries().processed() + 5);
				this.kubernetes.resources(V1Pod.class)
					.edit("web", "one", (pod) -> pod.getMetadata().putLabelsItem("app", "a"));
				this.kubernetes.resources(V1Pod.class).edit("web", "one", (pod) -> pod.getSpec().setNodeName("n2"));
				await().until(() -> !handler.calls().isEmpty());
				assertThat(handler.calls()).containsExactly("changed one");
			});
	}

	@Test
	void conditionShouldBeEvaluatedOnTheMergedEventAtEachAttempt() {
		create("one", "a");
		this.runner.withBean("handler", FailingUntilChanged.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=1000")
			.run((context) -> {
				InformerHandlerContainer container = container(context.getBean(InformerHandlerRegistry.class));
				await().until(() -> container.status().deliveries().failed() >= 2);
				assertThat(container.hasSynced()).isFalse();
				update("one", "b");
				await().until(container::hasSynced);
				assertThat(container.status().deliveries().exhausted()).isZero();
			});
	}

	@Test
	void conditionThatThrowsShouldBeTriedAgain() {
		create("one", "a");
		this.runner.withBean("handler", BeanCondition.class)
			.withBean("filter", RecoveringFilter.class)
			.withPropertyValues("app.version=a")
			.run((context) -> {
				InformerHandlerContainer container = container(context.getBean(InformerHandlerRegistry.class));
				await().until(container::hasSynced);
				assertThat(container.status().deliveries().failed()).isEqualTo(2);
				assertThat(context.getBean(BeanCondition.class).calls()).containsExactly("added one");
			});
	}

	@Test
	void conditionThatIsNoTruthValueShouldCountAsFailure() {
		create("one", "a");
		this.runner.withBean("handler", NoTruthValue.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=1")
			.run((context) -> {
				InformerHandlerContainer container = container(context.getBean(InformerHandlerRegistry.class));
				await().until(() -> container.status().deliveries().exhausted() == 1);
				assertThat(container.status().deliveries().failed()).isEqualTo(2);
				assertThat(container.status().lastError().key()).isEqualTo("web/one");
				assertThat(container.status().lastError().exception())
					.isEqualTo(HandlerConditionException.class.getName());
				assertThat(context.getBean(NoTruthValue.class).calls()).isEmpty();
			});
	}

	@Test
	void conditionThatIsNullShouldBeFalse() {
		create("one", "a");
		this.runner.withBean("handler", NullCondition.class).run((context) -> {
			InformerHandlerContainer container = container(context.getBean(InformerHandlerRegistry.class));
			await().until(container::hasSynced);
			assertThat(container.status().deliveries().failed()).isZero();
			assertThat(context.getBean(NullCondition.class).calls()).isEmpty();
		});
	}

	@Test
	void messageOfAConditionsFailureShouldNotBeShown(CapturedOutput output) {
		create("one", "s3cret");
		this.runner.withBean("handler", NoTruthValue.class)
			.withPropertyValues("kubernetes.informers.retry.max-retries=0")
			.run((context) -> {
				InformerHandlerContainer container = container(context.getBean(InformerHandlerRegistry.class));
				await().until(() -> container.status().deliveries().exhausted() == 1);
				assertThat(container.status().lastError().toString()).doesNotContain("s3cret");
			});
		assertThat(output).doesNotContain("s3cret");
	}

	private static InformerHandlerContainer container(InformerHandlerRegistry registry) {
		return registry.get("handler");
	}

	private void create(String name, String version) {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", name, Map.of("version", version)));
	}

	private void update(String name, String version) {
		this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", name, Map.of("version", version)));
	}

	@InformerHandler
	static class ConditionPerEvent extends RecordingHandler {

		@OnAdd(condition = "#object.metadata.name == 'one' && #event.initial()")
		@OnUpdate(condition = "#event.oldObject().metadata.labels['version'] == 'b'")
		@OnDelete(condition = "!#event.finalStateUnknown() and #object.metadata.name != 'one'")
		void handle(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	public static class Filter {

		public boolean accepts(V1Pod pod, String version) {
			return version.equals(pod.getMetadata().getLabels().get("version"));
		}

	}

	public static class RecoveringFilter extends Filter {

		private final AtomicInteger calls = new AtomicInteger();

		@Override
		public boolean accepts(V1Pod pod, String version) {
			if (this.calls.incrementAndGet() < 3) {
				throw new IllegalStateException("not yet");
			}
			return super.accepts(pod, version);
		}

	}

	@InformerHandler
	static class BeanCondition extends RecordingHandler {

		@OnAdd(condition = "@filter.accepts(#object, '${app.version}')")
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@InformerHandler
	static class GenerationHandler extends RecordingHandler {

		@OnUpdate(condition = "#event.generationChanged()")
		void changed(V1Pod pod) {
			record("changed", pod);
		}

	}

	@InformerHandler
	static class FailingUntilChanged {

		@OnAdd(condition = "#object.metadata.labels['version'] == 'a'")
		void added(V1Pod pod) {
			throw new IllegalStateException("as long as it is 'a'");
		}

	}

	@InformerHandler
	static class NoTruthValue extends RecordingHandler {

		@OnAdd(condition = "#object.metadata.labels['version']")
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

	@InformerHandler
	static class NullCondition extends RecordingHandler {

		@OnAdd(condition = "#object.metadata.labels['none']")
		void added(V1Pod pod) {
			record("added", pod);
		}

	}

}
