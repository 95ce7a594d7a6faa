package dev.kubeinformer;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * Behaviour on which code for the official client's informers relies: the same assertions
 * for its {@code DefaultSharedIndexInformer} and for ours.
 *
 * @see OfficialDifferencesTests
 */
@ParameterizedClass
@EnumSource
class OfficialContractTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final OfficialInformers informers;

	private final SharedIndexInformer<V1Pod> pods;

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	OfficialContractTests(OfficialInformers.Implementation implementation) {
		this.informers = new OfficialInformers(this.api, implementation);
		this.pods = this.informers.pods();
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void beforeTheStartItIsEmptyAndNotSynced() {
		create("blog", "a");
		assertThat(this.pods.hasSynced()).isFalse();
		assertThat(this.pods.lastSyncResourceVersion()).isEmpty();
		assertThat(this.pods.getIndexer().list()).isEmpty();
		assertThat(this.pods.getIndexer().listKeys()).isEmpty();
		assertThat(this.pods.getIndexer().getByKey("blog/a")).isNull();
		assertThat(this.pods.getIndexer().byIndex("namespace", "blog")).isEmpty();
		assertThat(this.pods.getIndexer().indexKeys("namespace", "blog")).isEmpty();
		assertThat(this.pods.getIndexer().index("namespace", pod("blog", "a"))).isEmpty();
	}

	@Test
	void stopBeforeTheStartAndASecondStartDoNothing() {
		create("blog", "a");
		this.pods.stop();
		this.pods.addEventHandler(new Handler());
		runAndSync();
		this.pods.run();
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
		assertThat(this.pods.lastSyncResourceVersion()).isEqualTo(this.api.resourceVersion());
		this.pods.stop();
		this.pods.stop();
	}

	@Test
	void handlersReceiveWhatIsThereAndWhatChanges() {
		create("blog", "a");
		this.pods.addEventHandler(new Handler());
		runAndSync();
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
		create("blog", "b");
		update("blog", "a", "new");
		this.api.resources(V1Pod.class).delete("blog", "b");
		await().untilAsserted(
				() -> assertThat(this.delivered).containsExactlyInAnyOrder("+a", "+b", "~a a>new", "-b false"));
	}

	@Test
	void handlerThatComesLateReceivesWhatIsThere() {
		create("blog", "a");
		runAndSync();
		await().until(() -> this.pods.getIndexer().getByKey("blog/a") != null);
		this.pods.addEventHandlerWithResyncPeriod(new Handler(), 0);
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
		create("blog", "b");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "+b"));
	}

	@Test
	void handlerThatIsAddedTwiceReceivesTwice() {
		Handler handler = new Handler();
		this.pods.addEventHandler(handler);
		this.pods.addEventHandler(handler);
		runAndSync();
		create("blog", "a");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "+a"));
	}

	@Test
	void handlerThatThrowsReceivesWhatComesNextAndHurtsNoOther() {
		this.pods.addEventHandler(new Handler() {

			@Override
			public void onAdd(V1Pod pod) {
				super.onAdd(pod);
				throw new IllegalStateException("thrown by the test");
			}

		});
		this.pods.addEventHandler(new Handler());
		runAndSync();
		create("blog", "a");
		create("blog", "b");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactlyInAnyOrder("+a", "+a", "+b", "+b"));
	}

	@Test
	void handlerMayBeAddedWithANegativeResyncPeriodForNone() {
		this.pods.addEventHandlerWithResyncPeriod(new Handler(), -1);
		runAndSync();
		create("blog", "a");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a"));
	}

	@Test
	void handlerThatIsAddedAfterTheStopReceivesNothing() {
		create("blog", "a");
		runAndSync();
		this.pods.stop();
		this.pods.addEventHandler(new Handler());
		this.pods.addEventHandlerWithResyncPeriod(new Handler(), 1000);
		assertThat(this.delivered).isEmpty();
	}

	@Test
	void readersKeepReadingAfterTheStop() {
		create("blog", "a");
		runAndSync();
		await().until(() -> this.pods.getIndexer().getByKey("blog/a") != null);
		this.pods.stop();
		assertThat(new Lister<>(this.pods.getIndexer()).list()).hasSize(1);
	}

	@Test
	void transformIsSetBeforeTheStartOnly() {
		create("blog", "a");
		this.pods.setTransform((object) -> null);
		this.pods.setTransform(null);
		this.pods.setTransform((object) -> new V1Pod().metadata(new V1ObjectMeta().namespace("blog")
			.name(object.getMetadata().getName())
			.putLabelsItem("app", "changed")));
		this.pods.addEventHandler(new Handler());
		runAndSync();
		await().until(() -> this.pods.getIndexer().getByKey("blog/a") != null);
		assertThat(this.pods.getIndexer().getByKey("blog/a").getMetadata().getLabels()).containsEntry("app", "changed");
		assertThatIllegalStateException().isThrownBy(() -> this.pods.setTransform((object) -> object));
		assertThatIllegalStateException().isThrownBy(() -> this.pods.setTransform(null));
	}

	@Test
	void indexesGiveTheObjectsOfAValue() {
		create("blog", "a");
		create("blog", "b");
		create("shop", "a");
		this.pods.addIndexers(Map.of("label", OfficialContractTests::labels, "letters",
				(pod) -> List.of(pod.getMetadata().getName(), "x", "x")));
		this.pods.addIndexers(Map.of());
		runAndSync();
		Indexer<V1Pod> indexer = this.pods.getIndexer();
		await().until(() -> indexer.list().size() == 3);
		assertThat(indexer).isSameAs(this.pods.getIndexer());
		assertThat(indexer.getIndexers()).containsOnlyKeys("namespace", "label", "letters");
		assertThat(keys(indexer.byIndex("label", "a"))).containsExactlyInAnyOrder("blog/a", "shop/a");
		assertThat(indexer.indexKeys("label", "b")).containsExactly("blog/b");
		assertThat(indexer.byIndex("letters", "x")).hasSize(3);
		assertThat(keys(indexer.index("letters", pod("any", "b")))).containsExactlyInAnyOrder("blog/a", "blog/b",
				"shop/a");
		assertThat(keys(indexer.index("namespace", pod("shop", "other")))).containsExactly("shop/a");
		assertThat(keys(new Lister<>(indexer, "b", "label").list())).containsExactly("blog/b");
		update("blog", "b", "a");
		await().until(() -> indexer.byIndex("label", "a").size() == 3);
		assertThat(indexer.byIndex("label", "b")).isEmpty();
		this.api.resources(V1Pod.class).delete("blog", "b");
		await().until(() -> indexer.indexKeys("label", "a").size() == 2);
	}

	@Test
	void indexFunctionMayGiveNoValuesOrTheNullValue() {
		create("blog", "a");
		this.api.resources(V1Pod.class).create(new V1Pod().metadata(new V1ObjectMeta().namespace("blog").name("bare")));
		this.pods.addIndexers(Map.of("node", (pod) -> Collections.singletonList(nodeName(pod)), "nothing",
				(pod) -> null, "some", (pod) -> Arrays.asList("x", null)));
		runAndSync();
		Indexer<V1Pod> indexer = this.pods.getIndexer();
		await().until(() -> indexer.list().size() == 2);
		assertThat(indexer.byIndex("node", null)).hasSize(2);
		assertThat(indexer.indexKeys("node", null)).containsExactlyInAnyOrder("blog/a", "blog/bare");
		assertThat(indexer.byIndex("nothing", null)).isEmpty();
		assertThat(indexer.byIndex("some", "x")).hasSize(2);
		assertThat(indexer.index("node", pod("blog", "any"))).hasSize(2);
		this.api.resources(V1Pod.class).delete("blog", "a");
		await().until(() -> indexer.byIndex("node", null).size() == 1);
	}

	@Test
	void indexOfAKnownNameIsRefusedAndWithItTheOthers() {
		this.pods.addIndexers(Map.of("label", OfficialContractTests::labels));
		for (String taken : List.of("label", "namespace")) {
			Map<String, Function<V1Pod, List<String>>> indexers = new LinkedHashMap<>();
			indexers.put("new", OfficialContractTests::labels);
			indexers.put(taken, OfficialContractTests::labels);
			assertThatIllegalArgumentException().isThrownBy(() -> this.pods.addIndexers(indexers))
				.withMessageContaining(taken);
			assertThatIllegalArgumentException().isThrownBy(() -> this.pods.getIndexer().addIndexers(indexers))
				.withMessageContaining(taken);
		}
		assertThat(this.pods.getIndexer().getIndexers()).containsOnlyKeys("namespace", "label");
	}

	@Test
	void unknownIndexIsRefusedByName() {
		Indexer<V1Pod> indexer = this.pods.getIndexer();
		for (String unknown : Arrays.asList("nope", null)) {
			assertThatIllegalArgumentException().isThrownBy(() -> indexer.byIndex(unknown, "x"))
				.withMessageContaining(String.valueOf(unknown));
			assertThatIllegalArgumentException().isThrownBy(() -> indexer.indexKeys(unknown, "x"))
				.withMessageContaining(String.valueOf(unknown));
			assertThatIllegalArgumentException().isThrownBy(() -> indexer.index(unknown, pod("blog", "a")))
				.withMessageContaining(String.valueOf(unknown));
		}
	}

	@Test
	void whatIsNotThereIsNullOrEmpty() {
		create("blog", "a");
		runAndSync();
		Indexer<V1Pod> indexer = this.pods.getIndexer();
		await().until(() -> indexer.list().size() == 1);
		for (String key : Arrays.asList(null, "", "/", "a", "blog", "blog/", "/a", "blog/b", "shop/a", "blog/a/b")) {
			assertThat(indexer.getByKey(key)).as(key).isNull();
		}
		for (String value : Arrays.asList(null, "", "none")) {
			assertThat(indexer.byIndex("namespace", value)).isEmpty();
			assertThat(indexer.indexKeys("namespace", value)).isEmpty();
		}
		assertThat(indexer.get(pod("blog", "b"))).isNull();
		Lister<V1Pod> lister = new Lister<>(indexer);
		assertThat(lister.get(null)).isNull();
		assertThat(lister.namespace("blog").get(null)).isNull();
		assertThat(lister.namespace("none").list()).isEmpty();
		assertThatNullPointerException().isThrownBy(() -> indexer.get(null));
		assertThatNullPointerException().isThrownBy(() -> indexer.get(new V1Pod()));
	}

	@Test
	void listersReadAllOrOneNamespace() {
		create("blog", "a");
		create("shop", "b");
		runAndSync();
		Lister<V1Pod> lister = new Lister<>(this.pods.getIndexer());
		await().until(() -> lister.list().size() == 2);
		assertThat(keys(lister.namespace("blog").list())).containsExactly("blog/a");
		assertThat(lister.namespace(null).list()).hasSize(2);
		assertThat(lister.namespace("").list()).hasSize(2);
		assertThat(lister.namespace("shop").get("b")).isSameAs(lister.get("shop/b"))
			.isSameAs(this.pods.getIndexer().get(pod("shop", "b")))
			.isSameAs(this.pods.getIndexer().byIndex("namespace", "shop").get(0));
		assertThat(lister.get("blog/a").getKind()).isEqualTo("Pod");
		assertThat(lister.get("blog/a").getApiVersion()).isEqualTo("v1");
	}

	@Test
	void listsBelongToWhoeverAskedForThem() {
		create("blog", "b");
		create("blog", "a");
		this.pods.addIndexers(Map.of("label", OfficialContractTests::labels));
		runAndSync();
		Indexer<V1Pod> indexer = this.pods.getIndexer();
		await().until(() -> indexer.list().size() == 2);
		List<V1Pod> sorted = indexer.list();
		sorted.sort(Comparator.comparing((pod) -> pod.getMetadata().getName()));
		assertThat(keys(sorted)).containsExactly("blog/a", "blog/b");
		for (List<?> list : List.of(sorted, indexer.listKeys(), indexer.byIndex("namespace", "blog"),
				indexer.indexKeys("namespace", "blog"), indexer.index("namespace", pod("blog", "x")),
				indexer.byIndex("label", "a"), indexer.indexKeys("label", "a"),
				indexer.index("label", pod("blog", "a")), new Lister<>(indexer).list(),
				new Lister<>(indexer, "blog").list())) {
			assertThat(list).isNotEmpty();
			list.clear();
		}
		assertThat(indexer.list()).hasSize(2);
		assertThat(indexer.byIndex("label", "a")).hasSize(1);
		for (List<?> empty : List.of(indexer.byIndex("label", "none"), indexer.indexKeys("namespace", "none"))) {
			empty.clear();
			empty.sort(null);
		}
	}

	@Test
	void clusterScopedObjectsHaveNoNamespace() {
		this.api.resources(V1Node.class).create(new V1Node().metadata(new V1ObjectMeta().name("n1")));
		SharedIndexInformer<V1Node> nodes = this.informers.nodes();
		nodes.run();
		Indexer<V1Node> indexer = nodes.getIndexer();
		await().until(() -> indexer.list().size() == 1);
		assertThat(indexer.listKeys()).containsExactly("n1");
		assertThat(indexer.getByKey("n1")).isNotNull().isSameAs(new Lister<>(indexer).get("n1"));
		assertThat(indexer.getByKey("/n1")).isNull();
		assertThat(indexer.byIndex("namespace", null)).hasSize(1);
		assertThat(indexer.indexKeys("namespace", null)).containsExactly("n1");
		assertThat(indexer.index("namespace", indexer.getByKey("n1"))).hasSize(1);
		assertThat(indexer.byIndex("namespace", "")).isEmpty();
	}

	@Test
	void resyncOfTheStoreDoesNothing() {
		this.pods.getIndexer().resync();
	}

	private static List<String> labels(V1Pod pod) {
		return List.copyOf(pod.getMetadata().getLabels().values());
	}

	private static String nodeName(V1Pod pod) {
		return (pod.getSpec() != null) ? pod.getSpec().getNodeName() : null;
	}

	private static List<String> keys(List<? extends KubernetesObject> objects) {
		return objects.stream()
			.map(KubernetesObject::getMetadata)
			.map((metadata) -> metadata.getNamespace() + "/" + metadata.getName())
			.toList();
	}

	private void runAndSync() {
		this.pods.run();
		await().until(this.pods::hasSynced);
	}

	private void create(String namespace, String name) {
		this.api.resources(V1Pod.class).create(pod(namespace, name));
	}

	private void update(String namespace, String name, String label) {
		this.api.resources(V1Pod.class).update(relabelled(pod(namespace, name), label));
	}

	/** Records its deliveries. */
	private class Handler implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			OfficialContractTests.this.delivered.add("+" + pod.getMetadata().getName());
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			OfficialContractTests.this.delivered.add("~%s %s>%s".formatted(after.getMetadata().getName(),
					before.getMetadata().getLabels().get("app"), after.getMetadata().getLabels().get("app")));
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			OfficialContractTests.this.delivered.add("-" + pod.getMetadata().getName() + " " + finalStateUnknown);
		}

	}

}
