package dev.kubeinformer.spring.autoconfigure.definitions;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.apis.ApiextensionsV1Api;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionCondition;
import io.kubernetes.client.openapi.models.V1CustomResourceDefinitionStatus;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.definitions.CustomResourceDefinitions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.LeaderControls;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@code kubernetes.definitions}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DefinitionsApplyTests {

	private static final String DEFINITIONS = "customresourcedefinitions";

	private static final String WIDGETS = "widgets.example.com";

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withPropertyValues("kubernetes.definitions.apply=true");

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void definitionsShouldBeAppliedBeforeInformersConnect() {
		this.runner.withBean(WidgetReader.class).withBean(GearReconciler.class).run((context) -> {
			assertThat(context).hasNotFailed();
			await().atMost(Duration.ofSeconds(20)).until(() -> this.kubernetes.openWatches() == 2);
			assertThat(definition(WIDGETS)).isNotNull();
			assertThat(definition("gears.example.com")).isNotNull();
		});
		List<String> paths = this.kubernetes.requests().stream().map((request) -> request.path()).toList();
		assertThat(paths.indexOf("/apis/example.com/v1/widgets"))
			.isGreaterThan(paths.lastIndexOf("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + WIDGETS));
	}

	@Test
	void definitionsShouldNotBeAppliedByDefault() {
		this.runner.withPropertyValues("kubernetes.definitions.apply=")
			.withBean(WidgetReader.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.kubernetes.requests()).noneMatch(Requests.of(DEFINITIONS));
	}

	@Test
	void definitionThatIsUpToDateShouldNotBeWritten() {
		apply(Widget.class);
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.kubernetes.requests()).noneMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void compatibleChangeShouldBeApplied() {
		apply(Widget.class);
		this.runner.withBean(NewerReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(fields()).contains("color");
		});
	}

	@Test
	void definitionOfANewerReplicaShouldBeKept(CapturedOutput output) {
		apply(Widget.Newer.class);
		this.runner.withBean(WidgetReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(fields()).contains("color");
		});
		assertThat(output.getAll().lines())
			.anyMatch((line) -> line.contains("WARN") && line.contains("Keeping CustomResourceDefinition")
					&& line.contains("add the name once to 'kubernetes.definitions.accept-breaking-changes'"));
	}

	@Test
	void breakingChangeShouldBeRefused() {
		apply(Widget.class);
		this.runner.withBean(RetypedReader.class).run((context) -> {
			InformerConfigurationException failure = failure(context);
			assertThat(failure.getMessage()).contains("'widgets.example.com' is not changed")
				.contains("widgets.example.com v1 .spec.size had the type string and has integer");
			assertThat(failure.getAction())
				.contains("add 'widgets.example.com' to 'kubernetes.definitions.accept-breaking-changes'");
		});
		assertThat(this.kubernetes.requests()).noneMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void breakingChangeShouldBeAppliedIfItIsAccepted() {
		apply(Widget.class);
		this.runner.withBean(RetypedReader.class)
			.withPropertyValues("kubernetes.definitions.accept-breaking-changes=widgets.example.com")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.kubernetes.requests()).anyMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void definitionThatNoApplicationHasAppliedShouldNotBeChanged() {
		apply(Widget.class, "kubectl");
		this.runner.withBean(NewerReader.class).run((context) -> {
			InformerConfigurationException failure = failure(context);
			assertThat(failure.getMessage())
				.startsWith("The CustomResourceDefinition 'widgets.example.com' is not "
						+ "changed, because it differs from that of the class and was not applied by this application:")
				.contains("widgets.example.com v1 .spec.color was added");
			assertThat(failure.getAction()).isEqualTo(
					"If others own the definition, add 'widgets.example.com' to 'kubernetes.definitions.exclude'. "
							+ "To take it over, add the name once to 'kubernetes.definitions.accept-breaking-changes'.");
		});
		assertThat(this.kubernetes.requests()).noneMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void definitionThatNoApplicationHasAppliedShouldBeTakenOverIfItIsAccepted() {
		apply(Widget.class, "kubectl");
		this.runner.withBean(NewerReader.class)
			.withPropertyValues("kubernetes.definitions.accept-breaking-changes=widgets.example.com")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(fields()).contains("color");
		this.runner.withBean(NewerReader.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void equalDefinitionThatNoApplicationHasAppliedShouldBeLeftAlone() {
		apply(Widget.class, "kubectl");
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.kubernetes.requests()).noneMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void definitionThatChangesInTheMeantimeShouldBeComparedAgain() {
		apply(Widget.class);
		String old = JSON.serialize(definition(WIDGETS));
		apply(Widget.Newer.class);
		this.kubernetes.faults().on(Requests.get(DEFINITIONS)).times(1).body(200, "application/json", old);
		this.runner.withBean(RetypedReader.class)
			.withPropertyValues("kubernetes.definitions.accept-breaking-changes=widgets.example.com")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.kubernetes.requests()
			.stream()
			.filter(Requests.of(DEFINITIONS))
			.map(RecordedRequest::method)
			.limit(4)
			.toList()).containsExactly("GET", "PATCH", "GET", "PATCH");
	}

	@Test
	void changeOfAnotherReplicaInTheMeantimeShouldNotBeUndone() {
		apply(Widget.class);
		String old = JSON.serialize(definition(WIDGETS));
		apply(Widget.Retyped.class);
		this.kubernetes.faults().on(Requests.get(DEFINITIONS)).times(1).body(200, "application/json", old);
		this.runner.withBean(NewerReader.class)
			.run((context) -> assertThat(failure(context).getMessage())
				.contains("'widgets.example.com' is not changed"));
		assertThat(fields()).doesNotContain("color");
	}

	@Test
	void definitionThatIsBeingDeletedShouldNotPreventTheStart(CapturedOutput output) {
		V1CustomResourceDefinition definition = CustomResourceDefinitions.of(Widget.Newer.class).all().get(0);
		definition.getMetadata().setDeletionTimestamp(OffsetDateTime.now());
		this.kubernetes.faults()
			.on(Requests.get(DEFINITIONS))
			.body(200, "application/json", JSON.serialize(definition));
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.definitions.timeout=1s")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output)
			.contains("CustomResourceDefinition 'widgets.example.com' in cluster 'default' is being deleted "
					+ "and is not applied");
		assertThat(this.kubernetes.requests()).noneMatch(Requests.patch(DEFINITIONS));
	}

	@Test
	void definitionOfOthersShouldNotBeGenerated() {
		this.runner.withBean(TreeReader.class)
			.withPropertyValues("kubernetes.definitions.exclude=trees.example.com")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void classOfABuiltInResourceShouldNotBeDefined() {
		this.runner.withBean(DeploymentReader.class).withBean(MapReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(RequiredRoles.of(context, context.getEnvironment()).in("default", List.of()).toString())
				.doesNotContain(DEFINITIONS);
		});
		assertThat(this.kubernetes.requests()).noneMatch(Requests.of(DEFINITIONS));
	}

	@Test
	void definitionOfOthersShouldNotBeApplied() {
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.definitions.exclude=widgets.example.com")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(definition(WIDGETS)).isNull();
				assertThat(RequiredRoles.of(context, context.getEnvironment()).in("default", List.of()).toString())
					.doesNotContain(DEFINITIONS);
			});
	}

	@Test
	void missingRightShouldBeNamed() {
		try (EmbeddedKubernetes limited = EmbeddedKubernetes.builder()
			.user("app", "t0ken", (user) -> user.allow("list,watch", "widgets"))
			.start()) {
			InformerContextRunner.with(limited)
				.withPropertyValues("kubernetes.definitions.apply=true", "kubernetes.client.token=t0ken")
				.withBean(WidgetReader.class)
				.run((context) -> {
					InformerConfigurationException failure = failure(context);
					assertThat(failure.getMessage())
						.startsWith("Cannot apply the CustomResourceDefinition 'widgets.example.com': HTTP 403: ");
					assertThat(failure.getAction())
						.contains("Grant a ClusterRole with apiGroups: [\"apiextensions.k8s.io\"], "
								+ "resources: [\"customresourcedefinitions\"], "
								+ "resourceNames: [\"widgets.example.com\"], verbs: [\"get\", \"create\", \"patch\"]",
								"'kubernetes.definitions.apply'");
				});
		}
	}

	@Test
	void rolesShouldHaveTheRights() {
		this.runner.withBean(WidgetReader.class).withBean(GearReconciler.class).run((context) -> {
			List<Map<String, Object>> roles = RequiredRoles.of(context, context.getEnvironment())
				.in("default", List.of());
			assertThat(roles.get(0).get("rules").toString()).contains("resources=[customresourcedefinitions], "
					+ "resourceNames=[gears.example.com, widgets.example.com], verbs=[get, create, patch]");
		});
	}

	@Test
	void serverThatDoesNotAnswerShouldFailTheStartInTime() {
		this.kubernetes.faults().on(Requests.get(DEFINITIONS)).freeze();
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.definitions.timeout=300ms")
			.run((context) -> {
				InformerConfigurationException failure = failure(context);
				assertThat(failure.getMessage()).contains("'widgets.example.com': ").endsWith("after 300ms");
				assertThat(failure.getAction()).contains("'kubernetes.definitions.timeout'");
			});
	}

	@Test
	void failureOfTheServerShouldBeRetried() {
		this.kubernetes.faults().on(Requests.get(DEFINITIONS)).times(2).status(503);
		this.kubernetes.faults().on(Requests.patch(DEFINITIONS)).times(1).status(409);
		this.runner.withBean(WidgetReader.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(definition(WIDGETS)).isNotNull();
		});
	}

	@Test
	void definitionThatIsNotEstablishedShouldFailTheStart() {
		answerWith(condition("Established", "False", "not all names are accepted"));
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.definitions.timeout=3s")
			.run((context) -> assertThat(failure(context).getMessage())
				.contains("it is not established (not all names are accepted) after 3s"));
	}

	@Test
	void namesThatAreNotAcceptedShouldBeRefusedInTheWordsOfTheServer() {
		answerWith(condition("NamesAccepted", "False", "\"WidgetList\" is already in use"));
		this.runner.withBean(WidgetReader.class)
			.withPropertyValues("kubernetes.definitions.timeout=1s")
			.run((context) -> {
				InformerConfigurationException failure = failure(context);
				assertThat(failure.getMessage()).isEqualTo("Cannot apply the CustomResourceDefinition "
						+ "'widgets.example.com': the API server does not accept its names: \"WidgetList\" is already in use");
				assertThat(failure.getAction()).startsWith("Rename the kind");
			});
	}

	private static V1CustomResourceDefinitionCondition condition(String type, String status, String message) {
		return new V1CustomResourceDefinitionCondition().type(type).status(status).message(message);
	}

	private void answerWith(V1CustomResourceDefinitionCondition condition) {
		V1CustomResourceDefinition definition = CustomResourceDefinitions.of(Widget.class).all().get(0);
		definition.setStatus(new V1CustomResourceDefinitionStatus().addConditionsItem(condition));
		this.kubernetes.faults()
			.on(Requests.get(DEFINITIONS))
			.body(200, "application/json", JSON.serialize(definition));
	}

	@Test
	void namesThatAreAcceptedLaterShouldBeAwaited() {
		V1CustomResourceDefinition definition = CustomResourceDefinitions.of(Widget.class).all().get(0);
		definition.setStatus(new V1CustomResourceDefinitionStatus()
			.addConditionsItem(condition("NamesAccepted", "False", "\"WidgetList\" is already in use")));
		String refused = JSON.serialize(definition);
		apply(Widget.class);
		this.kubernetes.faults().on(Requests.get(DEFINITIONS)).times(2).body(200, "application/json", refused);
		this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void classWithoutADefinitionShouldBeNamed() {
		this.runner.withBean(TreeReader.class).run((context) -> {
			InformerConfigurationException failure = failure(context);
			assertThat(failure.getMessage()).contains("Widget$Tree", "children");
			assertThat(failure.getAction()).contains("'kubernetes.definitions.apply'");
		});
	}

	@Test
	void missingGeneratorShouldBeNamed() {
		this.runner.withBean(WidgetReader.class)
			.withClassLoader(new FilteredClassLoader(CustomResourceDefinitions.class))
			.run((context) -> {
				InformerConfigurationException failure = failure(context);
				assertThat(failure.getMessage()).contains("'kubernetes.definitions.apply' is true");
				assertThat(failure.getAction()).contains("'dev.kubeinformer:kubernetes-informer-definitions'");
			});
	}

	@Test
	void timeoutShouldBeBounded() {
		this.runner.withPropertyValues("kubernetes.definitions.timeout=2m")
			.run((context) -> assertThat(failure(context).getMessage())
				.isEqualTo("'kubernetes.definitions.timeout' is '120s'; it must be between 1ms and 60s"));
	}

	@Test
	void replicaThatDoesNotLeadShouldApplyDefinitions() {
		this.kubernetes.leader().revoke("default", "app");
		this.runner.withBean(GearReconciler.class)
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.leader.lease.name=app",
					"kubernetes.leader.lease.namespace=default")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				await().atMost(Duration.ofSeconds(20)).until(() -> definition("gears.example.com") != null);
				assertThat(this.kubernetes.leader().holder("default", "app")).isEqualTo(LeaderControls.RIVAL);
			});
	}

	@Test
	void replicasShouldBeAbleToStartAtOnce() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(3);
		try {
			CountDownLatch ready = new CountDownLatch(3);
			List<Future<?>> replicas = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				replicas.add(executor.submit(() -> {
					ready.countDown();
					ready.await(10, TimeUnit.SECONDS);
					this.runner.withBean(WidgetReader.class).run((context) -> assertThat(context).hasNotFailed());
					return null;
				}));
			}
			for (Future<?> replica : replicas) {
				replica.get(30, TimeUnit.SECONDS);
			}
			assertThat(definition(WIDGETS)).isNotNull();
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	void eachClusterShouldGetWhatIsUsedThere() {
		try (EmbeddedKubernetes edge = EmbeddedKubernetes.start()) {
			this.runner.withPropertyValues("kubernetes.clusters.edge.url=" + edge.url())
				.withBean(WidgetReader.class)
				.withBean(EdgeGearHandler.class)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					await().atMost(Duration.ofSeconds(20)).until(() -> edge.openWatches() == 1);
					assertThat(edge.resources(V1CustomResourceDefinition.class).list())
						.extracting((definition) -> definition.getMetadata().getName())
						.containsExactly("gears.example.com");
					assertThat(definition("gears.example.com")).isNull();
				});
		}
	}

	@Test
	void startShouldNotWaitForTheDefinitionsOfAnotherCluster() {
		try (EmbeddedKubernetes edge = EmbeddedKubernetes.start()) {
			edge.faults().on(Requests.get(DEFINITIONS)).times(1).freeze();
			this.runner
				.withPropertyValues("kubernetes.clusters.edge.url=" + edge.url(),
						"kubernetes.definitions.timeout=500ms")
				.withBean(WidgetReader.class)
				.withBean(EdgeGearHandler.class)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					await().atMost(Duration.ofSeconds(20)).until(() -> edge.openWatches() == 1);
				});
		}
	}

	@Test
	void stopShouldEndThePreparationOfACluster() {
		try (EmbeddedKubernetes edge = EmbeddedKubernetes.start()) {
			Fault unavailable = edge.faults().on(Requests.get(DEFINITIONS)).status(503);
			this.runner
				.withPropertyValues("kubernetes.clusters.edge.url=" + edge.url(), "kubernetes.definitions.timeout=60s")
				.withBean(EdgeGearHandler.class)
				.run((context) -> await().atMost(Duration.ofSeconds(20)).until(() -> unavailable.hits() > 0));
			await().atMost(Duration.ofSeconds(20))
				.until(() -> Thread.getAllStackTraces()
					.keySet()
					.stream()
					.noneMatch((thread) -> thread.getName().equals("informers-start-edge")));
		}
	}

	private void apply(Class<?> type) {
		apply(type, DefinitionRequests.FIELD_MANAGER);
	}

	private void apply(Class<?> type, String manager) {
		V1CustomResourceDefinition definition = CustomResourceDefinitions.of(type).all().get(0);
		ApiextensionsV1Api api = new ApiextensionsV1Api(Config.fromUrl(this.kubernetes.url()));
		try {
			PatchUtils.patch(V1CustomResourceDefinition.class,
					() -> api.patchCustomResourceDefinition(WIDGETS, new V1Patch(JSON.serialize(definition)))
						.fieldManager(manager)
						.force(true)
						.buildCall(null),
					V1Patch.PATCH_FORMAT_APPLY_YAML, api.getApiClient());
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex.getResponseBody(), ex);
		}
		await().atMost(Duration.ofSeconds(20)).until(() -> definition(WIDGETS) != null);
		this.kubernetes.clearRequests();
	}

	private @Nullable V1CustomResourceDefinition definition(String name) {
		return this.kubernetes.resources(V1CustomResourceDefinition.class).get(name);
	}

	private Iterable<String> fields() {
		return definition(WIDGETS).getSpec()
			.getVersions()
			.get(0)
			.getSchema()
			.getOpenAPIV3Schema()
			.getProperties()
			.get("spec")
			.getProperties()
			.keySet();
	}

	private static InformerConfigurationException failure(AssertableApplicationContext context) {
		Throwable failure = context.getStartupFailure();
		while (failure != null && !(failure instanceof InformerConfigurationException)) {
			failure = failure.getCause();
		}
		assertThat(failure).isNotNull();
		return (InformerConfigurationException) failure;
	}

	record WidgetReader(Lister<Widget> widgets) {
	}

	record NewerReader(Lister<Widget.Newer> widgets) {
	}

	record RetypedReader(Lister<Widget.Retyped> widgets) {
	}

	record TreeReader(Lister<Widget.Tree> trees) {
	}

	record DeploymentReader(Lister<Widget.Deployed> deployments) {
	}

	record MapReader(Lister<Widget.Mapped> maps) {
	}

	@Reconciler
	static class GearReconciler {

		@Reconcile
		void reconcile(Widget.Gear gear, Reconciliation<Widget.Gear> run) {
		}

	}

	@InformerHandler(cluster = "edge")
	static class EdgeGearHandler {

		@OnAdd
		void onAdd(ResourceEvent<Widget.Gear> event) {
		}

	}

}
