package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of deliveries to handlers while the server, the network and other handlers
 * misbehave.
 */
class HandlerScenarioTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1Pod> server = this.api.resources(V1Pod.class);

	private final Informers informers = informers(this.api.url());

	private final Informer<V1Pod> pods = this.informers.informer(V1Pod.class);

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void lateHandlersUnderAThousandEventsASecondEqualTheStore() throws InterruptedException {
		this.server.fill(200, (i) -> pod("blog", "pod-" + i));
		this.informers.start();
		assertThat(this.pods.awaitSync(LONG)).isTrue();
		List<Mirror> mirrors = new ArrayList<>();
		try (PodWriter writer = new PodWriter(this.server, 400, 1000)) {
			for (int i = 0; i < 20; i++) {
				int before = writer.written();
				await().until(() -> writer.written() >= before + 100);
				Mirror mirror = new Mirror();
				mirrors.add(mirror);
				this.pods.addHandler(mirror, HandlerOptions.defaults().withQueueCapacity(100_000));
			}
		}
		Map<String, String> expected = versions(this.server.list());
		await().atMost(LONG).untilAsserted(() -> assertThat(versions(this.pods.lister().list())).isEqualTo(expected));
		assertThat(mirrors).allSatisfy((mirror) -> {
			await().atMost(LONG).untilAsserted(() -> assertThat(mirror.state).isEqualTo(expected));
			assertThat(mirror.wrong).isEmpty();
		});
	}

	@Test
	void resyncsComeToThoseWhoseTimeItIsAlsoWhileTheWatchReconnectsMoreOften() throws InterruptedException {
		this.server.create(pod("blog", "a"));
		Recorder<V1Pod> never = new Recorder<>();
		Recorder<V1Pod> often = new Recorder<>();
		Recorder<V1Pod> seldom = new Recorder<>();
		this.pods.addHandler(never, HandlerOptions.defaults());
		this.pods.addHandler(often, HandlerOptions.defaults().withResync(Duration.ofMillis(400)));
		this.pods.addHandler(seldom, HandlerOptions.defaults().withResync(Duration.ofMillis(1200)));
		this.informers.start();
		assertThat(this.pods.awaitSync(LONG)).isTrue();
		await().until(() -> this.api.openWatches() == 1);
		this.api.clearRequests();
		AtomicInteger cuts = new AtomicInteger();
		await().atMost(LONG).pollInterval(Duration.ofMillis(100)).until(() -> {
			if (this.api.openWatches() > 0) {
				this.api.dropConnections();
				cuts.incrementAndGet();
			}
			return resyncs(seldom) >= 3;
		});
		assertThat(cuts).hasValueGreaterThan(3);
		assertThat(resyncs(never)).isZero();
		// a third of the period
		assertThat(resyncs(often)).isGreaterThan(resyncs(seldom));
		assertThat(this.api.requests()).noneMatch(ScriptedPods::isFullState);
	}

	@Test
	void handlerThatThrowsOnTheSecondOfFiveReceivesAllFive() throws InterruptedException {
		this.server.fill(5, (i) -> pod("blog", "pod-" + i));
		List<String> delivered = new CopyOnWriteArrayList<>();
		HandlerRegistration registration = this.pods.addHandler((event) -> {
			delivered.add(event.object().getMetadata().getName());
			if (delivered.size() == 2) {
				throw new IllegalStateException("the second");
			}
		}, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		assertThat(delivered).containsExactlyInAnyOrder("pod-0", "pod-1", "pod-2", "pod-3", "pod-4");
		assertThat(registration.status().deliveries().failed()).isEqualTo(1);
	}

	@Test
	void handlerMayBeRemovedTwiceAndTheOthersGoOn() throws InterruptedException {
		Recorder<V1Pod> removed = new Recorder<>();
		Recorder<V1Pod> other = new Recorder<>();
		HandlerRegistration registration = this.pods.addHandler(removed, HandlerOptions.defaults());
		this.pods.addHandler(other, HandlerOptions.defaults());
		this.informers.start();
		assertThat(this.pods.awaitSync(LONG)).isTrue();
		registration.close();
		registration.close();
		this.server.create(pod("blog", "a"));
		await().untilAsserted(() -> assertThat(other.delivered()).containsExactly("+a"));
		assertThat(removed.delivered()).isEmpty();
		assertThat(this.pods.handlers()).hasSize(1);
	}

	@Test
	void transformThatThrowsForOneObjectCostsOnlyThatOne() throws InterruptedException {
		this.server.fill(3, (i) -> pod("blog", "pod-" + i));
		AtomicInteger calls = new AtomicInteger();
		this.pods.setTransform((object) -> {
			calls.incrementAndGet();
			if (object.getMetadata().getName().equals("pod-1")) {
				throw new IllegalStateException("not this one");
			}
			return object;
		});
		this.informers.start();
		assertThat(this.pods.awaitSync(LONG)).isTrue();
		assertThat(this.pods.snapshot().keys()).containsExactlyInAnyOrder("blog/pod-0", "blog/pod-2");
		assertThat(this.pods.status().cache().quarantined()).isEqualTo(1);
		this.server.create(pod("blog", "later"));
		await().until(() -> this.pods.snapshot().keys().contains("blog/later"));
		assertThat(calls).as("once for each object that was received").hasValue(4);
		this.server.delete("blog", "pod-1");
		await().until(() -> this.pods.status().cache().quarantined() == 0);
		assertThat(calls).as("deletions are not transformed").hasValue(4);
	}

	@Test
	void indexFunctionThatThrowsForOneObjectLosesNoEvent() throws InterruptedException {
		this.pods.addIndexers(
				Map.of("number", (pod) -> List.of(number(pod)), "name", (pod) -> List.of(pod.getMetadata().getName())));
		Recorder<V1Pod> recorder = new Recorder<>();
		HandlerRegistration registration = this.pods.addHandler(recorder, HandlerOptions.defaults());
		this.server.create(pod("blog", "pod-1"));
		this.server.create(pod("blog", "none"));
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		this.server.create(pod("blog", "pod-2"));
		await().untilAsserted(
				() -> assertThat(recorder.delivered()).containsExactlyInAnyOrder("+pod-1", "+none", "+pod-2"));
		assertThat(this.pods.getIndexer().byIndex("number", "2")).hasSize(1);
		assertThat(this.pods.getIndexer().byIndex("name", "none")).hasSize(1);
		assertThat(this.pods.lister().list()).hasSize(3);
	}

	private static String number(V1Pod pod) {
		return Integer.toString(Integer.parseInt(pod.getMetadata().getName().substring(4)));
	}

	private static long resyncs(Recorder<V1Pod> recorder) {
		return recorder.events().stream().filter(ResourceEvent::resync).count();
	}

	private static Map<String, String> versions(List<V1Pod> list) {
		Map<String, String> versions = new HashMap<>();
		list.forEach((pod) -> versions.put(pod.getMetadata().getName(), pod.getMetadata().getResourceVersion()));
		return versions;
	}

	/** View of the cluster of a handler that trusts every event. */
	private static final class Mirror implements EventHandler<V1Pod> {

		private final Map<String, String> state = new ConcurrentHashMap<>();

		private final List<String> wrong = new CopyOnWriteArrayList<>();

		@Override
		public void handle(ResourceEvent<V1Pod> event) {
			String name = event.object().getMetadata().getName();
			String version = event.object().getMetadata().getResourceVersion();
			String before = (event.type() == ResourceEvent.Type.DELETE) ? this.state.remove(name)
					: this.state.put(name, version);
			if ((event.type() == ResourceEvent.Type.ADD) != (before == null)) {
				this.wrong.add(event.type() + " of " + name + " after " + before);
			}
			if (event.type() == ResourceEvent.Type.UPDATE
					&& !event.oldObject().getMetadata().getResourceVersion().equals(before)) {
				this.wrong.add("update of " + name + " from another version than " + before);
			}
		}

	}

}
