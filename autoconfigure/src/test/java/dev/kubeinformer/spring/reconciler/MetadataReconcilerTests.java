package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.RecordingHandler;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpoint;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersEndpointAutoConfiguration;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Reconcilers on the metadata of what they own and watch, in running applications.
 */
class MetadataReconcilerTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<Gear> gears = Gear.serve(this.kubernetes);

	private final ApiResources<V1ConfigMap> maps = this.kubernetes.resources(V1ConfigMap.class);

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void handlerListerAndReconcilerShouldShareTheMetadata() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=*")
			.withBean("gearReconciler", GearReconciler.class)
			.withBean("mapHandler", MapHandler.class)
			.run((context) -> {
				ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
				GearReconciler reconciler = context.getBean(GearReconciler.class);
				assertThat(registry.awaitIdle(LONG)).isTrue();
				assertThat(this.maps.get("web", "one").getData()).containsEntry("teeth", "12");
				assertThat(reconciler.seen.get(reconciler.seen.size() - 1)).isEqualTo("one 1 1");
				// Handlers may be busy while reconcilers are idle.
				await().untilAsserted(
						() -> assertThat(context.getBean(MapHandler.class).calls()).containsExactly("ADD one"));
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
					.containsExactlyInAnyOrder("gears.example.com", "configmaps-metadata", "secrets-metadata");

				this.maps.delete("web", "one");
				assertThat(registry.awaitIdle(LONG)).isTrue();
				assertThat(this.maps.get("web", "one")).isNotNull();

				int before = reconciler.seen.size();
				this.kubernetes.resources(V1Secret.class)
					.create(new V1Secret()
						.metadata(new V1ObjectMeta().namespace("web").name("oil").putLabelsItem("for", "one")));
				assertThat(registry.awaitIdle(LONG)).isTrue();
				assertThat(reconciler.seen).hasSize(before + 1);

				String rbac = context.getBean(InformersEndpoint.class).informer("rbac", null).toString();
				assertThat(rbac).containsOnlyOnce("- configmaps").containsOnlyOnce("- secrets");
				assertThat(rbac.substring(rbac.indexOf("- configmaps"))).containsSubsequence("- create", "- list",
						"- patch", "- watch");
			});
	}

	@Test
	void classShouldSayThatMetadataIsEnough() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withBean("gears", ClassLevel.class).run((context) -> {
			ReconcilerRegistry registry = context.getBean(ReconcilerRegistry.class);
			assertThat(registry.get("gears").spec().owned()).singleElement()
				.extracting(OwnedResource::type)
				.isEqualTo(ResourceType.of(V1ConfigMap.class).metadata());
			assertThat(registry.awaitIdle(LONG)).isTrue();
			this.maps.delete("web", "one");
			assertThat(registry.awaitIdle(LONG)).isTrue();
			assertThat(this.maps.get("web", "one")).isNotNull();
		});
	}

	private static V1ConfigMap child(Gear gear) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name(gear.getMetadata().getName()))
			.data(Map.of("teeth", Integer.toString(gear.getSpec().getTeeth())));
	}

	@Reconciler
	static class GearReconciler {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		private final Lister<Metadata<V1ConfigMap>> all;

		GearReconciler(Lister<Metadata<V1ConfigMap>> all) {
			this.all = all;
		}

		@Reconcile
		void reconcile(Gear gear, @Owns(V1ConfigMap.class) Owned<Metadata<V1ConfigMap>> maps, Reconciliation<Gear> run)
				throws ApiException {
			V1ConfigMap applied = run.apply(child(gear));
			this.seen
				.add("%s %d %d".formatted(applied.getMetadata().getName(), maps.list().size(), this.all.list().size()));
		}

		@Watches
		ObjectKey oil(Metadata<V1Secret> secret) {
			return new ObjectKey("web", secret.getMetadata().getLabels().get("for"));
		}

		@OnCleanup
		void cleanUp(Gear gear, Owned<Metadata<V1ConfigMap>> maps, Reconciliation<Gear> run) throws ApiException {
			for (Metadata<V1ConfigMap> map : maps.list()) {
				run.delete(map);
			}
		}

	}

	@Reconciler
	@Owns(value = V1ConfigMap.class, metadataOnly = true)
	static class ClassLevel {

		@Reconcile
		void reconcile(Gear gear, Reconciliation<Gear> run) throws ApiException {
			run.apply(child(gear));
		}

	}

	@InformerHandler
	static class MapHandler extends RecordingHandler {

		@OnAdd
		void added(Metadata<V1ConfigMap> map) {
			record("ADD", map);
		}

	}

}
