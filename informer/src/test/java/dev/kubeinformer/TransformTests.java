package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.informer.exception.ObjectTransformException;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ListMode;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Arguments of transforms, and the handling of their results. The label "app" of a pod
 * defines the behaviour of the transform.
 */
@ParameterizedClass
@EnumSource(value = ListMode.class, names = { "AUTO", "PAGED" })
class TransformTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final InformerSpec<V1Pod> PODS = InformerSpec.of(V1Pod.class);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers;

	private final Recorder<V1Pod> recorder = new Recorder<>();

	private final List<String> given = new CopyOnWriteArrayList<>();

	TransformTests(ListMode mode) {
		this.informers = informers(this.api.url(), (builder) -> builder.listMode(mode));
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void eachReceivedObjectIsTransformedOnceAndADeletedOneNever() throws InterruptedException {
		create("a", "a1");
		create("b", "b1");
		Informer<V1Pod> pods = startPods((pod) -> pod);
		update("a", "a2");
		create("c", "c1");
		V1Pod deleted = this.api.resources(V1Pod.class).delete("blog", "b");
		assertThat(pods.await(deleted, LONG)).isTrue();
		assertThat(this.given).containsExactlyInAnyOrder("a1", "b1", "a2", "c1");
		await().untilAsserted(
				() -> assertThat(this.recorder.delivered()).containsExactlyInAnyOrder("+a", "+b", "~a", "+c", "-b"));
	}

	@Test
	void objectMayBeChangedInPlaceAndIsUnmodifiableAfterwards() throws InterruptedException {
		create("a", "a1");
		V1Container shared = new V1Container().name("sidecar");
		Informer<V1Pod> pods = startPods((pod) -> {
			pod.getMetadata().getLabels().remove("app");
			pod.getMetadata().putLabelsItem("added", "yes").putAnnotationsItem("note", "x");
			pod.getSpec().getContainers().get(0).setEnv(null);
			pod.getSpec().getContainers().add(shared);
			pod.getSpec().getVolumes().clear();
			pod.setStatus(null);
			return pod;
		});
		V1Pod cached = pods.lister().get("blog/a");
		assertThat(cached.getMetadata().getLabels()).isEqualTo(Map.of("added", "yes"));
		assertThat(cached.getSpec().getContainers()).extracting(V1Container::getName).containsExactly("app", "sidecar");
		assertThat(cached.getStatus()).isNull();
		for (Runnable change : List.<Runnable>of(() -> cached.getMetadata().putLabelsItem("x", "y"),
				() -> cached.getMetadata().getAnnotations().clear(), () -> cached.getSpec().getContainers().remove(0),
				() -> cached.getSpec().addVolumesItem(null),
				() -> cached.getSpec().getContainers().get(0).getPorts().add(null))) {
			assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
		}
	}

	@Test
	void objectIsKnownByWhatWasReceivedWhateverTheTransformSays() throws InterruptedException {
		create("a", "a1");
		Informer<V1Pod> pods = startPods((pod) -> new V1Pod().metadata(new V1ObjectMeta().namespace("elsewhere")
			.name("renamed")
			.uid("other")
			.resourceVersion("1")
			.labels(pod.getMetadata().getLabels())));
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(pods.getIndexer().indexKeys("namespace", "blog")).containsExactly("blog/a");
		assertThat(pods.getIndexer().byIndex("namespace", "elsewhere")).isEmpty();
		assertThat(pods.await(update("a", "a2"), LONG)).isTrue();
		assertThat(pods.lister().get("blog/a").getMetadata().getLabels()).containsEntry("app", "a2");
		assertThat(pods.await(this.api.resources(V1Pod.class).delete("blog", "a"), LONG)).isTrue();
		assertThat(pods.snapshot().size()).isZero();
		await().untilAsserted(
				() -> assertThat(this.recorder.delivered()).containsExactly("+renamed", "~renamed", "-renamed"));
		assertThat(this.recorder.events().get(2).object().getMetadata().getLabels()).containsEntry("app", "a2");
	}

	@Test
	void objectForWhichItThrowsIsLeftAsItWasUntilItChangesAgain() throws InterruptedException {
		create("a", "a1");
		create("b", "bad");
		Informer<V1Pod> pods = startPods(TransformTests::throwIfBad);
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.await(update("a", "bad"), LONG)).isTrue();
		assertThat(pods.await(create("c", "bad"), LONG)).isTrue();
		assertThat(pods.lister().get("blog/a").getMetadata().getLabels()).containsEntry("app", "a1");
		assertThat(pods.lister().get("blog/c")).isNull();
		await().untilAsserted(() -> assertThat(pods.status().cache().quarantined()).isEqualTo(3));
		assertThat(pods.status().lastError().message()).startsWith("3 of the pods cannot be read or transformed; ")
			.contains("'blog/c' is quarantined: it cannot be transformed, as transform '%s' threw "
				.formatted(TransformTests.class.getName()))
			.contains(
					ObjectTransformException.class.getName() + " in " + TransformTests.class.getName() + ".throwIfBad(")
			.doesNotContain("secret");
		assertThat(pods.await(update("a", "a2"), LONG)).isTrue();
		assertThat(pods.await(update("b", "b2"), LONG)).isTrue();
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "~a", "+b"));
	}

	@Test
	void deletionOfAnObjectForWhichItThrewTellsThatTheLastStateIsUnknown() throws InterruptedException {
		create("a", "a1");
		Informer<V1Pod> pods = startPods(TransformTests::throwIfBad);
		assertThat(pods.await(update("a", "bad"), LONG)).isTrue();
		assertThat(pods.await(this.api.resources(V1Pod.class).delete("blog", "a"), LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "-a?"));
		assertThat(this.recorder.events().get(1).object().getMetadata().getLabels()).containsEntry("app", "a1");
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void objectForWhichItThrowsCountsAsPresentInARelist() throws InterruptedException {
		create("a", "a1");
		Informer<V1Pod> pods = startPods(TransformTests::throwIfBad);
		this.api.stopServing();
		update("a", "bad");
		V1Pod last = create("b", "b1");
		this.api.compact();
		this.api.resumeServing();
		assertThat(pods.await(last, LONG)).isTrue();
		assertThat(pods.status().lists().total()).isEqualTo(2);
		assertThat(pods.snapshot().keys()).containsExactlyInAnyOrder("blog/a", "blog/b");
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "+b"));
	}

	@Test
	void objectForWhichItReturnsNothingIsNotCachedAndItsDisappearanceIsDelivered() throws InterruptedException {
		create("a", "a1");
		create("b", "drop");
		Informer<V1Pod> pods = startPods(TransformTests::dropIfAsked);
		assertThat(pods.snapshot().keys()).containsExactly("blog/a");
		assertThat(pods.await(update("a", "drop"), LONG)).isTrue();
		assertThat(pods.snapshot().size()).isZero();
		assertThat(pods.await(this.api.resources(V1Pod.class).delete("blog", "b"), LONG)).isTrue();
		assertThat(pods.await(update("a", "a3"), LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).containsExactly("+a", "-a", "+a"));
		assertThat(this.recorder.events().get(1).object().getMetadata().getLabels()).containsEntry("app", "a1");
		assertThat(pods.status().cache().quarantined()).isZero();
	}

	@Test
	void relistTellsTheDisappearanceToo() throws InterruptedException {
		create("a", "a1");
		create("b", "b1");
		Informer<V1Pod> pods = startPods(TransformTests::dropIfAsked);
		V1Pod unchanged = pods.lister().get("blog/b");
		this.api.stopServing();
		V1Pod last = update("a", "drop");
		this.api.compact();
		this.api.resumeServing();
		assertThat(pods.await(last, LONG)).isTrue();
		await().untilAsserted(() -> assertThat(this.recorder.delivered()).hasSize(3).endsWith("-a?"));
		assertThat(pods.lister().get("blog/b")).isSameAs(unchanged);
	}

	@Test
	void objectOfAnotherClassIsNotCached() throws InterruptedException {
		create("a", "a1");
		Informer<V1Pod> pods = start((object) -> new V1Node());
		assertThat(pods.snapshot().size()).isZero();
		assertThat(pods.status().cache().quarantined()).isEqualTo(1);
		assertThat(pods.status().lastError().message())
			.contains("'blog/a' is quarantined: it cannot be transformed, as transform '%s' returned an object of %s"
				.formatted(TransformTests.class.getName(), V1Node.class.getName()));
	}

	@Test
	void transformThatReachedOnlyPartOfTheNamespacesIsRememberedThere() throws InterruptedException {
		create("a", "a1");
		this.api.resources(V1Pod.class).create(pod("shop", "b"));
		Informer<V1Pod> pods = this.informers.informer(PODS.withNamespaces("blog", "shop"));
		TransformFunc first = named("first");
		pods.setTransform(first);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		this.informers.stop();
		this.api.faults().on(Requests.of("pods").inNamespace("shop")).status(500);
		pods.setTransform(named("second"));
		this.informers.start();
		assertThat(pods.awaitSync("blog", LONG)).isTrue();
		this.informers.stop();
		this.api.faults().clear();
		pods.setTransform(first);
		this.informers.start();
		assertThat(pods.awaitSync(LONG)).isTrue();
		assertThat(pods.lister().list()).extracting((pod) -> pod.getMetadata().getName()).containsOnly("first");
	}

	private static TransformFunc named(String name) {
		return (object) -> new V1Pod().metadata(new V1ObjectMeta().name(name));
	}

	private static V1Pod throwIfBad(V1Pod pod) {
		if (pod.getMetadata().getLabels().get("app").equals("bad")) {
			throw new ObjectTransformException("secret content");
		}
		return pod;
	}

	private static V1Pod dropIfAsked(V1Pod pod) {
		return pod.getMetadata().getLabels().get("app").equals("drop") ? null : pod;
	}

	private Informer<V1Pod> startPods(UnaryOperator<V1Pod> transform) throws InterruptedException {
		return start((object) -> {
			this.given.add(object.getMetadata().getLabels().get("app"));
			return transform.apply((V1Pod) object);
		});
	}

	private Informer<V1Pod> start(TransformFunc transform) throws InterruptedException {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		pods.setTransform(transform);
		HandlerRegistration registration = pods.addHandler(this.recorder, HandlerOptions.defaults());
		this.informers.start();
		assertThat(registration.awaitSync(LONG)).isTrue();
		return pods;
	}

	private V1Pod create(String name, String label) {
		return this.api.resources(V1Pod.class).create(relabelled(pod("blog", name), label));
	}

	private V1Pod update(String name, String label) {
		return this.api.resources(V1Pod.class).update(relabelled(pod("blog", name), label));
	}

}
