package dev.kubeinformer.spring;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the messages about invalid reconcilers. */
@ExtendWith(OutputCaptureExtension.class)
class BrokenReconcilerTests {

	private static final String RUN = "Give the method the return type 'Result' or 'void'";

	private static final String MAP = "ObjectKey, Collection<ObjectKey> or Stream<ObjectKey>";

	static Stream<Arguments> misuses() {
		return Stream.of(
				Arguments.of(NoMethod.class, "has no @Reconcile method", "Annotate the method with @Reconcile"),
				Arguments.of(TwoMethods.class, "has 2 @Reconcile methods: 'void one(V1Pod)' and 'void two(V1Pod)'",
						"Keep one @Reconcile method"),
				Arguments.of(TwoCleanups.class, "has 2 @OnCleanup methods: 'void one(V1Pod)' and 'void two(V1Pod)'",
						"Keep one @OnCleanup method"),
				Arguments.of(RawOwned.class,
						"has the method 'void reconcile(V1Pod, Owned)', whose parameter 'Owned' has no model class",
						"Owned<V1Deployment>"),
				Arguments.of(UnresolvableOwned.class, "whose parameter 'Owned<C>' has no model class",
						"Owned<V1Deployment>"),
				Arguments.of(OwnsOwnType.class, "owns objects of its own resource 'pods'", "@Watches method"),
				Arguments.of(OwnsGadgets.class, "names a class without resource: ", "@KubernetesResource"),
				Arguments.of(ReconcilesGadgets.class, "names a class without resource: ", "@KubernetesResource"),
				Arguments.of(WatchesGadgets.class, "names a class without resource: ", "@KubernetesResource"),
				Arguments.of(OwnsClusterScoped.class,
						"owns 'clusterroles.rbac.authorization.k8s.io', which are cluster-scoped, by 'pods', which are in namespaces",
						"The garbage collector would delete them"),
				Arguments.of(WrongReturn.class,
						"has the method 'String reconcile(V1Pod)', whose return type is 'java.lang.String'", RUN),
				Arguments.of(RawRequest.class,
						"has the method 'void reconcile(ReconcileRequest)', whose parameter 'ReconcileRequest' has no type argument",
						"ReconcileRequest<V1Pod>"),
				Arguments.of(AbstractObject.class, "which names no primary resource", "@Reconciler(V1Pod.class)"),
				Arguments.of(NoObject.class, "which takes neither the object nor a request for it", RUN),
				Arguments.of(TwoObjects.class, "which takes more than one object or request", RUN),
				Arguments.of(StrangeParameter.class, "whose parameter 1 is of type 'java.lang.String'", RUN),
				Arguments.of(TwoTypes.class,
						"reconciles objects of more than one type: 'io.kubernetes.client.openapi.models.V1Node' and 'io.kubernetes.client.openapi.models.V1Pod'",
						"Write one @Reconciler for each type"),
				Arguments.of(OwnsNothing.class, "has @Owns without a model class on its class",
						"@Owns(V1Deployment.class)"),
				Arguments.of(OwnsInTwoWays.class,
						"narrows what it owns of '" + V1ConfigMap.class.getName() + "' in two ways",
						"Write @Owns once"),
				Arguments.of(OtherOwns.class,
						"whose @Owns names '" + V1Deployment.class.getName()
								+ "' on a parameter of 'Owned<V1ConfigMap>'",
						"Leave the class out"),
				Arguments.of(MapsToStrings.class,
						"has the method 'List<String> map(V1Node)', which does not return keys of what it concerns",
						MAP),
				Arguments.of(RawMap.class, "which does not return keys of what it concerns", MAP),
				Arguments.of(MapsNothing.class, "whose parameters do not say what it watches", MAP),
				Arguments.of(MapsAll.class, "which watches all namespaces, while its reconciler has [web]",
						"Name namespaces in @Watches"),
				Arguments.of(BadFinalizer.class,
						"has the method 'void cleanUp(V1Pod)', whose finalizer the API server would reject: 'Example.com/x y' is not a finalizer",
						"@OnCleanup(finalizer = \"...\")"),
				Arguments.of(LongFinalizer.class, "whose finalizer the API server would reject: 'kubeinformer.dev/a",
						"@OnCleanup(finalizer = \"...\")"),
				Arguments.of(BadCondition.class,
						"whose condition '#pod.metadata != null' is not a SpEL expression over #object and #old: There is no '#pod'",
						"#object.metadata.generation != #old.metadata.generation"),
				Arguments.of(ConditionAndStatus.class, "which sets both 'condition' and 'onStatus'",
						"Keep one of the two"),
				Arguments.of(BadStatusFlag.class, "has the onStatus 'perhaps'; 'true' or 'false' is needed",
						"Correct the value"),
				Arguments.of(BadId.class, "has the id 'my.id'", "letters, digits, '-' and '_'"),
				Arguments.of(ReservedId.class, "has the id 'defaults'", "other than 'defaults'"),
				Arguments.of(IdOfInformer.class, "has the id 'pods', which is taken by the informer 'pods'",
						"Give the reconciler another id"),
				Arguments.of(NegativeResync.class,
						"has the resync '-1s'; zero or a duration between 1ms and 3650d is needed",
						"Correct the value"));
	}

