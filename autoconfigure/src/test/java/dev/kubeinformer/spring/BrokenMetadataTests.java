package dev.kubeinformer.spring;

import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the messages about invalid requests for metadata. */
@ExtendWith(OutputCaptureExtension.class)
class BrokenMetadataTests {

	private static final String NAMES_NOTHING = "is for 'Metadata' and says neither the class of the objects nor the name of their resource";

	private static final String NAME_IT = "such as 'Metadata<V1Pod>', or name the resource by plural, version and group";

	private static final String BOTH = "owns the objects of '" + V1Secret.class.getName() + "' whole and as metadata";

	static Stream<Arguments> misuses() {
		return Stream.of(
				Arguments.of(ClassOfMetadata.class, "names 'Metadata' instead of the class of the objects",
						"@InformerHandler(V1Pod.class), and use 'Metadata<V1Pod>'"),
				Arguments.of(OpenHandler.class, NAMES_NOTHING, NAME_IT),
				Arguments.of(RawHandler.class, NAMES_NOTHING, NAME_IT),
				Arguments.of(OpenLister.class, NAMES_NOTHING, NAME_IT),
				Arguments.of(RawLister.class, NAMES_NOTHING, NAME_IT),
				Arguments.of(NestedHandler.class, "which does not determine the resource of the metadata",
						"'Metadata<V1Pod>'"),
				Arguments.of(NestedLister.class, "which does not determine the resource", "'Lister<Metadata<V1Pod>>'"),
				Arguments.of(MixedHandler.class,
						"handles whole objects and metadata: '%s' and 'Metadata<%s>'".formatted(V1Pod.class.getName(),
								V1Pod.class.getName()),
						"Write one @InformerHandler for each"),
				Arguments.of(TwoHandler.class, "handles more than one type", "Write one @InformerHandler for each"),
				Arguments.of(NamedTwice.class, "names the resource 'pods.v1.' and is for '" + V1Pod.class.getName(),
						"remove the name"),
				Arguments.of(MetadataOnParameter.class,
						"whose @Owns says 'metadataOnly' on a parameter of 'Owned<V1Secret>'",
						"write the parameter as 'Owned<Metadata<V1Secret>>'"),
				Arguments.of(OwnsBoth.class, BOTH, "there is one watch for each class"),
				Arguments.of(OwnsBothByAnnotation.class, BOTH, "there is one watch for each class"),
				Arguments.of(OwnsMetadata.class, "has @Owns(Metadata.class) on its class", "metadataOnly = true"),
				Arguments.of(OwnsOpen.class, "whose parameter 'Owned<Metadata<?>>' has no model class",
						"Owned<Metadata<V1Deployment>>"),
				Arguments.of(OwnsItself.class, "owns objects of its own resource 'pods'", "@Watches method"),
				Arguments.of(ReconcilesMetadata.class, "reconciles only the metadata of objects",
						"Owned<Metadata<C>>, and Metadata<C> in @Watches methods"),
				Arguments.of(WatchesOpen.class, "whose parameters do not say what it watches",
						"the model class of what it watches or Metadata of it"));
	}

	@ParameterizedTest
	@MethodSource("misuses")
	void misuse(Class<?> type, String description, String action, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, type);
		assertThat(report.description()).contains(type.getName(), description);
		assertThat(report.action()).contains(action);
	}

	@InformerHandler(Metadata.class)
	static class ClassOfMetadata {

		@OnAdd
		void added(KubernetesObject object) {
		}

	}

	@InformerHandler
	static class OpenHandler {

		@OnAdd
		void added(Metadata<?> object) {
		}

	}

	@InformerHandler
	@SuppressWarnings("rawtypes")
	static class RawHandler {

		@OnAdd
		void added(Metadata object) {
		}

	}

	record OpenLister(Lister<Metadata<?>> lister) {

	}

	@SuppressWarnings("rawtypes")
	record RawLister(Lister<Metadata> lister) {

	}

	@InformerHandler
	static class NestedHandler {

		@OnAdd
		void added(Metadata<Metadata<V1Pod>> object) {
		}

	}

	record NestedLister(@InformerSource Lister<Metadata<Metadata<V1Pod>>> lister) {

	}

	@InformerHandler
	static class MixedHandler {

		@OnAdd
		void added(Metadata<V1Pod> pod) {
		}

		@OnDelete
		void removed(V1Pod pod) {
		}

	}

	@InformerHandler
	static class TwoHandler {

		@OnAdd
		void added(Metadata<V1Pod> pod) {
		}

		@OnDelete
		void removed(Metadata<V1Node> node) {
		}

	}

	@InformerHandler(resource = "pods.v1.")
	static class NamedTwice {

		@OnAdd
		void added(Metadata<V1Pod> pod) {
		}

	}

	@Reconciler
	static class MetadataOnParameter {

		@Reconcile
		void reconcile(V1Pod pod, @Owns(metadataOnly = true) Owned<V1Secret> secrets) {
		}

	}

	@Reconciler
	static class OwnsBoth {

		@Reconcile
		void reconcile(V1Pod pod, Owned<V1Secret> whole, Owned<Metadata<V1Secret>> described) {
		}

	}

	@Reconciler
	@Owns(value = V1Secret.class, metadataOnly = true)
	static class OwnsBothByAnnotation {

		@Reconcile
		void reconcile(V1Pod pod, Owned<V1Secret> whole) {
		}

	}

	@Reconciler
	@Owns(Metadata.class)
	static class OwnsMetadata {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler
	static class OwnsOpen {

		@Reconcile
		void reconcile(V1Pod pod, Owned<Metadata<?>> owned) {
		}

	}

	@Reconciler
	static class OwnsItself {

		@Reconcile
		void reconcile(V1Pod pod, Owned<Metadata<V1Pod>> owned) {
		}

	}

	@Reconciler
	static class ReconcilesMetadata {

		@Reconcile
		void reconcile(Metadata<V1Pod> pod) {
		}

	}

	@Reconciler
	static class WatchesOpen {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

		@Watches
		ObjectKey map(Metadata<?> object) {
			return ObjectKey.of(object);
		}

	}

}
