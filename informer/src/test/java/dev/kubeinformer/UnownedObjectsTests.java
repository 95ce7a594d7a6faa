package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PolicyRule;
import io.kubernetes.client.openapi.models.V1Secret;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Faults;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Objects that a reconciler writes without owning them.
 */
class UnownedObjectsTests {

	private static final Duration LONG = WidgetWorld.LONG;

	private static final String FINALIZER = "example.com/widgets";

	private final WidgetWorld world = new WidgetWorld();

	private final ApiResources<V1ClusterRole> roles = this.world.api.resources(V1ClusterRole.class);

	@AfterEach
	void stop() {
		this.world.close();
	}

	private static ReconcilerSpec<Widget> declared(ReconcilerSpec<Widget> spec) {
		return spec.withUnowned(FINALIZER, UnownedResource.of(V1ClusterRole.class))
			.withUnowned(FINALIZER, UnownedResource.of(V1ConfigMap.class));
	}

	private static V1ClusterRole role(String name) {
		return new V1ClusterRole().metadata(new V1ObjectMeta().name(name))
			.addRulesItem(new V1PolicyRule().addApiGroupsItem("").addResourcesItem("pods").addVerbsItem("get"));
	}

	private static Result write(Widget widget, Reconciliation<Widget> run) throws Exception {
		run.applyUnowned(role("role-" + widget.getMetadata().getName()));
		run.applyUnowned(WidgetWorld.child(widget)
			.metadata(new V1ObjectMeta().namespace("elsewhere").name(widget.getMetadata().getName())));
		return Result.done();
	}

	private ReconcilerContainer start() {
		return this.world.start(UnownedObjectsTests::write, UnownedObjectsTests::declared);
	}

	@Test
	void objectsShouldBeMarkedAndNotWrittenAgain() throws InterruptedException {
		Widget widget = this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		V1ObjectMeta role = this.roles.get("", "role-a").getMetadata();
		assertThat(role.getOwnerReferences()).isNullOrEmpty();
		assertThat(role.getLabels()).isEqualTo(Map.of(UnownedResource.PRIMARY_UID_LABEL, widget.getMetadata().getUid(),
				UnownedResource.RECONCILER_LABEL, "widgets"));
		assertThat(role.getAnnotations()).containsOnlyKeys(UnownedResource.PRIMARY_ANNOTATION,
				ReconcilerSpec.APPLIED_ANNOTATION);
		assertThat(role.getAnnotations()).containsEntry(UnownedResource.PRIMARY_ANNOTATION, "web/a");
		assertThat(this.world.configMaps.get("elsewhere", "a").getMetadata().getLabels()).isEqualTo(role.getLabels());
		this.world.api.clearRequests();
		container.trigger(WidgetWorld.key("a"));
		assertThat(container.awaitIdle(LONG)).isTrue();
		assertThat(this.world.writes()).isEmpty();
		assertThat(this.world.api.requests()).extracting(RecordedRequest::path)
			.noneMatch((path) -> path.endsWith("role-a"));
		this.roles.delete("", "role-a");
		await().until(() -> this.roles.get("", "role-a") != null);
	}

	@Test
	void objectsShouldBeDeletedBeforeTheirPrimaryAndNoOthers() throws InterruptedException {
		this.world.create("a");
		this.world.create("b");
		assertThat(start().awaitIdle(LONG)).isTrue();
		this.world.api.clearRequests();
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isNull();
		assertThat(this.world.configMaps.get("elsewhere", "a")).isNull();
		assertThat(this.roles.get("", "role-b")).isNotNull();
		assertThat(this.world.configMaps.get("elsewhere", "b")).isNotNull();
		// One of the same name begins anew.
		this.world.create("a");
		await().until(() -> this.roles.get("", "role-a") != null);
	}

