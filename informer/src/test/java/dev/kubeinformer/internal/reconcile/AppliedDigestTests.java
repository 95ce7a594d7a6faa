package dev.kubeinformer.internal.reconcile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which applies are sent, by processes that know nothing of earlier ones.
 */
class AppliedDigestTests {

	private static final ResourceType<Widget> WIDGETS = ResourceType.of(Widget.class);

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private Widget widget;

	@BeforeEach
	void start() {
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		this.widget = this.api.resources(Widget.class, "example.com", "v1", "widgets")
			.create(Widget.named("shop", "one"));
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private static V1ConfigMap map(String... keys) {
		Map<String, String> data = new HashMap<>();
		List.of(keys).forEach((key) -> data.put(key, "value"));
		return new V1ConfigMap().metadata(new V1ObjectMeta().name("child")).data(data);
	}

	private V1ConfigMap edit(Consumer<V1ConfigMap> change) {
		return this.api.resources(V1ConfigMap.class).edit("shop", "child", change);
	}

	private V1ConfigMap child() {
		return this.api.resources(V1ConfigMap.class).get("shop", "child");
	}

	private Process process(UnaryOperator<ReconcilerSpec<Widget>> change) {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		return new Process(new TestRuns(client), change
			.apply(ReconcilerSpec.of("tester", WIDGETS, (object, run) -> Result.done()).withOwned(V1ConfigMap.class)));
	}

	private Process process() {
		return process(UnaryOperator.identity());
	}

	@Test
	void whatIsInPlaceIsNotAppliedAfterARestart() throws Exception {
		Process first = process();
		assertThat(first.writes(map("a"))).isOne();
		assertThat(first.writes(map("a"))).isZero();
		assertThat(process().writes(map("a"))).isZero();
		assertThat(child().getMetadata().getAnnotations()).containsOnlyKeys(ReconcilerSpec.APPLIED_ANNOTATION);
	}

	@Test
	void objectMadeOfACachedOneIsTheSame() throws Exception {
		process().writes(map("a"));
		V1ConfigMap copy = Informers.copyOf(child());
		copy.getMetadata().setOwnerReferences(null);
		assertThat(process().writes(copy)).isOne();
		assertThat(process().writes(Informers.copyOf(child()))).isZero();
	}

	@Test
	void objectThatIsCreatedFromACachedOneIsNotTakenForApplied() throws Exception {
		process().writes(map("a", "b"));
		V1ConfigMap copy = Informers.copyOf(child());
		copy.getMetadata().setResourceVersion(null);
		this.api.resources(V1ConfigMap.class).delete("shop", "child");
		process().run().create(copy);
		assertThat(child().getMetadata().getAnnotations()).isNullOrEmpty();
		assertThat(process().writes(map("a"))).isEqualTo(2);
		assertThat(child().getData()).isEqualTo(Map.of("a", "value"));
	}

	@Test
	void valueThatAnotherChangedIsRepairedOnce() throws Exception {
		Process first = process();
		first.writes(map("a"));
		edit((object) -> object.getData().put("a", "of another"));
		assertThat(first.writes(map("a"))).isOne();
		assertThat(child().getData()).isEqualTo(Map.of("a", "value"));
		assertThat(first.writes(map("a"))).isZero();
		edit((object) -> object.getData().remove("a"));
		Process second = process();
		assertThat(second.writes(map("a"))).isOne();
		assertThat(second.writes(map("a"))).isZero();
		edit((object) -> object.getMetadata().setOwnerReferences(null));
		assertThat(second.writes(map("a"))).isOne();
		assertThat(child().getMetadata().getOwnerReferences()).hasSize(1);
	}

	@Test
	void valueOfAnotherIsLeftAlone() throws Exception {
		Process first = process();
		first.writes(map("a"));
		edit((object) -> {
			object.getData().put("b", "of another");
			object.getMetadata().putLabelsItem("by", "another");
			object.getMetadata().putAnnotationsItem("by", "another");
		});
		assertThat(first.writes(map("a"))).isZero();
		assertThat(process().writes(map("a"))).isZero();
		assertThat(child().getData()).containsKey("b");
	}

	@Test
	void valueThatIsGivenUpIsRemovedAfterARestart() throws Exception {
		process().writes(map("a", "b"));
		Process second = process();
		assertThat(second.writes(map("a"))).isOne();
		assertThat(child().getData()).isEqualTo(Map.of("a", "value"));
		assertThat(second.writes(map("a"))).isZero();
	}

	@Test
	void anotherFieldManagerAppliesOnce() throws Exception {
		process().writes(map("a"));
		Process other = process((spec) -> spec.withFieldManager("other"));
		assertThat(other.writes(map("a"))).isOne();
		assertThat(other.writes(map("a"))).isZero();
		assertThat(process((spec) -> spec.withFieldManager("other")).writes(map("a"))).isZero();
	}

	@Test
	void twoFieldManagersOfOneObjectComeToRest() throws Exception {
		Process one = process();
		Process other = process((spec) -> spec.withFieldManager("other"));
		for (int i = 0; i < 3; i++) {
			one.writes(map("a"));
			other.writes(map("a", "b"));
		}
		assertThat(one.writes(map("a"))).isZero();
		assertThat(other.writes(map("a", "b"))).isZero();
		assertThat(child().getData()).containsOnlyKeys("a", "b");
	}

	@Test
	void withoutTheAnnotationEachChildIsAppliedOnceAfterARestart() throws Exception {
		Process first = process((spec) -> spec.withAppliedDigest(false));
		assertThat(first.writes(map("a"))).isOne();
		assertThat(first.writes(map("a"))).isZero();
		assertThat(child().getMetadata().getAnnotations()).isNullOrEmpty();
		edit((object) -> object.getMetadata().putLabelsItem("by", "another"));
		assertThat(first.writes(map("a"))).isOne();
		assertThat(process((spec) -> spec.withAppliedDigest(false)).writes(map("a"))).isOne();
	}

	@Test
	void annotationGoesWhenItIsSwitchedOff() throws Exception {
		process().writes(map("a"));
		Process without = process((spec) -> spec.withAppliedDigest(false));
		assertThat(without.writes(Informers.copyOf(child()))).isOne();
		assertThat(child().getMetadata().getAnnotations()).isNullOrEmpty();
		assertThat(without.writes(Informers.copyOf(child()))).isZero();
	}

	@Test
	void annotationIsPutBack() throws Exception {
		process().writes(map("a"));
		edit((object) -> object.getMetadata().setAnnotations(null));
		Process second = process();
		assertThat(second.writes(map("a"))).isOne();
		assertThat(second.writes(map("a"))).isZero();
		assertThat(child().getMetadata().getAnnotations()).containsOnlyKeys(ReconcilerSpec.APPLIED_ANNOTATION);
	}

	@Test
	void metadataDoNotShowWhetherTheRestIsInPlace() throws Exception {
		ReconcilerSpec<Widget> spec = ReconcilerSpec.of("tester", WIDGETS, (object, run) -> Result.done())
			.withOwned(OwnedResource.metadata(V1ConfigMap.class));
		for (int i = 0; i < 2; i++) {
			Process process = process((ignored) -> spec);
			V1ConfigMap there = child();
			if (there != null) {
				process.runs.cache(MAPS.metadata(), new Metadata<V1ConfigMap>("v1", "ConfigMap", there.getMetadata()));
			}
			this.api.clearRequests();
			process.run().apply(map("a"));
			assertThat(this.api.requests()).hasSize(1);
			assertThat(child().getMetadata().getAnnotations()).isNullOrEmpty();
		}
	}

	@Test
	void unownedObjectIsNotAppliedAfterARestart() throws Exception {
		for (int i = 0; i < 2; i++) {
			Process process = process(
					(spec) -> spec.withUnowned("example.com/tester", UnownedResource.of(V1ConfigMap.class)));
			V1ConfigMap there = child();
			if (there != null) {
				process.runs.cache(MAPS, there);
			}
			this.api.clearRequests();
			process.run().applyUnowned(map("a"));
			assertThat(this.api.requests()).filteredOn((request) -> request.method().equals("PATCH")).hasSize(1 - i);
		}
	}

	@Test
	void primaryIsNotAppliedAfterARestart() throws Exception {
		Widget desired = Widget.named("shop", "one");
		desired.getMetadata().setLabels(new HashMap<>(Map.of("a", "b")));
		Widget applied = process().run().apply(desired);
		Process second = process();
		second.runs.cache(WIDGETS, applied);
		this.api.clearRequests();
		assertThat(second.run().apply(desired)).isSameAs(applied);
		assertThat(this.api.requests()).isEmpty();
	}

	/**
	 * A process that has filled its caches.
	 */
	private final class Process {

		private final TestRuns runs;

		private final ReconcilerSpec<Widget> spec;

		private Process(TestRuns runs, ReconcilerSpec<Widget> spec) {
			this.runs = runs;
			this.spec = spec;
		}

		private RunReconciliation<Widget> run() {
			return this.runs.run(this.spec, AppliedDigestTests.this.widget);
		}

		private int writes(V1ConfigMap desired) throws Exception {
			V1ConfigMap there = AppliedDigestTests.this.child();
			if (there != null) {
				this.runs.cache(MAPS, there);
			}
			AppliedDigestTests.this.api.clearRequests();
			run().apply(desired);
			return (int) AppliedDigestTests.this.api.requests()
				.stream()
				.filter((request) -> !request.method().equals("GET"))
				.count();
		}

	}

}
