package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1ClusterRole;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.ReconcileRun;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.bean.BeanScanner;
import dev.kubeinformer.spring.bean.WorkerThreads;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of reconcilers in running applications.
 */
class ReconcilerApplicationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<Gear> gears = Gear.serve(this.kubernetes);

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void annotatedReconcilerShouldKeepChildrenStatusAndFinalizer() {
		this.gears.create(Gear.of("one", 12));
		ApiResources<V1ConfigMap> maps = this.kubernetes.resources(V1ConfigMap.class);
		this.runner.withBean("gearReconciler", GearReconciler.class).run((context) -> {
			GearReconciler reconciler = context.getBean(GearReconciler.class);
			awaitIdle(context);
			assertThat(maps.get("web", "one").getData()).containsEntry("teeth", "12");
			assertThat(maps.get("web", "one").getMetadata().getOwnerReferences()).singleElement()
				.satisfies((owner) -> assertThat(owner.getController()).isTrue());
			assertThat(this.gears.get("web", "one").turns()).isEqualTo(1);
			assertThat(this.gears.get("web", "one").getMetadata().getFinalizers())
				.containsExactly("example.com/gearReconciler");
			assertThat(reconciler.threads).allMatch((name) -> name.contains("gearReconciler"));

			maps.delete("web", "one");
			awaitIdle(context);
			assertThat(maps.get("web", "one").getData()).containsEntry("teeth", "12");

			int before = reconciler.runs.get();
			this.kubernetes.resources(V1Secret.class)
				.create(new V1Secret()
					.metadata(new V1ObjectMeta().namespace("web").name("oil").putAnnotationsItem("for", "one")));
			awaitIdle(context);
			assertThat(reconciler.runs).hasValue(before + 1);

			new CustomObjectsApi(context.getBean(ApiClient.class))
				.deleteNamespacedCustomObject("example.com", "v1", "web", "gears", "one")
				.execute();
			awaitIdle(context);
			assertThat(reconciler.cleaned).containsExactly(new ObjectKey("web", "one"));
			assertThat(this.gears.get("web", "one")).isNull();
		});
	}

	@Test
	void objectsThatPrimariesCannotOwnShouldGoWithThem() {
		this.gears.create(Gear.of("one", 12));
		ApiResources<V1ClusterRole> roles = this.kubernetes.resources(V1ClusterRole.class);
		this.runner.withBean("roleReconciler", RoleReconciler.class).run((context) -> {
			awaitIdle(context);
			assertThat(roles.get("", "web-one").getMetadata().getLabels())
				.containsEntry("kubeinformer.dev/reconciler", "roleReconciler")
				.containsEntry("kubeinformer.dev/primary-uid", this.gears.get("web", "one").getMetadata().getUid());
			assertThat(this.gears.get("web", "one").getMetadata().getFinalizers())
				.containsExactly("example.com/roleReconciler");
			new CustomObjectsApi(context.getBean(ApiClient.class))
				.deleteNamespacedCustomObject("example.com", "v1", "web", "gears", "one")
				.execute();
			awaitIdle(context);
			assertThat(this.gears.get("web", "one")).isNull();
			assertThat(roles.get("", "web-one")).isNull();
		});
	}

	@Test
	void finalizerOfUnownedObjectsShouldBeConfigurableAndAllNamespacesShouldBeRefused() {
		this.runner.withBean("roleReconciler", RoleReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.roleReconciler.finalizer=example.com/other")
			.run((context) -> {
				ReconcilerSpec<?> spec = container(context, "roleReconciler").spec();
				assertThat(spec.finalizer()).isEqualTo("example.com/other");
				assertThat(spec.unowned()).hasSize(1);
			});
		this.runner.withBean("everywhere", EverywhereReconciler.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("has all namespaces as those of unowned objects"));
	}

	@Test
	void reconcilerShouldStartAndStopWithItsContextAndAlone() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withBean("gearReconciler", GearReconciler.class).run((context) -> {
			GearReconciler reconciler = context.getBean(GearReconciler.class);
			ReconcilerContainer container = container(context, "gearReconciler");
			awaitIdle(context);
			container.stop();
			int before = reconciler.runs.get();
			this.gears.edit("web", "one", (gear) -> gear.getSpec().setTeeth(13));
			assertThat(container.isRunning()).isFalse();
			container.start();
			awaitIdle(context);
			assertThat(reconciler.runs.get()).isGreaterThan(before);
			assertThat(this.kubernetes.resources(V1ConfigMap.class).get("web", "one").getData()).containsEntry("teeth",
					"13");
			context.getSourceApplicationContext().stop();
			assertThat(container.isRunning()).isFalse();
			context.getSourceApplicationContext().start();
			assertThat(container.isRunning()).isTrue();
			awaitIdle(context);
			assertThat(container.status().synced()).isTrue();
		});
	}

	@Test
	void reconcilerShouldUseTheInformersOfListers() {
		this.runner.withBean("requests", RequestReconciler.class).run((context) -> {
			awaitIdle(context);
			assertThat(context.getBean(Informers.class).all()).extracting((informer) -> informer.id())
				.containsExactlyInAnyOrder("gears.example.com", "nodes");
		});
	}

	@Test
	void injectedCachesShouldBeFilledBeforeTheFirstRun() {
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.gears.create(Gear.of("one", 12));
		this.runner.withBean("requests", RequestReconciler.class).run((context) -> {
			ReconcilerContainer container = container(context, "requests");
			await().until(() -> container.status().runs().active() == 1);
			assertThat(context.getBean(RequestReconciler.class).seen).isEmpty();
			this.kubernetes.faults().clear();
			await().until(() -> context.getBean(RequestReconciler.class).seen.equals(List.of("one 1 1")));
		});
	}

	@Test
	void reconcilersShouldStartWithInformersThatStartLater() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withBean("requests", RequestReconciler.class)
			.run((context) -> {
				ReconcilerContainer container = container(context, "requests");
				assertThat(container.isRunning()).isFalse();
				assertThat(this.kubernetes.requests()).isEmpty();
				context.getBean(Informers.class).start();
				await().until(container::isRunning);
				awaitIdle(context);
				assertThat(context.getBean(RequestReconciler.class).seen).hasSize(1);
			});
	}

	@Test
	void reconcilerThatDoesNotStartShouldBeStartedByHand() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withPropertyValues("kubernetes.reconcilers.requests.auto-startup=false")
			.withBean("requests", RequestReconciler.class)
			.run((context) -> {
				ReconcilerContainer container = container(context, "requests");
				assertThat(container.isRunning()).isFalse();
				assertThat(context.getBean(Reconcilers.class).details(container).autoStartup()).isFalse();
				container.start();
				awaitIdle(context);
				assertThat(context.getBean(RequestReconciler.class).seen).hasSize(1);
			});
	}

	@Test
	void failedAttemptsShouldBeGivenToTheErrorHandler() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withBean("failing", FailingReconciler.class)
			.withBean(Failures.class)
			.withPropertyValues("kubernetes.reconcilers.defaults.retry.delay=10ms")
			.run((context) -> {
				Failures failures = context.getBean(Failures.class);
				await().until(() -> failures.runs.size() == 2);
				awaitIdle(context);
				assertThat(failures.runs).extracting(ReconcileRun::attempt).containsExactly(1, 2);
				assertThat(failures.runs).extracting(ReconcileRun::outcome).containsOnly(RunOutcome.ERROR);
				assertThat(failures.runs.get(0).error()).isInstanceOf(IllegalStateException.class).hasMessage("no oil");
			});
	}

	@Test
	void writesByTheClientOfTheStarterShouldBeRecordedAndAnOwnClientLeftAlone() {
		this.runner.withBean("requests", RequestReconciler.class).run((context) -> {
			awaitIdle(context);
			assertThat(context.getBean(ApiClient.class).getHttpClient().interceptors())
				.filteredOn((interceptor) -> interceptor.getClass().getSimpleName().equals("OwnWriteInterceptor"))
				.hasSize(1);
		});
		ApiClient own = new ApiClient().setBasePath(this.kubernetes.url());
		int before = own.getHttpClient().interceptors().size();
		this.runner.withBean("requests", RequestReconciler.class)
			.withBean("own", ApiClient.class, () -> own)
			.run((context) -> {
				awaitIdle(context);
				assertThat(own.getHttpClient().interceptors()).hasSize(before);
			});
	}

	@Test
	void conditionShouldDecideOnUpdates() {
		this.gears.create(Gear.of("one", 12));
		this.runner.withBean("even", EvenReconciler.class).run((context) -> {
			EvenReconciler reconciler = context.getBean(EvenReconciler.class);
			awaitIdle(context);
			assertThat(reconciler.teeth).containsExactly(12);
			this.gears.edit("web", "one", (gear) -> gear.getSpec().setTeeth(13));
			awaitIdle(context);
			assertThat(reconciler.teeth).containsExactly(12);
			this.gears.edit("web", "one", (gear) -> gear.getSpec().setTeeth(14));
			awaitIdle(context);
			assertThat(reconciler.teeth).containsExactly(12, 14);
		});
	}

	@Test
	void childContextShouldHaveItsOwnReconcilersOnTheSameInformers() {
		this.runner.withBean("requests", RequestReconciler.class)
			.run((parent) -> InformerContextRunner.with(this.kubernetes)
				.withParent(parent)
				.withBean("even", EvenReconciler.class)
				.run((child) -> {
					assertThat(child.getBean(Informers.class)).isSameAs(parent.getBean(Informers.class));
					assertThat(child.getBean(ReconcilerRegistry.class).all()).extracting(ReconcilerContainer::id)
						.containsExactly("even");
					assertThat(parent.getBean(ReconcilerRegistry.class).all()).extracting(ReconcilerContainer::id)
						.containsExactly("requests");
					assertThat(child.getBean(Reconcilers.class).of(child.getBean(Informers.class)))
						.extracting(ReconcilerContainer::id)
						.containsExactly("requests", "even");
					assertThatIllegalArgumentException()
						.isThrownBy(() -> child.getBean(ReconcilerRegistry.class).get("other"))
						.withMessage("No reconciler has the id 'other'; the reconcilers are [even]");
					awaitIdle(child);
				}));
	}

	@Test
	void childContextShouldBeMadeAgainOnTheSameInformers() {
		this.runner.withBean("requests", RequestReconciler.class).run((parent) -> {
			for (int i = 0; i < 2; i++) {
				child(parent).withBean("even", EvenReconciler.class).run((child) -> {
					assertThat(child).hasNotFailed();
					awaitIdle(child);
				});
			}
			child(parent).withBean("even", EvenReconciler.class)
				.withBean(ApplicationListener.class, () -> (ApplicationListener<ContextRefreshedEvent>) (event) -> {
					throw new IllegalStateException("broken");
				})
				.run((child) -> assertThat(child).hasFailed());
			assertThat(parent.getBean(Informers.class).reconcilers().all()).extracting(ReconcilerContainer::id)
				.containsExactly("requests");
			child(parent).withBean("even", EvenReconciler.class).run((child) -> assertThat(child).hasNotFailed());
		});
	}

	@Test
	void reconcilersMadeBeforeAFailureShouldBeClosed() {
		this.runner.run((context) -> {
			Informers informers = context.getBean(Informers.class);
			List<String> made = new CopyOnWriteArrayList<>();
			assertThatIllegalStateException().isThrownBy(() -> finder(context, (spec) -> {
				if (made.size() == 1) {
					throw new IllegalStateException("no second one");
				}
				made.add(spec.id());
				return informers.controller(spec);
			}).find(context.getBean(ClusterRuntimes.class).all())).withMessage("no second one");
			assertThat(made).containsExactly("even");
			assertThat(informers.reconcilers().all()).isEmpty();
		});
	}

	private static ReconcilerFinder finder(AssertableApplicationContext context,
			Function<ReconcilerSpec<?>, ReconcilerContainer> containers) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("even", new RootBeanDefinition(EvenReconciler.class));
		beans.registerBeanDefinition("failing", new RootBeanDefinition(FailingReconciler.class));
		ClusterRuntimes clusters = context.getBean(ClusterRuntimes.class);
		ConfiguredSettings configured = context.getBean(ConfiguredSettings.class);
		ReconcilerBody body = new ReconcilerBody(beans, clusters, context.getBean(InjectedInformers.class), List.of());
		return new ReconcilerFinder(configured,
				new BeanScanner<>(beans, Reconciler.class, List.of(), InvalidReconcilerException::new),
				new ReconcilerDefinitionFactory(beans, body, WorkerThreads.of(context.getEnvironment()),
						context.getBean(LeaderElection.class)),
				new ReconcilerIdValidator(clusters, configured, context.getBean(InformerHandlers.class),
						context.getBean(Reconcilers.class)),
				List::of, (informers, spec) -> containers.apply(spec));
	}

	@Test
	void idsShouldBeUniqueAcrossContexts() {
		this.runner.withBean("requests", RequestReconciler.class)
			.withBean("nodeHandler", NodeHandler.class)
			.run((parent) -> {
				child(parent).withBean("re-quests", EvenReconciler.class)
					.run((child) -> assertThat(child.getStartupFailure()).isInstanceOf(InvalidReconcilerException.class)
						.hasMessageContaining("'re-quests', which is taken by the reconciler of bean 'requests'"));
				child(parent).withBean("nodehandler", EvenReconciler.class)
					.run((child) -> assertThat(child.getStartupFailure()).isInstanceOf(InvalidReconcilerException.class)
						.hasMessageContaining("'nodehandler', which is taken by the handler of bean 'nodeHandler'"));
				child(parent).withBean("Requests", NodeHandler.class)
					.run((child) -> assertThat(child.getStartupFailure())
						.isInstanceOf(InformerConfigurationException.class)
						.hasMessageContaining("'Requests', which is taken by the reconciler 'requests'"));
			});
	}

	private ApplicationContextRunner child(ApplicationContext parent) {
		return InformerContextRunner.with(this.kubernetes).withParent(parent);
	}

	private static void awaitIdle(AssertableApplicationContext context) throws InterruptedException {
		assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(LONG)).isTrue();
	}

	private static ReconcilerContainer container(AssertableApplicationContext context, String id) {
		return Objects.requireNonNull(context.getBean(ReconcilerRegistry.class).get(id));
	}

	@InformerHandler
	static class NodeHandler {

		@OnAdd
		void added(V1Node node) {
		}

	}

	@Reconciler
	static class GearReconciler {

		private final AtomicInteger runs = new AtomicInteger();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		private final List<ObjectKey> cleaned = new CopyOnWriteArrayList<>();

		@Reconcile
		Result reconcile(Reconciliation<Gear> run, Owned<V1ConfigMap> maps, Gear gear) throws ApiException {
			this.runs.incrementAndGet();
			this.threads.add(Thread.currentThread().getName());
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(run.key().name()))
				.data(Map.of("teeth", Integer.toString(gear.getSpec().getTeeth()))));
			run.status((now) -> Objects.requireNonNull(now.getStatus()).setTurns(maps.list().size()));
			return Result.done();
		}

		@Watches
		Stream<ObjectKey> oil(V1Secret secret) {
			Map<String, String> annotations = secret.getMetadata().getAnnotations();
			return (annotations != null) ? Stream.of(new ObjectKey("web", String.valueOf(annotations.get("for"))))
					: Stream.empty();
		}

		@OnCleanup
		void cleanUp(Gear gear) {
			this.cleaned.add(ObjectKey.of(gear));
		}

	}

	@Reconciler(unowned = V1ClusterRole.class)
	static class RoleReconciler {

		@Reconcile
		void reconcile(Gear gear, Reconciliation<Gear> run) throws ApiException {
			String name = gear.getMetadata().getNamespace() + "-" + gear.getMetadata().getName();
			run.applyUnowned(new V1ClusterRole().metadata(new V1ObjectMeta().name(name)));
		}

	}

	@Reconciler(unowned = V1ConfigMap.class, unownedNamespaces = "*")
	static class EverywhereReconciler {

		@Reconcile
		void reconcile(Gear gear) {
			// Does not start.
		}

	}

	@Reconciler
	static class RequestReconciler {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		private final Lister<V1Node> nodes;

		RequestReconciler(Lister<V1Node> nodes) {
			this.nodes = nodes;
		}

		@Reconcile
		void reconcile(ReconcileRequest<Gear> request) {
			assertThat(request.uid()).isNotBlank();
			this.seen.add(request.key().name() + " " + request.attempt() + " " + this.nodes.list().size());
		}

	}

	@Reconciler
	static class FailingReconciler {

		@Reconcile
		void reconcile(Gear gear, Reconciliation<Gear> run) {
			if (run.attempt() <= 2) {
				throw new IllegalStateException("no oil");
			}
		}

	}

	@Reconciler
	static class EvenReconciler {

		private final List<Integer> teeth = new CopyOnWriteArrayList<>();

		@Reconcile(condition = "#object.spec.teeth % 2 == 0 and #old.spec.teeth != #object.spec.teeth")
		void reconcile(Gear gear) {
			this.teeth.add(gear.getSpec().getTeeth());
		}

	}

	static class Failures implements InformerErrorHandler {

		private final List<ReconcileRun> runs = new CopyOnWriteArrayList<>();

		@Override
		public void handle(ResourceEvent<?> event, Throwable failure, InformerHandlerContainer handler) {
			throw new AssertionError("There is no handler");
		}

		@Override
		public void handleRun(ReconcileRun run, ReconcilerContainer reconciler) {
			this.runs.add(run);
		}

	}

}
