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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of methods that return before their work is done.
 */
class AsyncMethodTests {

	private static final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(kubernetes);

	@AfterAll
	static void close() {
		kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { AsyncHandler.class, AsyncClass.class, MetaAsyncHandler.class, OfficialHandler.class })
	void asynchronousMethodOfAHandlerShouldBeRefusedUnlessItIsMeant(Class<?> type) {
		ApplicationContextRunner asynchronous = this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("handler", type);
		asynchronous.run((context) -> assertThat(context).getFailure().satisfies((ex) -> {
			assertThat(ex).isInstanceOf(InvalidHandlerException.class)
				.hasMessageContaining(type.getSimpleName())
				.hasMessageContaining("(V1Pod")
				.hasMessageContaining("asynchronous (@Async)")
				.hasMessageContaining("no retry");
			assertThat(((InvalidHandlerException) ex).getAction()).contains("Remove @Async", "'concurrency'",
					"allowAsync = \"true\"", "'kubernetes.informers.handlers.handler.allow-async'");
		}));
		asynchronous.withPropertyValues("kubernetes.informers.handlers.handler.allow-async=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void attributeShouldSayThatAnAsynchronousMethodIsMeant() {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("meant", MeantHandler.class)
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("meant", MeantHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.meant.allow-async=false")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("asynchronous"));
	}

	@Test
	void asynchronousMethodShouldBeRefusedBeforeItsClusterExists() {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withPropertyValues("kubernetes.clusters.edge.url=http://localhost:1")
			.withBean("handler", EdgeHandler.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("asynchronous"));
	}

	@ParameterizedTest
	@ValueSource(classes = { AsyncReconciler.class, AsyncCleanup.class, AsyncMapper.class, AsyncReconcilerClass.class })
	void asynchronousMethodOfAReconcilerShouldBeRefused(Class<?> type) {
		this.runner.withUserConfiguration(AsyncConfiguration.class)
			.withBean("reconciler", type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidReconcilerException.class)
				.hasMessageContaining(type.getSimpleName())
				.hasMessageContaining("asynchronous (@Async)")
				.hasMessageContaining("runs of an object would overlap"));
	}

	@Test
	void annotationThatEnableAsyncNamesShouldCount() {
		this.runner.withUserConfiguration(OwnAnnotationConfiguration.class)
			.withBean("handler", OwnAnnotationHandler.class)
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("asynchronous (@InBackground)"));
		this.runner.withUserConfiguration(OwnAnnotationConfiguration.class)
			.withBean("handler", AsyncHandler.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void annotationThatNobodyLooksAtShouldNotBeRefused() {
		this.runner.withBean(AsyncHandler.class)
			.withBean(AsyncReconciler.class)
			.run((context) -> assertThat(context).hasNotFailed());
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

	@InformerHandler(allowAsync = "true")
	static class MeantHandler {

		@OnAdd
		@Async
		void added(V1Pod pod) {
		}

	}

	@InformerHandler(cluster = "edge")
	static class EdgeHandler {

		@OnAdd
		@Async
		void added(V1Pod pod) {
		}

	}

	@Reconciler
	static class AsyncReconciler {

		@Async
		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler
	static class AsyncCleanup {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

		@Async
		@OnCleanup
		void cleanUp(V1Pod pod) {
		}

	}

	@Reconciler
	static class AsyncMapper {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

		@Async
		@Watches
		ObjectKey using(V1ConfigMap map) {
			return ObjectKey.of(map);
		}

	}

	@Async
	@Reconciler
	static class AsyncReconcilerClass {

		@Reconcile
		Result reconcile(V1Pod pod) {
			return Result.done();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface InBackground {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(annotation = InBackground.class, proxyTargetClass = true)
	static class OwnAnnotationConfiguration {

	}

	@InformerHandler
	static class OwnAnnotationHandler {

		@OnAdd
		@InBackground
		void added(V1Pod pod) {
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
