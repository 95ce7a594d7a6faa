package dev.kubeinformer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentList;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a process which continues the work of another one writes only differences.
 * Each primary has three children.
 */
class HandoverTests {

	private static final int WIDGETS = 40;

	private final WidgetWorld world = new WidgetWorld();

	private final List<Informers> others = new ArrayList<>();

	private final List<LeaderElector> electors = new ArrayList<>();

	@AfterEach
	void close() {
		this.others.forEach(HandoverTests::stop);
		this.electors.forEach(LeaderElector::stop);
		this.world.close();
	}

	private static void stop(Informers informers) {
		informers.reconcilers().all().forEach(ReconcilerContainer::stop);
		informers.close();
	}

	private void createWidgets() {
		IntStream.range(0, WIDGETS).forEach((i) -> this.world.widgets.create(Widget.of("ns-" + i % 8, "w" + i, i)));
	}

	private Informers process() {
		Informers informers = EngineTestSupport.informers(this.world.api.url());
		this.others.add(informers);
		return informers;
	}

	private ReconcilerContainer start(Informers informers, ReconcilerSpec<Widget> spec) {
		ReconcilerContainer container = informers.controller(spec);
		container.start();
		return container;
	}

	private ReconcilerSpec<Widget> spec() {
		return this.world.spec(HandoverTests::reconcile)
			.withOwned(V1Deployment.class)
			.withOwned(V1Service.class)
			.withOwned(V1ConfigMap.class);
	}

