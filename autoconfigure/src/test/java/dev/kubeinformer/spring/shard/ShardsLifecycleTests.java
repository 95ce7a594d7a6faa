package dev.kubeinformer.spring.shard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of when a replica joins and leaves, without a Lease.
 */
class ShardsLifecycleTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withBean(Recorder.class);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void slotsShouldBeHandedOverBeforeHandlersStop() {
		Recorder[] recorder = new Recorder[1];
		this.runner.withBean("podHandler", PodHandler.class).run((context) -> {
			recorder[0] = context.getBean(Recorder.class);
			recorder[0].handlers = context.getBean(InformerHandlerRegistry.class);
			await().until(() -> recorder[0].calls.equals(List.of("gained [0]")));
			context.stop();
			assertThat(recorder[0].calls).containsExactly("gained [0]", "lost [0] STOPPED while running");
			context.start();
			await().until(() -> recorder[0].calls.size() == 3);
		});
		assertThat(recorder[0].calls).containsExactly("gained [0]", "lost [0] STOPPED while running", "gained [0]",
				"lost [0] STOPPED while running");
	}

	@Test
	void informersThatStartLaterShouldJoinLater() {
		this.runner.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> {
				Recorder recorder = context.getBean(Recorder.class);
				assertThat(recorder.calls).isEmpty();
				context.getBean(Informers.class).start();
				await().until(() -> recorder.calls.equals(List.of("gained [0]")));
			});
	}

	@Test
	void replicaWithoutInformersShouldJoinAfterTheStart() {
		this.runner.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> assertThat(context.getBean(Recorder.class).calls).containsExactly("gained [0]"));
	}

	static class Recorder implements ShardListener {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		private volatile InformerHandlerRegistry handlers;

		@Override
		public void onShardGained(Set<Integer> slots) {
			this.calls.add("gained " + slots);
		}

		@Override
		public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
			boolean running = this.handlers != null && this.handlers.get("podHandler").isRunning();
			this.calls.add("lost %s %s%s".formatted(slots, reason, running ? " while running" : ""));
		}

	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
			assertThat(pod).isNotNull();
		}

	}

}