	@ParameterizedTest
	@MethodSource("misuses")
	void misuse(Class<?> type, String description, String action, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, type);
		assertThat(report.description()).contains("@Reconciler bean '", type.getName(), description);
		assertThat(report.action()).contains(action);
	}

	@Test
	void prototype(CapturedOutput output) {
		assertThat(BrokenApplication.start(output, PrototypeBean.class).description())
			.contains("has the scope 'prototype', so there is no single bean to call");
	}

	@Test
	void idOfAHandler(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, SameIds.class);
		assertThat(report.description()).contains("@Reconciler bean 'reconciler'",
				"has the id 'same-id', which is taken by the handler of bean 'handler'; case, '-' and '_' are ignored");
		assertThat(report.action()).contains("@Reconciler(id = \"...\")");
	}

	@Test
	void keyWithoutReconciler(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class,
				"--kubernetes.reconcilers.podReconcilr.concurrency=2");
		assertThat(report.description()).isEqualTo(
				"The configuration has 'kubernetes.reconcilers.podReconcilr', but no reconciler has the id 'podReconcilr'");
		assertThat(report.action()).startsWith("Did you mean 'podReconciler'? Correct the key")
			.contains("'kubernetes.reconcilers.defaults'");
	}

	@ParameterizedTest
	@CsvSource({ "concurrency,8,concurrency", "minInterval,1s,min-interval", "retry.max-delay,1s,retry.max-delay",
			"own-writes.timeout,1s," })
	void settingInThePlaceOfAnId(String name, String value, String meant, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class,
				"--kubernetes.reconcilers.%s=%s".formatted(name, value));
		if (meant != null) {
			assertThat(report.description()).startsWith("'kubernetes.reconcilers.")
				.endsWith(" is a setting, not an id of a reconciler");
			assertThat(report.action())
				.startsWith("Did you mean 'kubernetes.reconcilers.defaults.%s'?".formatted(meant));
		}
		else {
			// It may be the timeout of a reconciler of that id.
			assertThat(report.description()).contains("no reconciler has the id 'own-writes'");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "enabled", "podReconciler" })
	void valueInThePlaceOfAnId(String name, CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class,
				"--kubernetes.reconcilers.%s=true".formatted(name));
		assertThat(report.description()).startsWithIgnoringCase("'kubernetes.reconcilers." + name + "'")
			.endsWith(" is a setting, not an id of a reconciler");
		assertThat(report.action()).startsWith("Settings of all reconcilers are below");
	}

	@ParameterizedTest
	@CsvSource({ "timeout,-1s,must be between 1ms and 3650d", "timeout,0s,must be between 1ms and 3650d",
			"resync,-1h,must be zero or between 1ms and 3650d",
			"min-interval,-5s,must be zero or between 1ms and 3650d",
			"own-writes.timeout,-1s,must be between 1ms and 3650d", "retry.delay,-1s,must be between 1ms and 3650d",
			"retry.max-delay,-1s,must be between 1ms and 3650d", "retry.jitter,1.5,must be a number from 0 to 1",
			"retry.multiplier,0.5,'must be a number, and at least 1'", "concurrency,0,must be at least 1" })
	void valueOutOfRange(String property, String value, String rule, CapturedOutput output) {
		for (String key : List.of("kubernetes.reconcilers.defaults." + property,
				"kubernetes.reconcilers.podReconciler." + property)) {
			BrokenApplication report = BrokenApplication.start(output, PodReconciler.class, "--" + key + "=" + value);
			assertThat(report.description()).startsWith("'" + key + "' is '").endsWith("'; it " + rule);
			assertThat(report.action()).startsWith("Correct the property '" + key + "'");
		}
	}

	@Test
	void finalizerWithoutCleanup(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class,
				"--kubernetes.reconcilers.podReconciler.finalizer=example.com/pods");
		assertThat(report.description()).contains(
				"has the finalizer 'example.com/pods' in 'kubernetes.reconcilers.podReconciler.finalizer', but neither an @OnCleanup method nor unowned objects");
		assertThat(report.action()).startsWith("Remove the property");
	}

	@Test
	void verbThatIsNone(CapturedOutput output) {
		BrokenApplication report = BrokenApplication.start(output, PodReconciler.class,
				"--kubernetes.reconcilers.podReconciler.owned-verbs=get,Foo bar");
		assertThat(report.description())
			.startsWith("'kubernetes.reconcilers.podReconciler.owned-verbs' is '[get, Foo bar]'; it must");
	}

	@Reconciler
	static class NoMethod {

	}

	@Reconciler
	static class TwoMethods {

		@Reconcile
		void one(V1Pod pod) {
		}

		@Reconcile
		void two(V1Pod pod) {
		}

	}

	@Reconciler
	static class TwoCleanups extends PodReconciler {

		@OnCleanup
		void one(V1Pod pod) {
		}

		@OnCleanup
		void two(V1Pod pod) {
		}

	}

	@Reconciler
	static class RawOwned {

		@Reconcile
		@SuppressWarnings("rawtypes")
		void reconcile(V1Pod pod, Owned owned) {
		}

	}

	@Reconciler
	static class UnresolvableOwned<C extends KubernetesObject> {

		@Reconcile
		void reconcile(V1Pod pod, Owned<C> owned) {
		}

	}

	@Reconciler
	static class OwnsOwnType {

		@Reconcile
		void reconcile(V1Pod pod, Owned<V1Pod> owned) {
		}

	}

	@Reconciler
	static class OwnsGadgets {

		@Reconcile
		void reconcile(V1Pod pod, Owned<Gadget> owned) {
		}

	}

	@Reconciler
	static class ReconcilesGadgets {

		@Reconcile
		void reconcile(Gadget gadget) {
		}

	}

	@Reconciler
	static class WatchesGadgets extends PodReconciler {

		@Watches
		ObjectKey map(Gadget gadget) {
			return ObjectKey.of(gadget);
		}

	}

	@Reconciler
	static class OwnsClusterScoped {

		@Reconcile
		void reconcile(V1Pod pod, Owned<V1ClusterRole> owned) {
		}

	}

	@Reconciler
	static class WrongReturn {

		@Reconcile
		String reconcile(V1Pod pod) {
			return "";
		}

	}

	@Reconciler
	static class RawRequest {

		@Reconcile
		@SuppressWarnings("rawtypes")
		void reconcile(ReconcileRequest request) {
		}

	}

	@Reconciler
	static class AbstractObject {

		@Reconcile
		void reconcile(KubernetesObject object) {
		}

	}

	@Reconciler
	static class NoObject {

		@Reconcile
		void reconcile(Reconciliation<V1Pod> run) {
		}

	}

	@Reconciler
	static class TwoObjects {

		@Reconcile
		void reconcile(V1Pod pod, ReconcileRequest<V1Pod> request) {
		}

	}

	@Reconciler
	static class StrangeParameter {

		@Reconcile
		void reconcile(V1Pod pod, String text) {
		}

	}

	@Reconciler
	static class TwoTypes {

		@Reconcile
		void reconcile(V1Pod pod, Reconciliation<V1Node> run) {
		}

	}

	@Owns
	@Reconciler
	static class OwnsNothing extends PodReconciler {

	}

	@Owns(value = V1ConfigMap.class, labelSelector = "app=a")
	@Reconciler
	static class OwnsInTwoWays {

		@Reconcile
		void reconcile(V1Pod pod, @Owns(labelSelector = "app=b") Owned<V1ConfigMap> owned) {
		}

	}

	@Reconciler
	static class OtherOwns {

		@Reconcile
		void reconcile(V1Pod pod, @Owns(V1Deployment.class) Owned<V1ConfigMap> owned) {
		}

	}

	@Reconciler
	static class MapsToStrings extends PodReconciler {

		@Watches
		List<String> map(V1Node node) {
			return List.of();
		}

	}

	@Reconciler
	static class RawMap extends PodReconciler {

		@Watches
		@SuppressWarnings("rawtypes")
		Collection map(V1Node node) {
			return List.of();
		}

	}

	@Reconciler
	static class MapsNothing extends PodReconciler {

		@Watches
		Stream<ObjectKey> map(V1Node node, V1Pod pod) {
			return Stream.empty();
		}

	}

	@Reconciler(namespaces = "web")
	static class MapsAll extends PodReconciler {

		@Watches(namespaces = "*")
		Stream<ObjectKey> map(V1ConfigMap map) {
			return Stream.empty();
		}

	}

	@Reconciler
	static class BadFinalizer extends PodReconciler {

		@OnCleanup(finalizer = "Example.com/x y")
		void cleanUp(V1Pod pod) {
		}

	}

	@Reconciler(id = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	static class LongFinalizer extends PodReconciler {

		@OnCleanup
		void cleanUp(V1Pod pod) {
		}

	}

	@Reconciler
	static class BadCondition {

		@Reconcile(condition = "#pod.metadata != null")
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler
	static class ConditionAndStatus {

		@Reconcile(condition = "true", onStatus = "true")
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler
	static class BadStatusFlag {

		@Reconcile(onStatus = "perhaps")
		void reconcile(V1Pod pod) {
		}

	}

	@Reconciler(id = "my.id")
	static class BadId extends PodReconciler {

	}

	@Reconciler(id = "defaults")
	static class ReservedId extends PodReconciler {

	}

	@Reconciler(id = "pods")
	static class IdOfInformer extends PodReconciler {

	}

	@Reconciler(resync = "-1s")
	static class NegativeResync extends PodReconciler {

	}

	@Reconciler(id = "podReconciler")
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	static class PrototypeBean {

		@Bean
		@Scope("prototype")
		PodReconciler reconciler() {
			return new PodReconciler();
		}

	}

	static class SameIds {

		@Bean
		@Reconciler(id = "same-id")
		PodReconciler reconciler() {
			return new PodReconciler();
		}

		@Bean
		PodHandler handler() {
			return new PodHandler();
		}

	}

	@InformerHandler(id = "sameId")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

}
