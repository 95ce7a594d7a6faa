package dev.kubeinformer.spring;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import dev.kubeinformer.Informers;
import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.shard.FixedShards;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which caches, handlers and reconcilers follow the slots of a replica.
 */
@ExtendWith(OutputCaptureExtension.class)
class MovingShardSettingsTests {

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false", "kubernetes.informers.shard.mode=leases");

	@Test
	void replicaWithoutShardsShouldOwnEverything() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false", "HOSTNAME=web-7f9")
			.run((context) -> {
				Shards shards = context.getBean(Shards.class);
				assertThat(shards.division()).isEqualTo(new Slots(ShardKey.UID, 1));
				assertThat(shards.owns(TestObjects.pod("shop", "a"))).isTrue();
				assertThat(shards.ownerOf(TestObjects.pod("shop", "a"))).extracting(ShardMember::name)
					.isEqualTo("web-7f9");
				assertThat(shards.isSettled()).isTrue();
				assertThat(shards.membership().isLeader()).isTrue();
				assertThat(context.getBean(ConfiguredSettings.class).shards()).isNull();
				assertThat(context.getBean(Informers.class).informer(V1Pod.class).spec().shards()).isNull();
			});
	}

	@Test
	void fixedShardShouldBeTheOnlySlotThatIsHeld() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false", "kubernetes.informers.shard.key=namespace",
					"kubernetes.informers.shard.index=2", "kubernetes.informers.shard.total=5")
			.run((context) -> {
				Shards shards = context.getBean(Shards.class);
				assertThat(shards.division()).isEqualTo(new Slots(ShardKey.NAMESPACE, 5));
				assertThat(IntStream.range(0, 5).filter(shards::owns)).containsExactly(2);
				assertThat(shards.ownerOf(3)).isNull();
			});
	}

	@Test
	void modeNoneShouldIgnoreTheOtherProperties() {
		this.runner
			.withPropertyValues("kubernetes.informers.shard.mode=none", "kubernetes.informers.shard.key=namespace",
					"kubernetes.informers.shard.slots=7", "kubernetes.informers.shard.index=3",
					"kubernetes.informers.shard.lease-namespace=shop")
			.run((context) -> {
				assertThat(context.getBean(Shards.class).slots()).containsExactly(0);
				assertThat(context.getBean(ConfiguredSettings.class).shards()).isNull();
				assertThat(context.getBean(ConfiguredSettings.class).shard()).isNull();
				assertThat(context.getBean(Informers.class).informer(V1Pod.class).spec().shards()).isNull();
			});
	}

	@Test
	void membershipOfTheApplicationShouldNotBeIgnored() {
		ApplicationContextRunner own = InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.withBean(ShardMembership.class, () -> ShardMembership.of(() -> {
				throw new IllegalStateException("Nothing connects");
			}, ShardsSpec.of("shop", "web", new Slots(ShardKey.UID, 8))));
		own.run((context) -> assertThat(context.getStartupFailure()).rootCause()
			.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
				assertThat(ex).hasMessageContaining("informers would ignore it")
					.hasMessageContaining("'kubernetes.informers.shard.mode' is 'static'");
				assertThat(ex.getAction()).startsWith("Set 'kubernetes.informers.shard.mode' to 'leases'");
			}));
		own.withPropertyValues("kubernetes.informers.shard.mode=none")
			.run((context) -> assertThat(context).hasNotFailed());
		own.withPropertyValues("kubernetes.informers.shard.mode=leases", "kubernetes.informers.shard.key=uid")
			.run((context) -> assertThat(context.getBean(Informers.class).informer(V1Pod.class).spec().shards())
				.isSameAs(context.getBean(ShardMembership.class)));
	}

	@Test
	void childThatDividesMoreThanItsParentShouldFail() {
		InformerContextRunner.withoutCluster()
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((parent) -> this.runner.withPropertyValues("kubernetes.informers.shard.key=uid")
				.withParent(parent)
				.run((child) -> assertThat(child.getStartupFailure()).rootCause()
					.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
						assertThat(ex).hasMessageContaining("is 'leases' in a child context");
						assertThat(ex.getAction()).contains("in the environment of the parent context");
					})));
	}

	@Test
	void informersThatAreOffShouldJoinNoGroup() {
		this.runner
			.withPropertyValues("kubernetes.informers.shard.key=namespace", "kubernetes.informers.shard.slots=7",
					"kubernetes.informers.shard.lease-duration=1s", "kubernetes.informers.enabled=false")
			.run((context) -> {
				Shards shards = context.getBean(Shards.class);
				assertThat(shards.division()).isEqualTo(new Slots(ShardKey.NAMESPACE, 7));
				assertThat(shards.slots()).hasSize(7);
			});
	}

	@ParameterizedTest
	@CsvSource({ "UID,true", "NAMESPACE,false" })
	void handlersAndListersShouldFollowTheSlotsUnlessTheyOptOut(ShardKey key, boolean nodesSharded) {
		Shards shards = FixedShards.sole(key, 64, "web-1");
		with(shards).withBean(PodHandler.class)
			.withBean(EveryPodHandler.class)
			.withBean(Readers.class)
			.run((context) -> {
				Readers readers = context.getBean(Readers.class);
				assertThat(readers.configMaps.spec().shards()).isSameAs(shards);
				assertThat(readers.all.spec().shards()).isNull();
				assertThat(readers.nodes.spec().shards()).isSameAs(nodesSharded ? shards : null);
				assertThat(context.getBean(Informers.class).all()).extracting((informer) -> informer.spec().shards())
					.filteredOn((own) -> own == null)
					.hasSize(nodesSharded ? 2 : 3);
			});
	}

	@Test
	void resourcesShouldHaveKeysOfTheirOwn(CapturedOutput output) {
		Shards shards = FixedShards.sole(ShardKey.NAMESPACE, 64, "web-1");
		with(shards)
			.withPropertyValues("kubernetes.informers.resources.nodes.shard-key=uid",
					"kubernetes.informers.resources.pods.shard-key=none")
			.run((context) -> {
				Informers informers = context.getBean(Informers.class);
				Shards byUid = informers.informer(V1Node.class).spec().shards();
				assertThat(byUid).isNotNull();
				assertThat(byUid.division()).isEqualTo(new Slots(ShardKey.UID, 64));
				assertThat(byUid.members()).isEqualTo(shards.members());
				assertThat(informers.informer(V1Node.class)).isSameAs(informers.informer(V1Node.class));
				assertThat(informers.all()).hasSize(1);
				assertThat(informers.informer(V1Pod.class).spec().shards()).isNull();
				assertThat(informers.informer(V1Secret.class).spec().shards()).isSameAs(shards);
			});
		assertThat(output).containsOnlyOnce(
				"This replica shares 64 slots by namespace with other replicas; it has all objects of: pods");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "UID,-,UID,-,-", "NAMESPACE,-,NAMESPACE,NAMESPACE,NAMESPACE",
			"NAMESPACE,configmaps,NAMESPACE,-,NAMESPACE" })
	void sourcesOfReconcilersShouldFollowTheirPrimaries(ShardKey key, @Nullable String whole,
			@Nullable ShardKey primary, @Nullable ShardKey owned, @Nullable ShardKey watched) {
		with(FixedShards.sole(key, 64, "web-1"))
			.withPropertyValues(
					"kubernetes.informers.resources." + ((whole != null) ? whole : "pods") + ".shard-key=none",
					"kubernetes.leader.enabled=true")
			.withPropertyValues("kubernetes.leader.lease.namespace=shop", "spring.application.name=web")
			.withBean("gearReconciler", GearReconciler.class)
			.run((context) -> {
				ReconcilerSpec<?> spec = context.getBean(ReconcilerRegistry.class).get("gearReconciler").spec();
				assertThat(key(spec.shards())).isEqualTo(primary);
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::spec)
					.extracting((source) -> source.type().name() + " " + key(source.shards()))
					.containsExactlyInAnyOrder("gears.example.com " + primary, "configmaps " + owned,
							"secrets " + watched);
			});
	}

	@Test
	void reconcilerThatRunsOnEachReplicaShouldBeNamed(CapturedOutput output) {
		ApplicationContextRunner byNamespace = with(FixedShards.sole(ShardKey.NAMESPACE, 64, "web-1"))
			.withBean("nodeReconciler", NodeReconciler.class);
		byNamespace.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("reconciles all 'nodes' on each replica")
			.contains("set 'kubernetes.informers.resources.nodes.shard-key' to 'uid'");
		byNamespace
			.withPropertyValues("kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=shop",
					"spring.application.name=web")
			.run((context) -> assertThat(
					context.getBean(ReconcilerRegistry.class).get("nodeReconciler").spec().leadership())
				.isNotNull());
		assertThat(output).containsOnlyOnce("reconciles all 'nodes' on each replica");
	}

	@Test
	void leaderOfAShareShouldBeRefused() {
		ApplicationContextRunner sharded = with(FixedShards.sole(ShardKey.UID, 64, "web-1")).withPropertyValues(
				"kubernetes.leader.enabled=true", "kubernetes.leader.lease.namespace=shop",
				"spring.application.name=web");
		sharded.withBean("podHandler", PodHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.podHandler.leader-only=true")
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("is leader-only, but the objects of its events move");
					assertThat(ex.getAction()).startsWith("Remove 'leaderOnly'").contains("'sharded' to \"false\"");
				}));
		sharded.withBean("gearReconciler", GearReconciler.class)
			.withPropertyValues("kubernetes.reconcilers.gearReconciler.leader-only=true")
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(InformerConfigurationException.class, (ex) -> {
					assertThat(ex).hasMessageContaining("is leader-only, but its objects move");
					assertThat(ex.getAction())
						.contains("'kubernetes.informers.resources[gears.example.com].shard-key' to 'none'");
				}));
		sharded.withBean("everyPodHandler", EveryPodHandler.class)
			.withPropertyValues("kubernetes.informers.handlers.everyPodHandler.leader-only=true",
					"kubernetes.reconcilers.defaults.leader-only=true")
			.withBean("gearReconciler", GearReconciler.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(ReconcilerRegistry.class).get("gearReconciler").spec().leadership())
					.isNotSameAs(context.getBean(Leadership.class));
			});
	}

	private ApplicationContextRunner with(Shards shards) {
		return this.runner.withBean(Shards.class, () -> shards)
			.withPropertyValues("kubernetes.informers.shard.key=" + shards.division().key());
	}

	private static @Nullable ShardKey key(@Nullable Shards shards) {
		return (shards != null) ? shards.division().key() : null;
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
			assertThat(pod).isNotNull();
		}

	}

	@InformerHandler(sharded = "false")
	static class EveryPodHandler {

		@OnAdd
		void added(V1Pod pod) {
			assertThat(pod).isNotNull();
		}

	}

	static class Readers {

		private final Informer<V1ConfigMap> configMaps;

		private final Informer<V1ConfigMap> all;

		private final Informer<V1Node> nodes;

		Readers(Informer<V1ConfigMap> configMaps, @InformerSource(sharded = "false") Informer<V1ConfigMap> all,
				Informer<V1Node> nodes, Lister<V1Pod> pods) {
			this.configMaps = configMaps;
			this.all = all;
			this.nodes = nodes;
			assertThat(pods).isNotNull();
		}

	}

	@Reconciler
	@Owns(V1ConfigMap.class)
	static class GearReconciler {

		@Reconcile
		void reconcile(Gear gear) {
			assertThat(gear).isNotNull();
		}

		@Watches
		Stream<ObjectKey> concerned(V1Secret secret) {
			return Stream.of(ObjectKey.of(secret));
		}

	}

	@Reconciler
	static class NodeReconciler {

		@Reconcile
		void reconcile(V1Node node) {
			assertThat(node).isNotNull();
		}

	}

}