	@Test
	void deletionShouldGoOnInAnotherProcessAndAfterAFailure() throws InterruptedException {
		Widget widget = this.world.create("a");
		assertThat(start().awaitIdle(LONG)).isTrue();
		this.world.restartProcess();
		this.world.delete("a");
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FINALIZER);
		this.world.api.faults()
			.on(Requests.list("clusterroles")
				.withParameter("labelSelector", UnownedResource.selector("widgets", widget.getMetadata().getUid())))
			.times(1)
			.status(500);
		start();
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isNull();
		assertThat(this.world.configMaps.get("elsewhere", "a")).isNull();
	}

	@Test
	void failingDeletionShouldNotRepeatTheCleanup() throws InterruptedException {
		this.world.create("a");
		AtomicInteger cleanups = new AtomicInteger();
		ReconcilerContainer container = this.world.start(UnownedObjectsTests::write,
				(spec) -> declared(spec).withCleanup(FINALIZER, (widget, run) -> {
					cleanups.incrementAndGet();
					return Result.done();
				}));
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.api.faults().on(Requests.delete("clusterroles")).times(2).status(500);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isNull();
		assertThat(cleanups).hasValue(1);
	}

	@Test
	void listThatLeadsNowhereShouldFailTheCleanup() throws InterruptedException {
		Widget widget = this.world.create("a");
		assertThat(start().awaitIdle(LONG)).isTrue();
		this.world.api.faults().on(ofPrimary("clusterroles", widget)).times(2).body(200, "application/json", """
				{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"continue":"x"},
				 "items":[]}""");
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isNull();
		assertThat(this.world.runs).extracting(ReconcileRun::error)
			.filteredOn(Objects::nonNull)
			.singleElement(InstanceOfAssertFactories.THROWABLE)
			.hasMessageContaining("clusterroles")
			.hasMessageContaining("a 'continue' token that it had before");
	}

	@Test
	void resourceThatIsSaidNotToBeServedForAMomentShouldStillBeDeleted() throws InterruptedException {
		Widget widget = this.world.create("a");
		assertThat(start().awaitIdle(LONG)).isTrue();
		this.world.api.faults().on(ofPrimary("clusterroles", widget)).times(1).status(404);
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isNull();
		assertThat(this.world.runs).extracting(ReconcileRun::error)
			.filteredOn(Objects::nonNull)
			.singleElement(InstanceOfAssertFactories.THROWABLE)
			.hasMessageContaining("clusterroles")
			.hasMessageContaining("may be left");
	}

	@Test
	void finalizerShouldStayWhileAnotherVersionIsServedAndGoWithTheResource() throws InterruptedException {
		Widget widget = this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Faults faults = this.world.api.faults();
		faults.on(ofPrimary("clusterroles", widget)).status(404);
		faults.on(at("/apis/rbac.authorization.k8s.io")).body(200, "application/json", """
				{"kind":"APIGroup","apiVersion":"v1","name":"rbac.authorization.k8s.io",
				 "versions":[{"groupVersion":"rbac.authorization.k8s.io/v2","version":"v2"}]}""");
		Fault served = faults.on(at("/apis/rbac.authorization.k8s.io/v2")).body(200, "application/json", """
				{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"rbac.authorization.k8s.io/v2",
				 "resources":[{"name":"clusterroles","kind":"ClusterRole","namespaced":false,"verbs":["list"]}]}""");
		this.world.delete("a");
		await().until(() -> !container.status().failing().isEmpty());
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FINALIZER);
		await().untilAsserted(() -> assertThat(this.world.runs).last()
			.satisfies((run) -> assertThat(run.error())
				.hasMessageContaining("'clusterroles.rbac.authorization.k8s.io' in 'v2' and not in 'v1'")));
		served.remove();
		faults.on(at("/apis/rbac.authorization.k8s.io/v2")).body(200, "application/json", """
				{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"rbac.authorization.k8s.io/v2",
				 "resources":[]}""");
		await().until(() -> this.world.get("a") == null);
	}

	@Test
	void finalizerShouldStayWhileDiscoveryIsNotAnswered() throws InterruptedException {
		Widget widget = this.world.create("a");
		ReconcilerContainer container = start();
		assertThat(container.awaitIdle(LONG)).isTrue();
		Faults faults = this.world.api.faults();
		// As a proxy without a server behind it.
		faults.on(ofPrimary("clusterroles", widget)).status(404);
		Fault proxy = faults.on((request) -> request.path().startsWith("/apis/rbac") || request.path().equals("/apis"))
			.status(404);
		this.world.delete("a");
		await().until(() -> !container.status().failing().isEmpty());
		assertThat(this.world.get("a").getMetadata().getFinalizers()).containsExactly(FINALIZER);
		proxy.remove();
		faults.on(at("/apis/rbac.authorization.k8s.io")).status(404);
		faults.on(at("/apis")).body(200, "application/json", """
				{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"example.com"}]}""");
		await().until(() -> this.world.get("a") == null);
	}

	private static Predicate<RecordedRequest> ofPrimary(String plural, Widget widget) {
		return Requests.list(plural)
			.withParameter("labelSelector", UnownedResource.selector("widgets", widget.getMetadata().getUid()));
	}

	private static Predicate<RecordedRequest> at(String path) {
		return (request) -> request.path().equals(path);
	}

	@Test
	void objectThatOthersMadeShouldBeRefusedAndStay() {
		V1ClusterRole foreign = this.roles.create(role("role-a"));
		this.world.create("a");
		ReconcilerContainer container = start();
		await().until(() -> !container.status().failing().isEmpty());
		assertThat(container.status().failing()).extracting(FailingKey::key).containsExactly(WidgetWorld.key("a"));
		assertThat(this.world.runs.get(0).error()).hasMessageContaining("'role-a' exists and was not written for");
		this.world.delete("a");
		await().until(() -> this.world.get("a") == null);
		assertThat(this.roles.get("", "role-a")).isEqualTo(foreign);
	}

	@Test
	void objectOfAnotherPrimaryShouldBeRefused() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			run.applyUnowned(role("shared"));
			return Result.done();
		}, UnownedObjectsTests::declared);
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.create("b");
		await().until(() -> !container.status().failing().isEmpty());
		assertThat(this.world.runs).last()
			.satisfies((run) -> assertThat(run.error()).hasMessageContaining("another or an earlier primary"));
	}

	@Test
	void labelThatWasRemovedShouldComeBack() throws InterruptedException {
		Widget widget = this.world.create("a");
		assertThat(start().awaitIdle(LONG)).isTrue();
		this.roles.edit("", "role-a", (role) -> role.getMetadata().setLabels(null));
		await().untilAsserted(() -> assertThat(this.roles.get("", "role-a").getMetadata().getLabels())
			.containsEntry(UnownedResource.PRIMARY_UID_LABEL, widget.getMetadata().getUid()));
	}

	@Test
	void objectsThatAreNotWantedAnyMoreShouldBeFound() throws InterruptedException {
		this.world.create("a");
		ReconcilerContainer container = this.world.start((widget, run) -> {
			String name = "role-" + widget.size();
			run.applyUnowned(role(name));
			for (V1ClusterRole each : run.unowned(V1ClusterRole.class).list()) {
				if (!name.equals(each.getMetadata().getName())) {
					run.delete(each);
				}
			}
			return Result.done();
		}, UnownedObjectsTests::declared);
		assertThat(container.awaitIdle(LONG)).isTrue();
		this.world.widgets.edit("web", "a", (widget) -> widget.size(2));
		await().until(() -> this.roles.get("", "role-1") == null);
		assertThat(this.roles.get("", "role-2")).isNotNull();
	}

	@Test
	void whatWouldNotBeDeletedShouldNotBeWritten() {
		this.world.create("a");
		ReconcilerContainer container = this.world.start(UnownedObjectsTests::write,
				(spec) -> spec.withUnowned(FINALIZER, UnownedResource.of(V1ClusterRole.class))
					.withUnowned(FINALIZER, UnownedResource.of(V1ConfigMap.class, "somewhere")));
		await().until(() -> !container.status().failing().isEmpty());
		assertThat(this.world.runs.get(0).error()).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("outside of the namespaces [somewhere]");
		container.close();
		this.world.runs.clear();
		this.world.start(UnownedObjectsTests::write);
		await().until(() -> !this.world.runs.isEmpty());
		assertThat(this.world.runs.get(0).error()).isInstanceOf(IllegalStateException.class)
			.hasMessageContaining("does not declare that it writes 'clusterroles.rbac.authorization.k8s.io'");
	}

	@Test
	void specShouldRefuseWhatCannotWork() {
		ReconcilerSpec<Widget> spec = declared(this.world.spec((widget, run) -> Result.done()));
		assertThat(spec.finalizer()).isEqualTo(FINALIZER);
		assertThat(spec.unowned()).hasSize(2);
		assertThat(spec.watched()).allMatch(spec::isUnowned);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> spec.withUnowned("example.com/other", UnownedResource.of(V1Secret.class)))
			.withMessageContaining("has the finalizer 'example.com/widgets'");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> spec.withUnowned(FINALIZER, UnownedResource.of(V1ClusterRole.class)))
			.withMessageContaining("already");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> spec.withCleanup("example.com/other", (widget, run) -> Result.done()));
		assertThat(UnownedResource.labelValue("_x_")).hasSize(32).isEqualTo(UnownedResource.labelValue("_x_"));
		assertThat(List.of(UnownedResource.labelValue("a".repeat(64)), UnownedResource.labelValue("widgets"))).first()
			.asString()
			.hasSize(32);
	}

}
