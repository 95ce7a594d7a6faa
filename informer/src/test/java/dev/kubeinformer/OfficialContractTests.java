package dev.kubeinformer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * What code written for the official informer relies on, with both. Where this engine
 * differs it allows more: indexers may be added to a running informer, periods below a
 * second are honoured, an informer that was stopped may be started again, and its
 * handlers with it. It allows less in one thing: nobody writes to the cache.
 */
@ParameterizedClass
@EnumSource
class OfficialContractTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiClient client = EngineTestSupport.client(this.api.url());

	private final Engine engine;

	private final Informers ours = Informers.builder(this.client).timings(EngineTestSupport.FAST).build();

	private final SharedIndexInformer<V1Pod> pods;

	private final List<String> told = new CopyOnWriteArrayList<>();

	OfficialContractTests(Engine engine) {
		this.engine = engine;
		this.client.setReadTimeout(0);
		this.pods = switch (engine) {
			case OURS -> this.ours.informer(V1Pod.class);
			case OFFICIAL -> new SharedInformerFactory(this.client).sharedIndexInformerFor(
					new GenericKubernetesApi<>(V1Pod.class, V1PodList.class, "", "v1", "pods", this.client),
					V1Pod.class, 0);
		};
		this.api.resources(V1Pod.class).create(pod("blog", "a"));
	}

	@AfterEach
	void stop() {
		this.pods.stop();
		this.ours.close();
		this.client.getHttpClient().connectionPool().evictAll();
		this.api.close();
	}

	@Test
	void informerThatDoesNotRunHasNeitherSyncedNorAVersion() {
		assertThat(this.pods.hasSynced()).isFalse();
		assertThat(this.pods.lastSyncResourceVersion()).isEmpty();
		assertThat(this.pods.getIndexer().list()).isEmpty();
	}

	@Test
	void runDoesNotBlockAndMayBeCalledTwice() {
		run();
		this.pods.run();
		await().until(() -> !this.pods.lastSyncResourceVersion().isEmpty());
		assertThat(this.pods.getIndexer().listKeys()).containsExactly("blog/a");
		assertThat(this.pods.getIndexer().getByKey("blog/a").getMetadata().getName()).isEqualTo("a");
		assertThat(this.pods.getIndexer().getByKey("blog/none")).isNull();
	}

	@Test
	void stopMayBeCalledWithoutRunAndTwice() {
		assertThatNoException().isThrownBy(this.pods::stop);
		run();
		this.pods.stop();
		assertThatNoException().isThrownBy(this.pods::stop);
	}

	@Test
	void handlersAreToldAddsUpdatesAndDeletes() {
		this.pods.addEventHandler(new Told());
		run();
		this.api.resources(V1Pod.class).update(EngineTestSupport.relabelled(pod("blog", "a"), "new"));
		await().untilAsserted(() -> assertThat(this.told).last().isEqualTo("~a"));
		this.api.resources(V1Pod.class).delete("blog", "a");
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a", "~a", "-a false"));
	}

	@Test
	void handlerThatIsAddedToARunningInformerIsToldWhatIsThere() {
		run();
		await().until(() -> this.pods.getIndexer().list().size() == 1);
		this.pods.addEventHandler(new Told());
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a"));
	}

	@Test
	void periodsOfResyncAreMilliseconds() {
		this.pods.addEventHandlerWithResyncPeriod(new Told(), 60_000);
		this.pods.addEventHandlerWithResyncPeriod(new Told(), 0);
		assertThatNoException().isThrownBy(() -> this.pods.addEventHandlerWithResyncPeriod(new Told(), -1));
		run();
		await().untilAsserted(() -> assertThat(this.told).containsExactly("+a", "+a", "+a"));
	}

	@Test
	void transformIsSetBeforeTheStartOnly() {
		this.pods.setTransform((object) -> {
			object.getMetadata().setAnnotations(Map.of("transformed", "yes"));
			return object;
		});
		run();
		await().until(() -> this.pods.getIndexer().list().size() == 1);
		assertThat(this.pods.getIndexer().list().get(0).getMetadata().getAnnotations()).containsEntry("transformed",
				"yes");
		assertThatIllegalStateException().isThrownBy(() -> this.pods.setTransform((object) -> object));
	}

	@Test
	void indexersAreAddedOnceByName() {
		this.pods.addIndexers(Map.of("name", (pod) -> List.of(pod.getMetadata().getName())));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.pods.addIndexers(Map.of("name", (pod) -> List.of("other"))));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.pods.addIndexers(Map.of("namespace", (pod) -> List.of("other"))));
		run();
		await().until(() -> this.pods.getIndexer().list().size() == 1);
		assertThat(this.pods.getIndexer().byIndex("name", "a")).hasSize(1);
		assertThat(this.pods.getIndexer().indexKeys("name", "a")).containsExactly("blog/a");
		assertThat(this.pods.getIndexer().byIndex("name", "none")).isEmpty();
		assertThat(this.pods.getIndexer().byIndex("namespace", "blog")).hasSize(1);
		V1Pod cached = this.pods.getIndexer().list().get(0);
		assertThat(this.pods.getIndexer().index("name", cached)).containsExactly(cached);
		assertThat(this.pods.getIndexer().getIndexers()).containsOnlyKeys("name", "namespace");
	}

	@Test
	void indexThatDoesNotExistIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.getIndexer().byIndex("none", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.getIndexer().indexKeys("none", "a"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.pods.getIndexer().index("none", pod("blog", "a")));
	}

	@Test
	void differencesAreThese() {
		run();
		if (this.engine == Engine.OURS) {
			this.pods.addIndexers(Map.of("late", (pod) -> List.of("x")));
			await().until(() -> this.pods.getIndexer().byIndex("late", "x").size() == 1);
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> this.pods.getIndexer().add(pod("blog", "b")));
			this.pods.stop();
			this.pods.addEventHandler(new Told());
			this.pods.run();
			await().untilAsserted(() -> assertThat(this.told).containsExactly("+a"));
		}
		else {
			assertThatIllegalStateException()
				.isThrownBy(() -> this.pods.addIndexers(Map.of("late", (pod) -> List.of("x"))));
			assertThatNoException().isThrownBy(() -> this.pods.getIndexer().add(pod("blog", "b")));
		}
	}

	private void run() {
		this.pods.run();
		await().until(this.pods::hasSynced);
	}

	/**
	 * Whose informer it is.
	 */
	enum Engine {

		OURS, OFFICIAL

	}

	/**
	 * Writes down what it is told.
	 */
	private final class Told implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			OfficialContractTests.this.told.add("+" + pod.getMetadata().getName());
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			OfficialContractTests.this.told.add("~" + after.getMetadata().getName());
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			OfficialContractTests.this.told.add("-" + pod.getMetadata().getName() + " " + finalStateUnknown);
		}

	}

}
