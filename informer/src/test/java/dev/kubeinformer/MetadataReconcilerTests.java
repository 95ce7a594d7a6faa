package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Reconcilers that own or watch the metadata of objects alone.
 */
class MetadataReconcilerTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private final WidgetWorld world = new WidgetWorld();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void childWhoseMetadataIsCachedShouldBeKept() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a").getData()).containsEntry("size", "1");
		assertThat(this.world.informers.all()).filteredOn((informer) -> informer.id().equals("configmaps-metadata"))
			.singleElement()
			.satisfies((informer) -> assertThat(informer.status().metadata()).isEqualTo(MetadataMode.SERVER));
		this.world.runs.clear();
		this.world.configMaps.delete("web", "a");
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a")).isNotNull();
		this.world.configMaps.edit("web", "a", (map) -> map.data(Map.of("size", "of another")));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a").getData()).containsEntry("size", "1");
		assertThat(this.world.runs).extracting(ReconcileRun::key).containsOnly(WidgetWorld.key("a"));
	}

	@Test
	void equalApplyShouldCostNoRequestUntilTheVersionIsAnother() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = startParent();
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.clearRequests();
		container.trigger(WidgetWorld.key("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.writes()).isEmpty();
		this.world.configMaps.edit("web", "a", (map) -> map.getMetadata().putLabelsItem("by", "another"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.writes()).extracting(RecordedRequest::method).containsExactly("PATCH");
	}

	@Test
	void runShouldSeeTheMetadataOfWhatTheRunsBeforeItWrote() throws InterruptedException {
		Map<String, Integer> created = new ConcurrentHashMap<>();
		AtomicInteger stale = new AtomicInteger();
		ReconcilerContainer container = this.world.start((widget, run) -> {
			String name = run.key().name();
			List<Metadata<V1ConfigMap>> seen = run.ownedMetadata(V1ConfigMap.class).list();
			if (seen.size() < created.getOrDefault(name, 0)) {
				stale.incrementAndGet();
			}
			if (seen.size() < widget.size()) {
				run.create(new V1ConfigMap().metadata(new V1ObjectMeta().generateName(name + "-")));
				created.merge(name, 1, Integer::sum);
				return Result.requeueAfter(Duration.ofMillis(1));
			}
			return Result.done();
		}, (spec) -> spec.withOwned(OwnedResource.metadata(V1ConfigMap.class)).withOwnWritesTimeout(LONG));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.faults().watchLag(Duration.ofMillis(100));
		this.world.widgets.create(Widget.of("web", "w", 3));
		await().until(() -> this.world.configMaps.list("web").size() >= 3);
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(stale).hasValue(0);
		assertThat(this.world.configMaps.list("web")).hasSize(3);
		assertThat(container.status().runs().ownWriteTimeouts()).isZero();
	}

	@Test
	void metadataShouldBeEnoughToPatchAndToDelete() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			Metadata<V1ConfigMap> there = run.ownedMetadata(V1ConfigMap.class).single();
			if (widget.size() == 0) {
				if (there != null) {
					run.delete(there);
				}
				return Result.done();
			}
			run.apply(WidgetWorld.child(widget));
			if (there != null && !isPatched(there)) {
				Metadata<V1ConfigMap> patched = run.patch(there, PatchFormat.MERGE,
						"{\"metadata\":{\"labels\":{\"patched\":\"yes\"}}}");
				assertThat(patched.getKind()).isEqualTo("ConfigMap");
				assertThat(patched.getMetadata().getLabels()).containsEntry("patched", "yes");
			}
			return Result.done();
		}, (spec) -> spec.withOwned(OwnedResource.metadata(V1ConfigMap.class)));
		await().until(() -> this.world.configMaps.list("web").stream().anyMatch(MetadataReconcilerTests::isPatched));
		this.world.widgets.edit("web", "a", (widget) -> widget.size(0));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.configMaps.get("web", "a")).isNull();
		assertThat(this.world.outcomes()).doesNotContain(RunOutcome.ERROR);
	}

	private static boolean isPatched(KubernetesObject object) {
		return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of()).containsKey("patched");
	}

	@Test
	void metadataOfWatchedObjectsShouldBeMapped() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		ReconcilerContainer container = this.world.start((widget, run) -> Result.done(),
				(spec) -> spec.withWatched(WatchedResource.metadata(V1Secret.class, MetadataReconcilerTests::mapped)));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.runs.clear();
		this.world.api.resources(V1Secret.class)
			.create(new V1Secret().metadata(new V1ObjectMeta().namespace("web").name("s").putLabelsItem("for", "b")));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.runs).extracting(ReconcileRun::key).containsExactly(WidgetWorld.key("b"));
	}

	private static Stream<ObjectKey> mapped(Metadata<V1Secret> secret) {
		return Stream.of(WidgetWorld.key(secret.getMetadata().getLabels().get("for")));
	}

	@Test
	void contradictionsShouldBeRefused() {
		ReconcilerSpec<Widget> spec = this.world.spec((widget, run) -> Result.done());
		OwnedResource<Metadata<V1ConfigMap>> metadata = OwnedResource.metadata(V1ConfigMap.class);
		assertThatIllegalArgumentException().isThrownBy(() -> spec.withOwned(V1ConfigMap.class).withOwned(metadata))
			.withMessageContaining("owns 'configmaps' whole and as metadata");
		assertThatIllegalArgumentException().isThrownBy(() -> spec.withOwned(metadata).withOwned(V1ConfigMap.class))
			.withMessageContaining("owns 'configmaps' whole and as metadata");
		assertThatIllegalArgumentException().isThrownBy(() -> spec.withOwned(metadata).withOwned(metadata))
			.withMessageContaining("owns 'configmaps' twice");
		assertThatIllegalArgumentException().isThrownBy(() -> spec.withOwned(OwnedResource.metadata(Widget.class)))
			.withMessageContaining("own resource 'widgets.example.com'");
		ResourceType<Metadata<Widget>> primary = ResourceType.of(Widget.class).metadata();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ReconcilerSpec.of("widgets", primary, (widget, run) -> Result.done()))
			.withMessageContaining("cannot be on the metadata of 'widgets.example.com' alone");
	}

	private ReconcilerContainer startParent() {
		return this.world.start((widget, run) -> {
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(OwnedResource.metadata(V1ConfigMap.class)));
	}

}
