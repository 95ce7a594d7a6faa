package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of every signature that a handler method may have: each handler is delivered of
 * the same pod that is added with the version 1, updated to 2, and deleted.
 */
class HandlerSignatureTests {

	private static final String[] STORY = { "add 1", "update 1 2", "delete 2 false" };

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { Pairs.class, BoxedFlag.class, Events.class, OneForAll.class, Hidden.class, Inherited.class,
			OfInterface.class, Overriding.class, Supertypes.class, Official.class })
	void methodsShouldBeCalledWithWhatTheyTake(Class<? extends Story> type) {
		deliver(type, STORY);
	}

	@Test
	void methodsThatTakeTheObjectShouldGetTheNewState() {
		deliver(Objects.class, "add 1", "update 2", "delete 2");
	}

	@Test
	void methodOfTwoEventsShouldBeCalledForBoth() {
		deliver(AddsAndUpdates.class, "1", "2", "delete 2 false");
	}

	@Test
	void eventWithoutMethodShouldBePassedOver() {
		deliver(OnlyDeletes.class, "delete 2 false");
	}

	@Test
	void lazyBeanMethodThatReturnsAnInterfaceShouldBeCalled() {
		InformerContextRunner.with(this.kubernetes).withUserConfiguration(LazyConfiguration.class).run((context) -> {
			change();
			await().untilAsserted(
					() -> assertThat(((Story) context.getBean("lazyListener")).delivered).containsExactly(STORY));
		});
	}

	private void deliver(Class<? extends Story> type, String... story) {
		InformerContextRunner.with(this.kubernetes).withBean("story", type).run((context) -> {
			assertThat(context).hasNotFailed();
			change();
			Story handler = (Story) context.getBean("story");
			await().untilAsserted(() -> assertThat(handler.delivered).containsExactly(story));
		});
	}

	private void change() {
		// Watched from the start, so that nothing is merged before it is delivered.
		this.kubernetes.awaitWatches(1);
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one", Map.of("version", "1")));
		this.kubernetes.resources(V1Pod.class).update(TestObjects.pod("web", "one", Map.of("version", "2")));
		this.kubernetes.resources(V1Pod.class).delete("web", "one");
	}

	public abstract static class Story {

		final List<String> delivered = new CopyOnWriteArrayList<>();

		void record(String word, KubernetesObject... objects) {
			StringBuilder text = new StringBuilder(word);
			for (KubernetesObject object : objects) {
				text.append((text.length() > 0) ? " " : "").append(object.getMetadata().getLabels().get("version"));
			}
			this.delivered.add(text.toString());
		}

		void recordDelete(KubernetesObject object, boolean finalStateUnknown) {
			this.delivered.add("delete " + object.getMetadata().getLabels().get("version") + " " + finalStateUnknown);
		}

		void record(ResourceEvent<?> event) {
			switch (event.type()) {
				case ADD -> record("add", event.object());
				case UPDATE -> record("update", event.oldObject(), event.object());
				case DELETE -> recordDelete(event.object(), event.finalStateUnknown());
			}
		}

	}

	@InformerHandler
	static class Objects extends Story {

		@OnAdd
		void added(V1Pod pod) {
			record("add", pod);
		}

		@OnUpdate
		void changed(V1Pod pod) {
			record("update", pod);
		}

		@OnDelete
		void deleted(V1Pod pod) {
			record("delete", pod);
		}

	}

	@InformerHandler
	static class Pairs extends Story {

		@OnAdd
		void added(V1Pod pod) {
			record("add", pod);
		}

		@OnUpdate
		void changed(V1Pod before, V1Pod after) {
			record("update", before, after);
		}

		@OnDelete
		void deleted(V1Pod pod, boolean finalStateUnknown) {
			recordDelete(pod, finalStateUnknown);
		}

	}

	@InformerHandler
	static class BoxedFlag extends Story {

		@OnAdd
		@OnUpdate
		void changed(ResourceEvent<V1Pod> event) {
			record(event);
		}

		@OnDelete
		void deleted(V1Pod pod, Boolean finalStateUnknown) {
			recordDelete(pod, finalStateUnknown);
		}

	}

	@InformerHandler
	static class Events extends Story {

		@OnAdd
		void added(ResourceEvent<V1Pod> event) {
			record(event);
		}

		@OnUpdate
		void changed(ResourceEvent<V1Pod> event) {
			record(event);
		}

		@OnDelete
		void deleted(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler
	static class OneForAll extends Story {

		@OnAdd
		@OnUpdate
		@OnDelete
		void handle(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler
	static class Hidden extends Story {

		private static Story last;

		Hidden() {
			last = this;
		}

		@OnAdd
		private void added(V1Pod pod) {
			record("add", pod);
		}

		@OnUpdate
		private void changed(V1Pod before, V1Pod after) {
			record("update", before, after);
		}

		@OnDelete
		static void deleted(V1Pod pod, boolean finalStateUnknown) {
			last.recordDelete(pod, finalStateUnknown);
		}

	}

	public abstract static class Inheritable<T extends KubernetesObject> extends Story {

		@OnAdd
		void added(T object) {
			record("add", object);
		}

		@OnUpdate
		protected void changed(T before, T after) {
			record("update", before, after);
		}

		@OnDelete
		public void deleted(T object, boolean finalStateUnknown) {
			recordDelete(object, finalStateUnknown);
		}

	}

	@InformerHandler
	static class Inherited extends Inheritable<V1Pod> {

	}

	@InformerHandler
	static class Overriding extends Inheritable<V1Pod> {

		@Override
		void added(V1Pod pod) {
			super.added(pod);
		}

		@Override
		@OnUpdate
		protected void changed(V1Pod before, V1Pod after) {
			super.changed(before, after);
		}

	}

	interface Listener<T extends KubernetesObject> {

		@OnAdd
		void added(T object);

		@OnUpdate
		void changed(T before, T after);

		@OnDelete
		void deleted(ResourceEvent<T> event);

	}

	@InformerHandler
	static class OfInterface extends Story implements Listener<V1Pod> {

		@Override
		public void added(V1Pod pod) {
			record("add", pod);
		}

		@Override
		public void changed(V1Pod before, V1Pod after) {
			record("update", before, after);
		}

		@Override
		public void deleted(ResourceEvent<V1Pod> event) {
			record(event);
		}

	}

	@InformerHandler(V1Pod.class)
	static class Supertypes extends Story {

		@OnAdd
		void added(KubernetesObject object) {
			record("add", object);
		}

		@OnUpdate
		void changed(KubernetesObject before, V1Pod after) {
			record("update", before, after);
		}

		@OnDelete
		void deleted(ResourceEvent<? extends KubernetesObject> event) {
			record(event);
		}

	}

	@InformerHandler
	static class Official extends Story implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			record("add", pod);
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			record("update", before, after);
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			recordDelete(pod, finalStateUnknown);
		}

	}

	@InformerHandler
	static class AddsAndUpdates extends Story {

		@OnAdd
		@OnUpdate
		void changed(V1Pod pod) {
			record("", pod);
		}

		@OnDelete
		void deleted(V1Pod pod, boolean finalStateUnknown) {
			recordDelete(pod, finalStateUnknown);
		}

	}

	@InformerHandler
	static class OnlyDeletes extends Story {

		@OnDelete
		void deleted(V1Pod pod, boolean finalStateUnknown) {
			recordDelete(pod, finalStateUnknown);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyConfiguration {

		@Bean
		@Lazy
		@InformerHandler
		Listener<V1Pod> lazyListener() {
			return new OfInterface();
		}

	}

}
