package dev.kubeinformer.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of replicas of an application that share the objects, on a server that knows no
 * shards.
 */
@Tag("slow")
class ShardedApplicationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int TOTAL = 3;

	private static final int OBJECTS = 18;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<Gear> gears = Gear.serve(this.kubernetes);

	private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void eachObjectShouldBeHandledAndReconciledInOneReplica(ShardKey key) throws InterruptedException {
		create(0);
		IntStream.range(0, TOTAL).forEach((index) -> start(index, "--kubernetes.informers.shard.key=" + key));
		create(1);
		await().atMost(LONG).until(() -> handled().size() >= 2 * OBJECTS);
		for (ConfigurableApplicationContext replica : this.replicas) {
			assertThat(replica.getBean(ReconcilerRegistry.class).awaitIdle(LONG)).isTrue();
		}
		assertThat(handled()).doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(keys(this.kubernetes.resources(V1Pod.class)));
		List<ObjectKey> reconciled = this.replicas.stream()
			.flatMap((replica) -> replica.getBean(GearReconciler.class).keys.stream().distinct())
			.toList();
		assertThat(reconciled).doesNotHaveDuplicates()
			.containsExactlyInAnyOrderElementsOf(keys(this.gears))
			.containsExactlyInAnyOrderElementsOf(keys(this.kubernetes.resources(V1ConfigMap.class)));
		assertThat(this.replicas).allSatisfy((replica) -> {
			assertThat(replica.getBean(GearReconciler.class).keys).isNotEmpty();
			Listers listers = replica.getBean(Listers.class);
			assertThat(listers.own.list()).hasSameSizeAs(replica.getBean(PodHandler.class).added);
			// By a watch of its own, for which nobody has waited.
			await().untilAsserted(() -> assertThat(listers.all.list()).hasSize(2 * OBJECTS));
		});
	}

	@Test
	void eachShardShouldHaveALeaderOfItsOwn() {
		for (int index : List.of(0, 1, 1)) {
			start(index, "--kubernetes.informers.shard.key=uid", "--kubernetes.leader.enabled=true",
					"--kubernetes.leader.lease.namespace=shop", "--spring.application.name=web");
		}
		await().atMost(LONG).until(() -> leaders().equals(List.of("web-0", "web-1")));
		ApiResources<V1Lease> leases = this.kubernetes.resources(V1Lease.class);
		assertThat(keys(leases)).containsExactlyInAnyOrder(new ObjectKey("shop", "web-0"),
				new ObjectKey("shop", "web-1"));
		ConfigurableApplicationContext replica = this.replicas.get(1);
		assertThat(replica.getBean(LeaderElector.class).status().name()).isEqualTo("web-1");
		assertThat(RequiredRoles.toYaml(RequiredRoles.of(replica, replica.getEnvironment()).in("default", List.of())))
			.contains("web-0", "web-1", "web-2")
			.doesNotContain("web-3");
	}

	private List<String> leaders() {
		return this.replicas.stream()
			.filter((replica) -> replica.getBean(Leadership.class).isLeader())
			.map((replica) -> replica.getBean(LeaderElector.class).spec().name())
			.sorted()
			.toList();
	}

	private List<ObjectKey> handled() {
		return this.replicas.stream().flatMap((replica) -> replica.getBean(PodHandler.class).added.stream()).toList();
	}

	private static List<ObjectKey> keys(ApiResources<?> resources) {
		return resources.list().stream().map(ObjectKey::of).toList();
	}

	private void create(int round) {
		for (int i = 0; i < OBJECTS; i++) {
			// The hash is weak where only the last characters differ.
			String namespace = i + "-shop";
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod(namespace, "pod-" + round));
			Gear gear = Gear.of("gear-" + round, 3);
			gear.getMetadata().setNamespace(namespace);
			this.gears.create(gear);
		}
	}

	private void start(int index, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		Stream.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> all.add("--" + property));
		all.addAll(List.of("--kubernetes.client.url=" + this.kubernetes.url(),
				"--kubernetes.informers.shard.index=" + index, "--kubernetes.informers.shard.total=" + TOTAL,
				"--kubernetes.informers.startup.wait-for-sync=true"));
		this.replicas.add(new SpringApplicationBuilder(Replica.class).web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new)));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ PodHandler.class, GearReconciler.class, Listers.class })
	static class Replica {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		final List<ObjectKey> added = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			this.added.add(ObjectKey.of(pod));
		}

	}

	@Reconciler(id = "gearReconciler")
	static class GearReconciler {

		final List<ObjectKey> keys = new CopyOnWriteArrayList<>();

		@Reconcile
		void reconcile(Gear gear, Owned<V1ConfigMap> maps, Reconciliation<Gear> run) throws ApiException {
			this.keys.add(ObjectKey.of(gear));
			run.apply(new V1ConfigMap().metadata(new V1ObjectMeta().name(gear.getMetadata().getName())));
			assertThat(maps.list()).hasSizeLessThan(2);
		}

	}

	static class Listers {

		final Lister<V1Pod> own;

		final Lister<V1Pod> all;

		Listers(Lister<V1Pod> own, @InformerSource(sharded = "false") Lister<V1Pod> all) {
			this.own = own;
			this.all = all;
		}

	}

}
