package dev.kubeinformer.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.InformerSyncTimeoutException;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.rbac.RequiredRoles;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests of replicas of an application between which slots move.
 */
class MovingShardsApplicationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int OBJECTS = 24;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);

	private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.kubernetes.close();
	}

	@Test
	void eachObjectShouldBeOnOneReplicaWhileReplicasComeAndGo() {
		create("before");
		ConfigurableApplicationContext first = start("web-1");
		await().atMost(LONG).until(() -> share(first).size() == OBJECTS);
		ConfigurableApplicationContext second = start("web-2");
		await().atMost(LONG).until(() -> shards(second).slots().size() == 4);
		await().atMost(LONG).untilAsserted(() -> assertDivided(OBJECTS));
		assertThat(shards(first).members()).extracting(ShardMember::name).containsExactly("web-1", "web-2");
		create("after");
		await().atMost(LONG).untilAsserted(() -> assertDivided(2 * OBJECTS));
		V1Pod moved = this.pods.get("0-shop", "before");
		// A replica knows the new holder of a slot from the next renewal of its Lease.
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(shards(first).ownerOf(moved)).isNotNull()
				.extracting(ShardMember::name)
				.isEqualTo(shards(second).ownerOf(moved).name()));

		PodHandler handler = first.getBean(PodHandler.class);
		first.close();
		await().atMost(LONG).until(() -> shards(second).slots().size() == 8);
		await().atMost(LONG).until(() -> share(second).size() == 2 * OBJECTS);
		await().atMost(LONG)
			.until(() -> new TreeSet<>(second.getBean(PodReconciler.class).names).size() == 2 * OBJECTS);
		assertThat(handler.deleted).isEmpty();
		assertThat(this.kubernetes.resources(V1Lease.class).list()).hasSize(1);
	}

	@Test
	void replicaWithAnotherNumberOfSlotsShouldTakeNone() {
		ConfigurableApplicationContext first = start("web-1");
		await().atMost(LONG).until(() -> shards(first).slots().size() == 8);
		ConfigurableApplicationContext other = start("web-2", "--kubernetes.informers.shard.slots=16",
				"--kubernetes.informers.startup.wait-for-sync=false");
		ShardMembership membership = (ShardMembership) shards(other);
		await().atMost(LONG).until(() -> membership.status().state() == ShardsState.REFUSED);
		assertThat(membership.slots()).isEmpty();
		assertThat(shards(first).slots()).hasSize(8);
	}

	@Test
	void startWithoutPermissionShouldNameTheLeases() {
		this.kubernetes.faults().on(Requests.of("leases")).forbid();
		assertThatThrownBy(() -> start("web-1", "--kubernetes.informers.startup.timeout=2s")).rootCause()
			.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
				assertThat(ex).hasMessageContaining("it waits for the slots of this replica")
					.hasMessageContaining("HTTP 403");
				assertThat(ex.getAction()).contains("coordination.k8s.io", "leases", "shop");
			});
	}

	@Test
	void startWithAnotherNumberOfSlotsShouldNameTheLease() {
		ConfigurableApplicationContext first = start("web-1");
		await().atMost(LONG).until(() -> shards(first).slots().size() == 8);
		assertThatThrownBy(() -> start("web-2", "--kubernetes.informers.shard.slots=16",
				"--kubernetes.informers.startup.timeout=2s"))
			.rootCause()
			.isInstanceOfSatisfying(InformerSyncTimeoutException.class, (ex) -> {
				assertThat(ex).hasMessageContaining("because Lease 'web-1-");
				assertThat(ex.getAction())
					.startsWith("Set 'kubernetes.informers.shard.slots' and 'key' to the values of the other replicas");
			});
	}

	@Test
	void rolesShouldAllowTheLeases() {
		ConfigurableApplicationContext replica = start("web-1", "--kubernetes.informers.auto-startup=false",
				"--kubernetes.informers.startup.wait-for-sync=false");
		assertThat(((ShardMembership) shards(replica)).isRunning()).isFalse();
		assertThat(RequiredRoles.toYaml(RequiredRoles.of(replica, replica.getEnvironment()).in("default", List.of())))
			.contains("kind: Role\n", "namespace: shop", "- leases", "- delete");
	}

	private void assertDivided(int objects) {
		List<String> all = new ArrayList<>();
		this.replicas.forEach((replica) -> all.addAll(share(replica)));
		assertThat(all).doesNotHaveDuplicates().hasSize(objects);
		assertThat(this.replicas).allSatisfy((replica) -> {
			assertThat(share(replica)).isNotEmpty();
			assertThat(replica.getBean(PodHandler.class).added).containsAll(share(replica));
			assertThat(replica.getBean(PodReconciler.class).names).containsAll(share(replica));
		});
	}

	private static Set<String> share(ConfigurableApplicationContext replica) {
		Set<String> share = new TreeSet<>();
		replica.getBean(Pods.class).pods.list().forEach((pod) -> share.add(ObjectKey.of(pod).toString()));
		return share;
	}

	private static Shards shards(ConfigurableApplicationContext replica) {
		return replica.getBean(Shards.class);
	}

	private void create(String name) {
		for (int i = 0; i < OBJECTS; i++) {
			this.pods.create(TestObjects.pod(i + "-shop", name));
		}
	}

	private ConfigurableApplicationContext start(String identity, String... arguments) {
		List<String> all = new ArrayList<>();
		List.of(InformerContextRunner.NO_CLUSTER).forEach((property) -> all.add("--" + property));
		all.addAll(List.of("--kubernetes.client.url=" + this.kubernetes.url(), "--spring.application.name=web",
				"--kubernetes.informers.shard.mode=leases", "--kubernetes.informers.shard.key=uid",
				"--kubernetes.informers.shard.slots=8", "--kubernetes.informers.shard.lease-namespace=shop",
				"--kubernetes.informers.shard.settle-time=0s", "--kubernetes.informers.shard.retry-period=500ms",
				"--kubernetes.informers.shard.identity=" + identity,
				"--kubernetes.informers.startup.wait-for-sync=true"));
		// The last value of an argument would be one of a list.
		List.of(arguments).forEach((argument) -> {
			all.removeIf((other) -> other.startsWith(argument.substring(0, argument.indexOf('=') + 1)));
			all.add(argument);
		});
		ConfigurableApplicationContext replica = new SpringApplicationBuilder(Replica.class)
			.web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new));
		this.replicas.add(replica);
		return replica;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ PodHandler.class, PodReconciler.class, Pods.class })
	static class Replica {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		final List<String> added = new CopyOnWriteArrayList<>();

		final List<String> deleted = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			this.added.add(ObjectKey.of(pod).toString());
		}

		@OnDelete
		void deleted(V1Pod pod) {
			this.deleted.add(ObjectKey.of(pod).toString());
		}

	}

	@Reconciler(id = "podReconciler")
	static class PodReconciler {

		final List<String> names = new CopyOnWriteArrayList<>();

		@Reconcile
		void reconcile(V1Pod pod) {
			this.names.add(ObjectKey.of(pod).toString());
		}

	}

	static class Pods {

		final Lister<V1Pod> pods;

		Pods(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

}
