package dev.kubeinformer.spring.reconciler;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.InOrder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

/**
 * Tests of reconcilers that start after their application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReconcilerLifecycleTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void failureOfOneStartShouldNotKeepTheOthersFromStarting(CapturedOutput output) {
		ReconcilerContainer one = reconciler("one");
		ReconcilerContainer two = reconciler("two");
		ReconcilerContainer three = reconciler("three");
		willThrow(new IllegalStateException("no start of one")).given(one).start();
		willThrow(new IllegalStateException("no start of two")).given(two).start();
		runner(one, two, three).run((context) -> {
			context.getBean(Informers.class).start();
			verify(one, timeout(20_000)).start();
			verify(two, timeout(20_000)).start();
			verify(three, timeout(20_000)).start();
			await().until(() -> Stream.of("Some reconcilers could not be started", "no start of one", "no start of two")
				.allMatch(output.getAll()::contains));
		});
	}

	@Test
	void reconcilerThatStartsWhileTheContextStopsShouldBeStopped() {
		ReconcilerContainer one = reconciler("one");
		CountDownLatch starting = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		willAnswer((call) -> {
			starting.countDown();
			return go.await(20, TimeUnit.SECONDS);
		}).given(one).start();
		runner(one).run((context) -> {
			ReconcilerLifecycle lifecycle = context.getBean(ReconcilerLifecycle.class);
			context.getBean(Informers.class).start();
			starting.await(20, TimeUnit.SECONDS);
			CompletableFuture<Void> stop = CompletableFuture.runAsync(lifecycle::stop);
			await().until(() -> !lifecycle.isRunning());
			go.countDown();
			stop.join();
			InOrder order = inOrder(one);
			order.verify(one).start();
			order.verify(one).stop();
		});
	}

	private ApplicationContextRunner runner(ReconcilerContainer... containers) {
		ReconcilerRegistry registry = mock(ReconcilerRegistry.class);
		given(registry.all()).willReturn(List.of(containers));
		return InformerContextRunner.with(this.kubernetes)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withBean(ReconcilerRegistry.class, () -> registry)
			.withBean(PodReader.class);
	}

	private static ReconcilerContainer reconciler(String id) {
		ReconcilerContainer container = mock(ReconcilerContainer.class);
		given(container.id()).willReturn(id);
		willAnswer((call) -> ReconcilerSpec.of(id, V1Pod.class, (pod, run) -> Result.done())).given(container).spec();
		return container;
	}

	static class PodReader {

		PodReader(Lister<V1Pod> pods) {
		}

	}

}
