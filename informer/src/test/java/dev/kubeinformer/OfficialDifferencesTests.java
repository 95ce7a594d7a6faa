package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.OfficialInformers.Implementation;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Where our informers differ from those of the official client on purpose, in one place;
 * each test shows what both do and why. Not shown here: managedFields are left out of
 * cached objects, for they are large and nobody reads them; and resync periods are each
 * handler's own, where the official informers raise them to a second and give all
 * handlers that of the informer.
 *
 * @see OfficialContractTests
 */
class OfficialDifferencesTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final OfficialInformers officialInformers = new OfficialInformers(this.api, Implementation.OFFICIAL);

	private final OfficialInformers ourInformers = new OfficialInformers(this.api, Implementation.OURS);

	private final SharedIndexInformer<V1Pod> official = this.officialInformers.pods();

	private final SharedIndexInformer<V1Pod> ours = this.ourInformers.pods();

	@AfterEach
	void stop() {
		this.official.stop();
		this.ours.stop();
		this.ourInformers.close();
		this.officialInformers.close();
		this.api.close();
	}

	/** A bean that is created late may need an index too. */
	@Test
	void indexersMayBeAddedWhileItRuns() {
		create("a");
		runAndSync();
		assertThatIllegalStateException().isThrownBy(() -> this.official.addIndexers(Map.of()));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.official.getIndexer().addIndexers(Map.of("all", (pod) -> List.of("x"))));
		this.ours.addIndexers(Map.of("all", (pod) -> List.of("x")));
		this.ours.getIndexer().addIndexers(Map.of("more", (pod) -> List.of("x")));
		assertThat(this.ours.getIndexer().byIndex("all", "x")).hasSize(1);
		assertThat(this.ours.getIndexer().byIndex("more", "x")).hasSize(1);
	}

	/** Contexts of tests are paused and resumed, and a stopped cache is not current. */
	@Test
	void itCanBeStartedAgainAndIsNotSyncedWhileStopped() {
		create("a");
		List<String> deliveredLate = new CopyOnWriteArrayList<>();
		runAndSync();
		for (SharedIndexInformer<V1Pod> informer : List.of(this.official, this.ours)) {
			informer.stop();
			informer.addEventHandler(adds(deliveredLate));
		}
		assertThat(this.official.hasSynced()).isTrue();
		assertThat(this.official.lastSyncResourceVersion()).isNotEmpty();
		assertThat(this.ours.hasSynced()).isFalse();
		assertThat(this.ours.lastSyncResourceVersion()).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> this.official.setTransform(null));
		this.ours.setTransform(null);
		create("b");
		this.official.run();
		this.ours.run();
		await().until(() -> this.ours.getIndexer().list().size() == 2);
		await().untilAsserted(() -> assertThat(deliveredLate).containsExactlyInAnyOrder("a", "b"));
		assertThat(this.official.getIndexer().list()).hasSize(1);
	}

	/** Whoever writes to a cache deceives all other readers of it. */
	@Test
	void cacheAndCachedCollectionsAreReadOnly() {
		create("a");
		runAndSync();
		V1Pod officialPod = this.official.getIndexer().getByKey("blog/a");
		officialPod.getMetadata().getLabels().put("x", "y");
		this.official.getIndexer().add(pod("blog", "phantom"));
		assertThat(this.official.getIndexer().getByKey("blog/a").getMetadata().getLabels()).containsKey("x");
		assertThat(this.official.getIndexer().getByKey("blog/phantom")).isNotNull();
		V1Pod ourPod = this.ours.getIndexer().getByKey("blog/a");
		List<Runnable> writes = List.of(() -> ourPod.getMetadata().getLabels().put("x", "y"),
				() -> this.ours.getIndexer().add(ourPod), () -> this.ours.getIndexer().update(ourPod),
				() -> this.ours.getIndexer().delete(ourPod), () -> this.ours.getIndexer().replace(List.of(), "1"),
				() -> this.ours.getIndexer().getIndexers().clear());
		assertThat(writes).allSatisfy(
				(write) -> assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(write::run));
		assertThat(this.ours.getIndexer().listKeys()).containsExactly("blog/a");
	}

	/** A tombstone is nothing to be cached. */
	@Test
	void transformIsNotGivenDeletions() {
		create("a");
		List<String> givenToOfficial = transformed(this.official);
		List<String> givenToOurs = transformed(this.ours);
		runAndSync();
		this.api.resources(V1Pod.class).delete("blog", "a");
		create("b");
		for (SharedIndexInformer<V1Pod> informer : List.of(this.official, this.ours)) {
			await().untilAsserted(() -> assertThat(informer.getIndexer().listKeys()).containsExactly("blog/b"));
		}
		assertThat(givenToOfficial).containsExactly("a", "a", "b");
		assertThat(givenToOurs).containsExactly("a", "b");
	}

	private static List<String> transformed(SharedIndexInformer<V1Pod> informer) {
		List<String> given = new CopyOnWriteArrayList<>();
		informer.setTransform((object) -> {
			given.add(object.getMetadata().getName());
			return object;
		});
		return given;
	}

	/** Otherwise a deletion would not find what it deletes. */
	@Test
	void transformDoesNotDecideTheKey() {
		create("a");
		for (SharedIndexInformer<V1Pod> informer : List.of(this.official, this.ours)) {
			informer
				.setTransform((object) -> new V1Pod().metadata(new V1ObjectMeta().namespace("blog").name("renamed")));
		}
		runAndSync();
		assertThat(this.official.getIndexer().listKeys()).containsExactly("blog/renamed");
		assertThat(this.ours.getIndexer().listKeys()).containsExactly("blog/a");
	}

	/** One bad function shall cost nothing but itself. */
	@Test
	void throwingIndexFunctionLeavesTheObjectOutOfItsIndexOnly() {
		create("a");
		List<String> officialDelivered = new CopyOnWriteArrayList<>();
		List<String> ourDelivered = new CopyOnWriteArrayList<>();
		this.official.addEventHandler(adds(officialDelivered));
		this.ours.addEventHandler(adds(ourDelivered));
		for (SharedIndexInformer<V1Pod> informer : List.of(this.official, this.ours)) {
			informer.addIndexers(Map.of("bad", (pod) -> {
				throw new IllegalStateException("thrown by the test");
			}));
		}
		this.official.run();
		this.ours.run();
		await().untilAsserted(() -> assertThat(ourDelivered).containsExactly("a"));
		await().until(() -> this.official.getIndexer().getByKey("blog/a") != null);
		create("b");
		await().untilAsserted(() -> assertThat(ourDelivered).containsExactly("a", "b"));
		await().until(() -> this.official.getIndexer().getByKey("blog/b") != null);
		assertThat(officialDelivered).isEmpty();
		assertThat(this.ours.getIndexer().byIndex("bad", "x")).isEmpty();
	}

	/** A relist does not notify of unchanged objects. */
	@Test
	void relistTellsChangesOnly() {
		create("a");
		create("b");
		List<String> officialDelivered = new CopyOnWriteArrayList<>();
		List<String> ourDelivered = new CopyOnWriteArrayList<>();
		this.official.addEventHandler(updates(officialDelivered));
		this.ours.addEventHandler(updates(ourDelivered));
		runAndSync();
		await().until(() -> this.api.openWatches() == 2);
		this.api.restart();
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "b"), "new"));
		await().untilAsserted(() -> assertThat(ourDelivered).containsExactly("b"));
		await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(officialDelivered).contains("a", "b"));
		assertThat(ourDelivered).containsExactly("b");
	}

	private void runAndSync() {
		int expected = this.api.resources(V1Pod.class).list().size();
		for (SharedIndexInformer<V1Pod> informer : List.of(this.official, this.ours)) {
			informer.run();
			await().until(informer::hasSynced);
			await().until(() -> informer.getIndexer().list().size() == expected);
		}
	}

	private void create(String name) {
		this.api.resources(V1Pod.class).create(pod("blog", name));
	}

	private static ResourceEventHandler<V1Pod> adds(List<String> delivered) {
		return handler(delivered, new ArrayList<>());
	}

	private static ResourceEventHandler<V1Pod> updates(List<String> delivered) {
		return handler(new ArrayList<>(), delivered);
	}

	private static ResourceEventHandler<V1Pod> handler(List<String> adds, List<String> updates) {
		return new ResourceEventHandler<>() {

			@Override
			public void onAdd(V1Pod pod) {
				adds.add(pod.getMetadata().getName());
			}

			@Override
			public void onUpdate(V1Pod before, V1Pod after) {
				updates.add(after.getMetadata().getName());
			}

			@Override
			public void onDelete(V1Pod pod, boolean finalStateUnknown) {
				// Deletions are alike.
			}

		};
	}

}
