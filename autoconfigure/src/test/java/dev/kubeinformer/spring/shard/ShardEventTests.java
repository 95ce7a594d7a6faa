package dev.kubeinformer.spring.shard;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the listeners to slots and of the application events about them.
 */
class ShardEventTests {

	private final ManualShards shards = ManualShards.of(4);

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.shard.mode=leases", "kubernetes.informers.shard.key=uid")
		.withBean(Shards.class, () -> this.shards)
		.withBean(Recorder.class);

	@Test
	void changesShouldBePublishedInTheirOrder() {
		this.runner.run((context) -> {
			List<ApplicationEvent> events = context.getBean(Recorder.class).events;
			this.shards.gain(0, 1, 2);
			this.shards.move(1);
			this.shards.others(new ShardMember("other", Set.of(1), false, false));
			this.shards.lose();
			await().until(() -> events.size() == 4);
			assertThat(events).extracting(Object::toString)
				.containsExactly("ShardsGainedEvent[slots [0, 1, 2]]", "ShardsLostEvent[slots [1], MOVED]",
						"ShardMembersChangedEvent[other, self]", "ShardsLostEvent[slots [0, 2], EXPIRED]");
			ShardsGainedEvent gained = (ShardsGainedEvent) events.get(0);
			assertThat(gained.getShards()).isSameAs(this.shards);
			assertThat(gained.getSlots()).containsExactlyInAnyOrder(0, 1, 2);
			ShardsLostEvent lost = (ShardsLostEvent) events.get(1);
			assertThat(lost.getShards()).isSameAs(this.shards);
			assertThat(lost.getReason()).isEqualTo(ShardLossReason.MOVED);
			ShardMembersChangedEvent changed = (ShardMembersChangedEvent) events.get(2);
			assertThat(changed.getShards()).isSameAs(this.shards);
			assertThat(changed.getMembers()).extracting(ShardMember::name).containsExactly("other", "self");
		});
	}

	@Test
	void listenersShouldBeNotifiedInTheirOrderUntilTheStop() {
		List<String> calls = new CopyOnWriteArrayList<>();
		this.runner.withBean("second", ShardListener.class, () -> new Second(calls))
			.withBean("first", ShardListener.class, () -> new First(calls))
			.run((context) -> {
				this.shards.gain(3);
				assertThat(calls).containsExactly("first [3]", "second [3]");
				context.stop();
				this.shards.gain(2);
				context.start();
				this.shards.gain(1);
			});
		assertThat(calls).containsExactly("first [3]", "second [3]", "first [1]", "second [1]");
	}

	@Test
	void childContextShouldHaveListenersAndEventsOfItsOwn() {
		List<String> calls = new CopyOnWriteArrayList<>();
		this.runner.withBean("first", ShardListener.class, () -> new First(calls)).run((context) -> {
			Recorder recorder = context.getBean(Recorder.class);
			try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
				child.setParent(context);
				child.register(KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class);
				child.registerBean("second", ShardListener.class, () -> new Second(calls));
				child.registerBean("childRecorder", Recorder.class, Recorder::new);
				child.refresh();
				assertThat(child.getBean(Shards.class)).isSameAs(this.shards);
				this.shards.gain(0);
				assertThat(calls).containsExactlyInAnyOrder("first [0]", "second [0]");
				Recorder own = child.getBean("childRecorder", Recorder.class);
				await().until(() -> recorder.events.size() == 1 && own.events.size() == 1);
			}
			this.shards.gain(1);
			await().until(() -> recorder.events.size() == 2);
			assertThat(calls).containsExactlyInAnyOrder("first [0]", "second [0]", "first [1]");
		});
	}

	static class Recorder {

		private final List<ApplicationEvent> events = new CopyOnWriteArrayList<>();

		@EventListener({ ShardsGainedEvent.class, ShardsLostEvent.class, ShardMembersChangedEvent.class })
		void record(ApplicationEvent event) {
			this.events.add(event);
		}

	}

	@Order(1)
	record First(List<String> calls) implements ShardListener {

		@Override
		public void onShardGained(Set<Integer> slots) {
			this.calls.add("first " + slots);
		}

	}

	@Order(2)
	record Second(List<String> calls) implements ShardListener {

		@Override
		public void onShardGained(Set<Integer> slots) {
			this.calls.add("second " + slots);
		}

	}

}
