package dev.kubeinformer.spring;

import java.util.Map;
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
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of which caches are narrowed to the shard of a replica.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShardSettingsTests {

	private static final Shard BY_UID = new Shard(ShardKey.UID, 2, 5);

	private static final Shard BY_NAMESPACE = new Shard(ShardKey.NAMESPACE, 2, 5);

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.informers.auto-startup=false", "kubernetes.informers.shard.index=2",
				"kubernetes.informers.shard.total=5");

	@Test
	void environmentVariablesShouldNameTheShard() {
		Map<String, Object> variables = Map.of("KUBERNETES_INFORMERS_SHARD_KEY", "uid",
				"KUBERNETES_INFORMERS_SHARD_INDEX", "2", "KUBERNETES_INFORMERS_SHARD_TOTAL", "5");
		InformerContextRunner.withoutCluster()
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("systemEnvironment", variables)))
			.withPropertyValues("kubernetes.informers.auto-startup=false")
			.run((context) -> assertThat(context.getBean(ConfiguredSettings.class).shard()).isEqualTo(BY_UID));
	}

	@Test
	void informersThatAreOffShouldNeedNoIndex() {
		this.runner
			.withPropertyValues("kubernetes.informers.shard.key=uid", "kubernetes.informers.shard.index=",
					"kubernetes.informers.enabled=false")
			.run((context) -> assertThat(context.getBean(ConfiguredSettings.class).shard()).isNull());
	}

	@Test
	void blankValuesShouldTakeAShardAway(CapturedOutput output) {
		this.runner
			.withPropertyValues("kubernetes.informers.shard.key=", "kubernetes.informers.shard.index=",
					"kubernetes.informers.shard.total=")
			.run((context) -> assertThat(context.getBean(ConfiguredSettings.class).shard()).isNull());
		assertThat(output).containsOnlyOnce("This replica has all objects: 'kubernetes.informers.shard' is blank");
	}

	@ParameterizedTest
	@CsvSource({ "uid,true", "namespace,false" })
	void handlersAndListersShouldFollowTheShardUnlessTheyOptOut(String key, boolean nodesSharded) {
		this.runner.withPropertyValues("kubernetes.informers.shard.key=" + key)
			.withBean(PodHandler.class)
			.withBean(EveryPodHandler.class)
			.withBean(Readers.class)
			.run((context) -> {
				Shard shard = key.equals("uid") ? BY_UID : BY_NAMESPACE;
				Readers readers = context.getBean(Readers.class);
				assertThat(readers.configMaps.spec().shard()).isEqualTo(shard);
				assertThat(readers.all.spec().shard()).isNull();
				assertThat(readers.nodes.spec().shard()).isEqualTo(nodesSharded ? shard : null);
				assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
					.contains("pods-" + key + "-2-of-5", "pods", "configmaps", "configmaps-" + key + "-2-of-5");
			});
	}

	@Test
	void resourcesShouldHaveKeysAndPageSizesOfTheirOwn(CapturedOutput output) {
		this.runner.withPropertyValues("kubernetes.informers.shard.key=namespace",
				"kubernetes.informers.resources.nodes.shard-key=uid",
				"kubernetes.informers.resources.pods.shard-key=none",
				"kubernetes.informers.resources.pods.page-size=17", "kubernetes.clusters.edge.url=http://localhost:1",
				"kubernetes.clusters.edge.informers.resources.pods.shard-key=uid")
			.run((context) -> {
				Informers informers = context.getBean(Informers.class);
				assertThat(informers.informer(V1Node.class).spec().shard()).isEqualTo(BY_UID);
				assertThat(informers.informer(V1Pod.class).spec().shard()).isNull();
				assertThat(informers.informer(V1Pod.class).spec().pageSize()).isEqualTo(17);
				assertThat(informers.informer(V1Secret.class).spec().shard()).isEqualTo(BY_NAMESPACE);
				assertThat(informers.informer(InformerSpec.of(V1Secret.class)).spec().shard()).isNull();
				Informers edge = context.getBean(InformerClusters.class).get("edge");
				assertThat(edge.informer(V1Pod.class).spec().shard()).isEqualTo(BY_UID);
				assertThat(edge.informer(V1Secret.class).spec().shard()).isEqualTo(BY_NAMESPACE);
			});
		assertThat(output).containsOnlyOnce("This replica has shard 2/5 by namespace; it has all objects of: pods");
	}

	@Test
	void propertyOfAHandlerShouldPrecedeItsAnnotation() {
		this.runner
			.withPropertyValues("kubernetes.informers.shard.key=uid",
					"kubernetes.informers.handlers.everyPodHandler.sharded=true")
			.withBean("everyPodHandler", EveryPodHandler.class)
			.run((context) -> assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactly("pods-uid-2-of-5"));
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "uid,-,UID,-,-", "namespace,-,NAMESPACE,NAMESPACE,NAMESPACE",
			"namespace,configmaps,NAMESPACE,-,NAMESPACE", "namespace,gears,-,-,-" })
	void sourcesOfReconcilersShouldFollowTheirPrimaries(String key, @Nullable String whole, @Nullable ShardKey primary,
			@Nullable ShardKey owned, @Nullable ShardKey watched) {
		this.runner.withPropertyValues("kubernetes.informers.shard.key=" + key)
			.withPropertyValues("kubernetes.informers.resources."
					+ ("gears".equals(whole) ? "[gears.example.com]" : (whole != null) ? whole : "pods")
					+ ".shard-key=none")
			.withBean("gearReconciler", GearReconciler.class)
			.run((context) -> {
				ReconcilerSpec<?> spec = spec(context, "gearReconciler");
				assertThat(key(spec.shard())).isEqualTo(primary);
				assertThat(key(spec.shardOf(spec.owned().get(0).type()))).isEqualTo(owned);
				assertThat(key(spec.shardOf(spec.watched().get(0).type()))).isEqualTo(watched);
			});
	}

	@Test
	void reconcilerThatRunsInEachShardShouldBeNamed(CapturedOutput output) {
		ApplicationContextRunner byNamespace = this.runner
			.withPropertyValues("kubernetes.informers.shard.key=namespace")
			.withBean("nodeReconciler", NodeReconciler.class);
		byNamespace.run((context) -> assertThat(spec(context, "nodeReconciler").shard()).isNull());
		assertThat(output).containsOnlyOnce("reconciles all 'nodes' in each shard")
			.contains("set 'kubernetes.informers.resources.nodes.shard-key' to 'uid'");
		byNamespace.withPropertyValues("kubernetes.informers.resources.nodes.shard-key=uid")
			.run((context) -> assertThat(spec(context, "nodeReconciler").shard()).isEqualTo(BY_UID));
		byNamespace.withPropertyValues("kubernetes.informers.resources.nodes.shard-key=none")
			.run((context) -> assertThat(spec(context, "nodeReconciler").shard()).isNull());
		assertThat(output).containsOnlyOnce("reconciles all 'nodes' in each shard");
	}

	private static @Nullable ShardKey key(@Nullable Shard shard) {
		return (shard != null) ? shard.key() : null;
	}

	private static ReconcilerSpec<?> spec(ApplicationContext context, String id) {
		return context.getBean(ReconcilerRegistry.class).get(id).spec();
	}

	@InformerHandler
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
			assertThat(pod).isNotNull();
		}

	}

	@InformerHandler(sharded = "${everything.sharded:false}")
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
