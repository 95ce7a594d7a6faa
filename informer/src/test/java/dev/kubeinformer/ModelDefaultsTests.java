package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Transforms and indexes that informers have by their resource.
 */
class ModelDefaultsTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final Informers informers = informers(this.api.url(), withoutSpec());

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	private static UnaryOperator<Informers.Builder> withoutSpec() {
		return (builder) -> builder
			.transform((type) -> (type.objectClass() == V1Pod.class) ? ModelDefaultsTests::dropSpec : null)
			.indexers((type) -> (type.objectClass() == V1Pod.class)
					? Map.of("by-app", (pod) -> List.of(pod.getMetadata().getLabels().get("app"))) : Map.of());
	}

	private static KubernetesObject dropSpec(KubernetesObject object) {
		V1Pod pod = (V1Pod) object;
		pod.setSpec(null);
		return pod;
	}

	@Test
	void informersOfAClassShouldHaveThemInEachNamespaceAndAfterARestart() throws InterruptedException {
		this.api.resources(V1Pod.class).create(pod("blog", "a"));
		this.api.resources(V1Pod.class).create(pod("shop", "b"));
		Informer<V1Pod> all = this.informers.informer(V1Pod.class);
		Informer<V1Pod> some = this.informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("blog"));
		Informer<V1Node> nodes = this.informers.informer(V1Node.class);
		this.informers.start();
		assertThat(some.awaitSync(LONG)).isTrue();
		some.addNamespace("shop");
		assertThat(some.awaitSync("shop", LONG)).isTrue();
		assertThat(some.lister().list()).hasSize(2).extracting(V1Pod::getSpec).containsOnlyNulls();
		this.informers.stop();
		this.informers.start();
		assertThat(all.awaitSync(LONG)).isTrue();
		assertThat(all.getIndexer().byIndex("by-app", "b")).singleElement()
			.satisfies((pod) -> assertThat(pod.getSpec()).isNull());
		assertThat(nodes.getIndexer().getIndexers()).containsOnlyKeys("namespace");
	}

	@Test
	void unknownIndexShouldBeRefusedWithTheNamesOfThoseThatThereAre() {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		String message = "There is no index named 'by-ap', only 'namespace', 'by-app'";
		assertThatIllegalArgumentException().isThrownBy(() -> pods.getIndexer().byIndex("by-ap", "a"))
			.withMessage(message);
		assertThatIllegalArgumentException().isThrownBy(() -> pods.snapshot().byIndex("by-ap", "a"))
			.withMessage(message);
	}

	@Test
	void transformOfAnInformerShouldReplaceThatOfItsResource() throws InterruptedException {
		this.api.resources(V1Pod.class).create(pod("blog", "a"));
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform(null);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(pods.lister().get("blog/a").getSpec()).isNotNull();
	}

	@Test
	void reconcilerShouldRunForWhatTheTransformLeavesAndNotRepeatItsWrites() throws InterruptedException {
		try (WidgetWorld world = new WidgetWorld()) {
			world.informers = informers(world.api.url(),
					(builder) -> builder.transform((type) -> (object) -> withoutAnnotationsAndData(object)));
			world.create("a");
			ReconcilerContainer container = world.start((widget, run) -> {
				run.apply(WidgetWorld.child(widget));
				return Result.done();
			}, (spec) -> spec.withOwned(V1ConfigMap.class));
			assertThat(container.awaitSync(LONG)).isTrue();
			assertThat(container.awaitIdle(LONG)).isTrue();
			int runs = world.runs.size();
			world.widgets.edit("web", "a", (widget) -> widget.getMetadata().putAnnotationsItem("note", "x"));
			Widget labelled = world.widgets.edit("web", "a",
					(widget) -> widget.getMetadata().putLabelsItem("size", "x"));
			assertThat(world.informers.informer(Widget.class).await(labelled, LONG)).isTrue();
			assertThat(container.awaitIdle(LONG)).isTrue();
			assertThat(world.runs).hasSize(runs + 1);
			assertThat(world.writes()).filteredOn((request) -> request.method().equals("PATCH")).hasSize(1);
		}
	}

	private static KubernetesObject withoutAnnotationsAndData(KubernetesObject object) {
		object.getMetadata().setAnnotations(null);
		if (object instanceof V1ConfigMap map) {
			map.setData(null);
		}
		return object;
	}

}
