package dev.kubeinformer.internal.reconcile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.EventsV1Api;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ManagedFieldsEntry;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.PropagationPolicy;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Writes of a run against a real kube-apiserver. */
@RequiresCluster
class RunReconciliationClusterTests {

	private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);

	private final String namespace = "writer-test-" + UUID.randomUUID().toString().substring(0, 8);

	private CoreV1Api core;

	private ApiClient client;

	private TestRuns runs;

	private V1Deployment primary;

	private RunReconciliation<V1Deployment> run;

	@BeforeEach
	void connect(Path kubeconfig) throws IOException, ApiException {
		this.client = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.client);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.runs = new TestRuns(this.client);
		Caller caller = new Caller("other", this.runs.calls);
		V1PodTemplateSpec template = new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(Map.of("app", "web")))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("web").image("web:1")));
		V1Deployment deployment = new V1Deployment().apiVersion("apps/v1")
			.kind("Deployment")
			.metadata(new V1ObjectMeta().name("one").namespace(this.namespace))
			.spec(new V1DeploymentSpec().replicas(2)
				.selector(new V1LabelSelector().matchLabels(Map.of("app", "web")))
				.template(template));
		this.primary = this.runs.writes.apply(DEPLOYMENTS, new ObjectKey(this.namespace, "one"),
				this.runs.json.write(this.runs.json.tree(deployment)), caller);
		this.run = this.runs.run(DEPLOYMENTS, this.primary);
	}

	@AfterEach
	void disconnect() throws ApiException {
		this.core.deleteNamespace(this.namespace).execute();
	}

	private static V1ConfigMap map(String value) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().name("child")).data(Map.of("key", value));
	}

	@Test
	void childIsAppliedOwnedAndLeftAloneWhenNothingChanges() throws Exception {
		V1ConfigMap first = this.run.apply(map("a"));
		assertThat(first.getMetadata().getOwnerReferences()).singleElement()
			.extracting(V1OwnerReference::getUid)
			.isEqualTo(this.primary.getMetadata().getUid());
		this.runs.cache(ResourceType.of(V1ConfigMap.class), first);
		assertThat(this.run.apply(map("a"))).isSameAs(first);
		assertThat(this.run.apply(map("b")).getData()).isEqualTo(Map.of("key", "b"));
		// Fields of an earlier apply that this one does not name are removed.
		assertThat(this.run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name("child"))).getData())
			.isNullOrEmpty();
	}

	@Test
	void emptyCollectionsOfAModelTakeNothingAway() throws Exception {
		V1Service desired = new V1Service().metadata(new V1ObjectMeta().name("web"))
			.spec(new V1ServiceSpec().putSelectorItem("app", "web")
				.addPortsItem(new V1ServicePort().port(80).targetPort(new IntOrString("http"))));
		V1Service first = this.run.apply(desired);
		assertThat(first.getSpec().getClusterIPs()).isNotEmpty();
		this.run.patch(first, PatchFormat.MERGE, "{\"spec\":{\"externalIPs\":[\"1.2.3.4\"]}}");
		V1Service again = this.run.apply(desired);
		assertThat(again.getSpec().getExternalIPs()).containsExactly("1.2.3.4");
		assertThat(again.getSpec().getClusterIPs()).isEqualTo(first.getSpec().getClusterIPs());
	}

	@Test
	void childOfAnotherControllerIsRefusedByTheServer() throws Exception {
		V1ConfigMap foreign = map("a");
		foreign.getMetadata()
			.addOwnerReferencesItem(
					new V1OwnerReference().apiVersion("v1").kind("Gadget").name("g").uid("g").controller(true));
		this.core.createNamespacedConfigMap(this.namespace, foreign).execute();
		ApiException refused = catchThrowableOfType(ApiException.class, () -> this.run.apply(map("a")));
		assertThat(this.runs.writes.failure(refused).problem()).isEqualTo(Problem.INVALID);
		assertThat(refused).hasMessageContaining("metadata.ownerReferences");
	}

	@Test
	void statusIsPatchedAndAListOnlyInItsVersion() throws Exception {
		V1Deployment ready = this.run.status((object) -> object.getStatus().setReadyReplicas(0));
		V1DeploymentCondition condition = new V1DeploymentCondition().type("Available").status("True").reason("Up");
		V1Deployment returned = this.run.status((object) -> object.getStatus().setConditions(List.of(condition)));
		assertThat(returned.getStatus().getConditions()).hasSize(1);
		assertThat(this.run.status((object) -> object.getStatus().setConditions(List.of())).getStatus().getConditions())
			.isNullOrEmpty();
		RunReconciliation<V1Deployment> stale = this.runs.run(DEPLOYMENTS, ready);
		ApiException conflict = catchThrowableOfType(ApiException.class,
				() -> stale.status((object) -> object.getStatus().setConditions(List.of(condition))));
		assertThat(this.runs.writes.failure(conflict).problem()).isEqualTo(Problem.CONFLICT);
	}

	@Test
	void deletionTestsTheUid() throws Exception {
		V1ConfigMap first = this.run.create(map("a"));
		this.run.delete(first);
		this.run.delete(first);
		V1ConfigMap second = this.run.create(map("b"));
		this.run.delete(first);
		assertThat(this.core.readNamespacedConfigMap("child", this.namespace).execute().getMetadata().getUid())
			.isEqualTo(second.getMetadata().getUid());
	}

	@Test
	void propagationPolicyOfADeletionIsNotTheDefaultOfTheType() throws Exception {
		BatchV1Api batch = new BatchV1Api(this.client);
		this.run.delete(createJob(batch, "background"));
		ApiException gone = catchThrowableOfType(ApiException.class,
				() -> batch.readNamespacedJob("background", this.namespace).execute());
		assertThat(gone.getCode()).isEqualTo(404);
		DeleteOptions options = DeleteOptions.defaults();
		this.run.delete(createJob(batch, "orphan"), options.withPropagationPolicy(PropagationPolicy.ORPHAN));
		this.run.delete(createJob(batch, "foreground"), options.withPropagationPolicy(PropagationPolicy.FOREGROUND));
		createJob(batch, "default");
		batch.deleteNamespacedJob("default", this.namespace).execute();
		assertThat(finalizers(batch, "orphan")).containsExactly("orphan");
		assertThat(finalizers(batch, "foreground")).containsExactly("foregroundDeletion");
		assertThat(finalizers(batch, "default")).containsExactly("orphan");
		// A second deletion without a policy of its own ends none that is under way.
		this.run.delete(batch.readNamespacedJob("foreground", this.namespace).execute());
		assertThat(finalizers(batch, "foreground")).containsExactly("foregroundDeletion");
		V1Job read = createJob(batch, "changed");
		this.run.patch(read, PatchFormat.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
		ApiException changed = catchThrowableOfType(ApiException.class,
				() -> this.run.delete(read, options.ifUnchanged()));
		assertThat(this.runs.writes.failure(changed).problem()).isEqualTo(Problem.CONFLICT);
	}

	private V1Job createJob(BatchV1Api batch, String name) throws ApiException {
		V1PodTemplateSpec template = new V1PodTemplateSpec().spec(
				new V1PodSpec().restartPolicy("Never").addContainersItem(new V1Container().name("one").image("one:1")));
		V1Job job = new V1Job().metadata(new V1ObjectMeta().name(name)).spec(new V1JobSpec().template(template));
		return batch.createNamespacedJob(this.namespace, job).execute();
	}

	private List<String> finalizers(BatchV1Api batch, String name) throws ApiException {
		return batch.readNamespacedJob(name, this.namespace).execute().getMetadata().getFinalizers();
	}

	@Test
	void fieldsThatAnotherManagerLeftStayUntilItsEntryIsOneOfTheReconciler() throws Exception {
		V1ConfigMap both = map("a").data(Map.of("key", "a", "old", "b"));
		this.core.createNamespacedConfigMap(this.namespace, both).fieldManager("old-operator").execute();
		assertThat(this.run.apply(map("a")).getData()).containsKey("old");
		V1ConfigMap there = this.core.readNamespacedConfigMap("child", this.namespace).execute();
		int entry = there.getMetadata()
			.getManagedFields()
			.stream()
			.map(V1ManagedFieldsEntry::getManager)
			.toList()
			.indexOf("old-operator");
		String path = "/metadata/managedFields/" + entry;
		this.run.patch(there, PatchFormat.JSON,
				"""
						[{"op":"test","path":"%1$s/manager","value":"old-operator"},
						{"op":"replace","path":"%1$s/manager","value":"tester"},{"op":"replace","path":"%1$s/operation","value":"Apply"}]"""
					.formatted(path));
		assertThat(this.run.apply(map("c")).getData()).isEqualTo(Map.of("key", "c"));
	}

	@Test
	void unownedObjectsAreFoundAndDeleted() throws Exception {
		ReconcilerSpec<V1Deployment> spec = ReconcilerSpec.of("tester", DEPLOYMENTS, (object, each) -> Result.done())
			.withUnowned("example.com/tester", UnownedResource.of(V1ClusterRole.class));
		RunReconciliation<V1Deployment> unowning = this.runs.run(spec, this.primary);
		V1ClusterRole role = unowning
			.applyUnowned(new V1ClusterRole().metadata(new V1ObjectMeta().name(this.namespace)));
		assertThat(role.getMetadata().getOwnerReferences()).isNullOrEmpty();
		assertThat(unowning.applyUnowned(new V1ClusterRole().metadata(new V1ObjectMeta().name(this.namespace))))
			.isEqualTo(role);
		assertThatIllegalStateException().isThrownBy(
				() -> unowning.applyUnowned(new V1ClusterRole().metadata(new V1ObjectMeta().name("cluster-admin"))));
		Caller caller = new Caller("tester", this.runs.calls);
		new UnownedObjects(spec, this.primary).deleteAll(this.runs.writes, caller, this.runs);
		assertThat(this.runs.deleted).extracting((each) -> each.getMetadata().getUid())
			.containsExactly(role.getMetadata().getUid());
		assertThat(
				this.runs.writes.get(ResourceType.of(V1ClusterRole.class), new ObjectKey("", this.namespace), caller))
			.isNull();
	}

	@Test
	void eventsAreAccepted() throws Exception {
		this.run.event(EventType.WARNING, "Failed", "no");
		this.run.event(EventType.WARNING, "Failed", "no");
		EventsV1Event event = new EventsV1Api(this.client).listNamespacedEvent(this.namespace)
			.execute()
			.getItems()
			.get(0);
		assertThat(event.getSeries().getCount()).isEqualTo(2);
		assertThat(event.getNote()).isEqualTo("no");
	}

}
