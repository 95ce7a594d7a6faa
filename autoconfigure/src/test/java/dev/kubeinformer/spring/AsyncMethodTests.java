package dev.kubeinformer.spring;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of methods that return before their work is done.
 */
@ExtendWith(OutputCaptureExtension.class)
class AsyncMethodTests {

	private static final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(kubernetes);

	@AfterAll
	static void close() {
		kubernetes.close();
	}

	@Test
	void asynchronousMethodOfAHandlerShouldBeNamedWithWhatIsLost(CapturedOutput output) {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean(AsyncHandler.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().lines().filter((line) -> line.contains("is asynchronous"))).singleElement()
			.asString()
			.contains("WARN", "'void added(V1Pod)'", "AsyncHandler", "no retry", "out of order", "sync",
					"Remove @Async");
	}

	@Test
	void methodThatIsAsynchronousByClassInterfaceOrMetaAnnotationShouldBeNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean(AsyncClass.class)
			.withBean(MetaAsyncHandler.class)
			.withBean(OfficialHandler.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().lines().filter((line) -> line.contains("is asynchronous"))).hasSize(3)
			.anyMatch((line) -> line.contains("AsyncClass"))
			.anyMatch((line) -> line.contains("MetaAsyncHandler"))
			.anyMatch((line) -> line.contains("onDelete") && line.contains("OfficialHandler"));
	}

	@Test
	void asynchronousMethodsOfAReconcilerShouldBeNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean(AsyncReconciler.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.toString().lines().filter((line) -> line.contains("is asynchronous"))).hasSize(3)
			.allMatch((line) -> line.contains("AsyncReconciler") && line.contains("no retry"))
			.anyMatch((line) -> line.contains("reconcile(V1Pod)"))
			.anyMatch((line) -> line.contains("cleanUp(V1Pod)"))
			.anyMatch((line) -> line.contains("using(V1ConfigMap)"));
	}

	@Test
	void annotationThatNobodyLooksAtShouldNotBeReported(CapturedOutput output) {
		this.runner.withBean(AsyncHandler.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("is asynchronous");
	}

	@Test
	void methodWhoseResultComesLaterShouldBeRefused() {
		assertRefused(FutureHandler.class, "added(V1Pod)", "returns 'java.util.concurrent.CompletableFuture'",
				"wait for it in the method");
		assertRefused(PublisherReconciler.class, "reconcile(V1Pod)", "returns 'java.util.concurrent.Flow$Publisher'",
				"wait for it in the method");
		assertRefused(FutureMapper.class, "using(V1ConfigMap)", "returns 'java.util.concurrent.CompletableFuture'",
				"wait for it in the method");
	}

	private void assertRefused(Class<?> type, String... texts) {
		this.runner.withBean(type).run((context) -> assertThat(context).getFailure().message().contains(texts));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class AsyncConfiguration {

	}

	@InformerHandler
	static class AsyncHandler {

		@OnAdd
		@Async
		void added(V1Pod pod) {
		}

		@OnUpdate
		void updated(V1Pod pod) {
		}

	}

	@Async
	@InformerHandler
	static class AsyncClass {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@Async
	@Retention(RetentionPolicy.RUNTIME)
	@interface Later {

	}

	@InformerHandler
	static class MetaAsyncHandler {

		@Later
		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@InformerHandler
	static class OfficialHandler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
		}

		@Async
		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
		}

	}

	@Reconciler
	static class AsyncReconciler {

		@Async
		@Reconcile
		Result reconcile(V1Pod pod) {
			return Result.done();
		}

		@Async
		@OnCleanup
		void cleanUp(V1Pod pod) {
		}

		@Async
		@Watches
		ObjectKey using(V1ConfigMap map) {
			return ObjectKey.of(map);
		}

	}

	@InformerHandler
	static class FutureHandler {

		@OnAdd
		CompletableFuture<Void> added(V1Pod pod) {
			return CompletableFuture.completedFuture(null);
		}

	}

	@Reconciler
	static class PublisherReconciler {

		@Reconcile
		Flow.Publisher<Result> reconcile(V1Pod pod) {
			return (subscriber) -> {
			};
		}

	}

	@Reconciler
	static class FutureMapper {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

		@Watches
		CompletableFuture<ObjectKey> using(V1ConfigMap map) {
			return CompletableFuture.completedFuture(ObjectKey.of(map));
		}

	}

}