	private static Result reconcile(Widget widget, Reconciliation<Widget> run) throws ApiException {
		String name = widget.getMetadata().getName();
		run.apply(WidgetWorld.child(widget));
		run.apply(new V1Service().metadata(new V1ObjectMeta().name(name))
			.spec(new V1ServiceSpec().putSelectorItem("app", name)
				.addPortsItem(new V1ServicePort().name("http").port(80).targetPort(new IntOrString("http")))
				.addPortsItem(new V1ServicePort().name("metrics").port(81).targetPort(new IntOrString(8081)))));
		V1Container container = new V1Container().name("web")
			.image("web:" + widget.size())
			.addEnvItem(new V1EnvVar().name("SIZE").value(Integer.toString(widget.size())))
			.addEnvItem(new V1EnvVar().name("EMPTY").value(""))
			.addPortsItem(new V1ContainerPort().name("http").containerPort(8080))
			.resources(new V1ResourceRequirements().putLimitsItem("memory", new Quantity("0.5Gi"))
				.putRequestsItem("cpu", new Quantity("1000m")));
		run.apply(new V1Deployment().metadata(new V1ObjectMeta().name(name).labels(Map.of("app", name)))
			.spec(new V1DeploymentSpec().replicas(2)
				.selector(new V1LabelSelector().matchLabels(Map.of("app", name)))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(Map.of("app", name)))
					.spec(new V1PodSpec().addContainersItem(container)))));
		return Result.done();
	}

	private void awaitIdle(ReconcilerContainer container) throws InterruptedException {
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		assertThat(container.status().failing()).isEmpty();
	}

	private List<String> written() {
		return this.world.writes()
			.stream()
			.map(RecordedRequest::path)
			.filter((path) -> !path.contains("/leases"))
			.toList();
	}

	private void requireChildren() {
		assertThat(this.world.configMaps.list()).hasSize(WIDGETS);
		assertThat(this.world.api.resources(V1Service.class).list()).hasSize(WIDGETS);
		assertThat(this.world.api.resources(V1Deployment.class).list()).hasSize(WIDGETS);
	}

	private void edit(String name, String patch) {
		int number = Integer.parseInt(name.substring(1));
		GenericKubernetesApi<V1ConfigMap, V1ConfigMapList> maps = new GenericKubernetesApi<>(V1ConfigMap.class,
				V1ConfigMapList.class, "", "v1", "configmaps", EngineTestSupport.client(this.world.api.url()));
		assertThat(maps.patch("ns-" + number % 8, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, new V1Patch(patch))
			.isSuccess()).isTrue();
	}

	private void editDeployment(String name, String patch) {
		int number = Integer.parseInt(name.substring(1));
		GenericKubernetesApi<V1Deployment, V1DeploymentList> deployments = new GenericKubernetesApi<>(
				V1Deployment.class, V1DeploymentList.class, "apps", "v1", "deployments",
				EngineTestSupport.client(this.world.api.url()));
		assertThat(
				deployments.patch("ns-" + number % 8, name, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, new V1Patch(patch))
					.isSuccess())
			.isTrue();
	}

	/** Edits applied fields of two children, and other fields of two more. */
	private void editSome() {
		edit("w3", "{\"data\":{\"size\":\"99\"}}");
		editDeployment("w12", "{\"spec\":{\"replicas\":7}}");
		edit("w20", "{\"data\":{\"foreign\":\"1\"}}");
		editDeployment("w21", "{\"metadata\":{\"labels\":{\"foreign\":\"1\"}},\"spec\":{\"minReadySeconds\":5}}");
		this.world.api.clearRequests();
	}

	private void requireOnlyEditsAreUndone() {
		assertThat(written()).containsExactlyInAnyOrder("/api/v1/namespaces/ns-3/configmaps/w3",
				"/apis/apps/v1/namespaces/ns-4/deployments/w12");
		assertThat(this.world.configMaps.get("ns-3", "w3").getData()).containsEntry("size", "3");
		assertThat(this.world.api.resources(V1Deployment.class).get("ns-4", "w12").getSpec().getReplicas())
			.isEqualTo(2);
		assertThat(this.world.configMaps.get("ns-4", "w20").getData()).containsKey("foreign");
		assertThat(this.world.api.resources(V1Deployment.class).get("ns-5", "w21").getSpec().getMinReadySeconds())
			.isEqualTo(5);
	}

	@Test
	void restartShouldWriteWhatOthersHaveEditedMeanwhileAndNothingElse() throws InterruptedException {
		createWidgets();
		Informers first = process();
		awaitIdle(start(first, spec()));
		requireChildren();
		stop(first);
		editSome();
		awaitIdle(start(process(), spec()));
		requireOnlyEditsAreUndone();
	}

	@Test
	void newLeaderShouldWriteNothing() throws InterruptedException {
		createWidgets();
		LeaderElector first = elector();
		ReconcilerContainer leading = start(process(), spec().withLeadership(first));
		EngineTestSupport.await().until(first::isLeader);
		awaitIdle(leading);
		requireChildren();
		LeaderElector second = elector();
		ReconcilerContainer next = start(process(), spec().withLeadership(second));
		awaitIdle(next);
		this.world.api.clearRequests();
		this.world.runs.clear();
		first.stop();
		EngineTestSupport.await().until(second::isLeader);
		EngineTestSupport.await().until(() -> this.world.runs.size() >= WIDGETS);
		awaitIdle(next);
		assertThat(written()).isEmpty();
	}

	@Test
	void newLeaderShouldWriteWhatOthersHaveEditedWhileNobodyLed() throws InterruptedException {
		createWidgets();
		ScriptedLeadership first = new ScriptedLeadership();
		ReconcilerContainer leading = start(process(), spec().withLeadership(first));
		ScriptedLeadership second = new ScriptedLeadership();
		ReconcilerContainer next = start(process(), spec().withLeadership(second));
		first.grant();
		awaitIdle(leading);
		requireChildren();
		first.lose();
		editSome();
		second.grant();
		awaitIdle(next);
		requireOnlyEditsAreUndone();
	}

	/** A leader that leads again has written before, and others have since. */
	@Test
	void leaderThatLeadsAgainShouldWriteNothing() throws InterruptedException {
		createWidgets();
		ScriptedLeadership first = new ScriptedLeadership();
		ReconcilerContainer one = start(process(), spec().withLeadership(first));
		ScriptedLeadership second = new ScriptedLeadership();
		ReconcilerContainer other = start(process(), spec().withLeadership(second));
		first.grant();
		awaitIdle(one);
		first.lose();
		edit("w3", "{\"data\":{\"size\":\"99\"}}");
		second.grant();
		awaitIdle(other);
		second.lose();
		this.world.api.clearRequests();
		first.grant();
		awaitIdle(one);
		assertThat(written()).isEmpty();
		assertThat(this.world.configMaps.get("ns-3", "w3").getData()).containsEntry("size", "3");
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void newOwnerOfAShardShouldWriteNothing(ShardKey key) throws InterruptedException {
		createWidgets();
		List<Informers> before = startShards(key, 2);
		requireChildren();
		before.forEach(HandoverTests::stop);
		this.world.api.clearRequests();
		startShards(key, 3);
		assertThat(written()).isEmpty();
	}

	/** A replica that gains slots again has written before, and others have since. */
	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void newHolderOfSlotsShouldWriteNothing(ShardKey key) throws InterruptedException {
		createWidgets();
		List<ManualShards> shards = List.of(new ManualShards(new Slots(key, 4)), new ManualShards(new Slots(key, 4)));
		List<ReconcilerContainer> containers = shards.stream()
			.map((each) -> start(process(), spec().withShards(each)))
			.toList();
		shards.get(0).gainAll();
		awaitIdle(containers.get(0));
		requireChildren();
		shards.get(1).membership().begin();
		shards.get(1).settle();
		awaitIdle(containers.get(1));
		this.world.api.clearRequests();
		for (int i = 0; i < 2; i++) {
			this.world.runs.clear();
			assertThat(shards.get(i).move(0, 1, 2, 3)).isTrue();
			shards.get(1 - i).gainAll();
			awaitIdle(containers.get(1 - i));
			assertThat(this.world.runs).hasSizeGreaterThanOrEqualTo(WIDGETS);
			assertThat(written()).isEmpty();
			edit("w3", "{\"data\":{\"size\":\"99\"}}");
			EngineTestSupport.await().until(() -> written().size() == 2);
			awaitIdle(containers.get(1 - i));
			assertThat(this.world.configMaps.get("ns-3", "w3").getData()).containsEntry("size", "3");
			this.world.api.clearRequests();
		}
	}

	private List<Informers> startShards(ShardKey key, int total) throws InterruptedException {
		List<Informers> processes = new ArrayList<>();
		List<ReconcilerContainer> containers = new ArrayList<>();
		for (int index = 0; index < total; index++) {
			Informers informers = process();
			processes.add(informers);
			containers.add(start(informers, spec().withShard(new Shard(key, index, total))));
		}
		for (ReconcilerContainer container : containers) {
			awaitIdle(container);
		}
		return processes;
	}

	private LeaderElector elector() {
		LeaderElector elector = LeaderElector.of(() -> ElectorRig.client(this.world.api.url()),
				LeaderSpec.of("default", "app")
					.withTimes(ElectorRig.PATIENT_DURATION, ElectorRig.PATIENT_DEADLINE, ElectorRig.RETRY_PERIOD));
		this.electors.add(elector);
		elector.start();
		return elector;
	}

}
