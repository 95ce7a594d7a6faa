package dev.kubeinformer.spring;

import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests of annotations that are composed of those of the starter.
 */
class ComposedAnnotationTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false");

	@ParameterizedTest
	@ValueSource(
			classes = { InformerHandler.class, InformerSource.class, LeaderOnly.class, OnAdd.class, OnCleanup.class,
					OnDelete.class, OnUpdate.class, Owns.class, Reconcile.class, Reconciler.class, Watches.class })
	void eachAnnotationMayStandOnAnAnnotation(Class<? extends Annotation> type) {
		assertThat(type.getAnnotation(Target.class).value()).containsAnyOf(ElementType.TYPE,
				ElementType.ANNOTATION_TYPE);
	}

	@Test
	void methodWithAComposedAnnotationShouldBeCalledForEachOfItsEvents() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			InformerContextRunner.with(kubernetes).withBean(UpsertHandler.class).run((context) -> {
				UpsertHandler handler = context.getBean(UpsertHandler.class);
				await().until(() -> handler.calls().equals(List.of("stored one")));
				kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "skipped"));
				kubernetes.resources(V1Pod.class).delete("web", "one");
				await().until(() -> handler.calls().equals(List.of("stored one", "removed one")));
			});
		}
	}

	@Test
	void composedHandlerShouldHaveTheAttributesThatItsAnnotationPassesOn() {
		this.runner.withBean("handler", NightlyHandler.class).run((context) -> {
			InformerHandlerContainer container = context.getBean(InformerHandlerRegistry.class).get("nightly");
			assertThat(container.options().resync()).isEqualTo(Duration.ofHours(24));
			assertThat(container.spec().namespaces()).containsExactly("web");
		});
	}

	@Test
	void composedAnnotationsOfAReconcilerShouldDeclareWhatTheyAreComposedOf() {
		this.runner.withBean("gears", GearReconciler.class).run((context) -> {
			ReconcilerSpec<?> spec = context.getBean(ReconcilerRegistry.class).get("gears").spec();
			assertThat(spec.namespaces()).containsExactly("factory");
			assertThat(spec.finalizer()).isEqualTo("example.com/cleared");
			assertThat(spec.updateCondition()).hasToString("#object.metadata.generation > 1");
			assertThat(spec.owned()).extracting((owned) -> owned.type().name(), OwnedResource::labelSelector)
				.containsExactlyInAnyOrder(tuple("secrets", "app=gear"), tuple("services", null),
						tuple("configmaps", "part=gear"));
			assertThat(spec.watched()).singleElement().satisfies((watched) -> {
				assertThat(watched.type().name()).isEqualTo("nodes");
				assertThat(watched).extracting(WatchedResource::labelSelector).isEqualTo("role=worker");
			});
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { SourceParameter.class, SourceField.class })
	void composedSourceShouldNarrow(Class<?> reader) {
		this.runner.withBean(reader)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).singleElement()
				.satisfies((informer) -> {
					assertThat(informer.spec().namespaces()).containsExactly("kube-system");
					assertThat(informer.spec().labelSelector()).isEqualTo("app=dns");
				}));
	}

	@Test
	void composedSourceOnAFieldThatIsNotInjectedShouldFail() {
		this.runner.withBean(UnreadSource.class)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("field 'dns'")
				.hasMessageContaining("is not read"));
	}

	@Test
	void nearestAnnotationShouldHold() {
		this.runner.withBean("handler", OverridingHandler.class)
			.run((context) -> assertThat(context.getBean(InformerHandlerRegistry.class).get("handler")).isNotNull());
	}

	@Test
	void annotationsThatSayDifferentThingsOfOneEventShouldFail() {
		this.runner.withBean("handler", DividedHandler.class)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContaining("'void stored(V1Pod)'")
				.hasMessageContaining("several @OnUpdate annotations")
				.hasMessageContaining("@OnUpsert and @OnChange"));
		this.runner.withBean("reconciler", DividedReconciler.class)
			.run((context) -> assertThat(context.getStartupFailure()).hasMessageContaining("'void reconcile(V1Pod)'")
				.hasMessageContaining("several @Reconcile annotations"));
	}

	@OnAdd
	@OnUpdate
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnUpsert {

		@AliasFor(annotation = OnAdd.class, attribute = "condition")
		String added() default "";

		@AliasFor(annotation = OnUpdate.class, attribute = "condition")
		String updated() default "";

	}

	@OnUpsert(updated = "#event.generationChanged()")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnNewGeneration {

		@AliasFor(annotation = OnUpsert.class, attribute = "added")
		String added() default "";

	}

	@OnUpdate(condition = "#event.generationChanged()")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnChange {

	}

	@OnDelete
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnGone {

	}

	@InformerHandler(resync = "24h")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Nightly {

		@AliasFor(annotation = InformerHandler.class)
		String id();

		@AliasFor(annotation = InformerHandler.class)
		String[] namespaces() default {};

	}

	@Reconciler(namespaces = "factory")
	@Owns(value = V1Secret.class, labelSelector = "app=gear")
	@Owns(V1Service.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface FactoryReconciler {

	}

	@Reconcile
	@Retention(RetentionPolicy.RUNTIME)
	@interface ReconcileIf {

		@AliasFor(annotation = Reconcile.class, attribute = "condition")
		String value();

	}

	@OnCleanup(finalizer = "example.com/cleared")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Clear {

	}

	@Watches
	@Retention(RetentionPolicy.RUNTIME)
	@interface WatchesRole {

		@AliasFor(annotation = Watches.class, attribute = "labelSelector")
		String value();

	}

	@Owns(labelSelector = "part=gear")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OwnsPart {

	}

	@InformerSource(namespaces = "kube-system")
	@Retention(RetentionPolicy.RUNTIME)
	@interface SystemSource {

		@AliasFor(annotation = InformerSource.class)
		String labelSelector() default "";

	}

	@InformerHandler
	static class UpsertHandler extends RecordingHandler {

		@OnNewGeneration(added = "#object.metadata.name != 'skipped'")
		void stored(V1Pod pod) {
			record("stored", pod);
		}

		@OnGone
		void removed(V1Pod pod) {
			if (!"skipped".equals(pod.getMetadata().getName())) {
				record("removed", pod);
			}
		}

	}

	@Nightly(id = "nightly", namespaces = "web")
	static class NightlyHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	@FactoryReconciler
	static class GearReconciler {

		@ReconcileIf("#object.metadata.generation > 1")
		void reconcile(V1Pod pod, @OwnsPart Owned<V1ConfigMap> parts) {
		}

		@Clear
		void clear(V1Pod pod) {
		}

		@WatchesRole("role=worker")
		List<ObjectKey> on(V1Node node) {
			return List.of();
		}

	}

	record SourceParameter(@SystemSource(labelSelector = "app=dns") Lister<V1Pod> dns) {

	}

	static class SourceField {

		@Autowired
		@SystemSource(labelSelector = "app=dns")
		private Lister<V1Pod> dns;

		Lister<V1Pod> dns() {
			return this.dns;
		}

	}

	static class UnreadSource {

		@SystemSource
		private final Lister<V1Pod> dns;

		UnreadSource(Lister<V1Pod> dns) {
			this.dns = dns;
		}

		Lister<V1Pod> dns() {
			return this.dns;
		}

	}

	@InformerHandler
	static class OverridingHandler {

		@OnUpsert
		@OnUpdate(condition = "#event.generationChanged()")
		void stored(V1Pod pod) {
		}

	}

	@InformerHandler
	static class DividedHandler {

		@OnUpsert
		@OnChange
		void stored(V1Pod pod) {
		}

	}

	@Reconcile(condition = "#object.metadata.generation > 2")
	@Retention(RetentionPolicy.RUNTIME)
	@interface ReconcileOther {

	}

	@Reconciler
	static class DividedReconciler {

		@ReconcileOther
		@ReconcileIf("#object.metadata.generation > 1")
		void reconcile(V1Pod pod) {
		}

	}

}
