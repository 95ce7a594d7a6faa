package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.WatchedResource;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.controller.SourceSet;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of reconcilers whose primaries are a shard.
 */
class ShardedReconcilerTests {

	private static final int TOTAL = 3;

	/** So many that no shard stays empty: their UIDs are random. */
	private static final int WIDGETS = 60;

	private final WidgetWorld world = new WidgetWorld();

	private final List<Informers> others = new ArrayList<>();

	@AfterEach
	void close() {
		this.others.forEach((informers) -> {
			informers.reconcilers().all().forEach(ReconcilerContainer::stop);
			informers.close();
		});
		this.world.close();
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void eachPrimaryShouldBeReconciledByExactlyOneShard(ShardKey key) throws InterruptedException {
		create();
		List<Replica> replicas = IntStream.range(0, TOTAL)
			.mapToObj((index) -> start(new Shard(key, index, TOTAL)))
			.toList();
		awaitIdle(replicas);
		this.world.widgets.list().forEach((widget) -> {
			V1ObjectMeta metadata = widget.getMetadata();
			ObjectKey object = ObjectKey.of(widget);
			assertThat(replicas).filteredOn((replica) -> replica.keys.contains(object))
				.extracting((replica) -> replica.shard.contains(metadata.getNamespace(), metadata.getUid()))
				.containsExactly(true);
			assertThat(this.world.configMaps.get(object.namespace(), object.name())).isNotNull();
		});
		assertThat(replicas).noneMatch((replica) -> replica.keys.isEmpty());

		replicas.forEach((replica) -> replica.container.triggerAll());
		awaitIdle(replicas);
		Set<ObjectKey> all = this.world.widgets.list().stream().map(ObjectKey::of).collect(Collectors.toSet());
		assertThat(replicas.stream().mapToInt((replica) -> replica.keys.size()).sum()).isEqualTo(all.size());
	}

	@Test
	void changesOfWhatOthersOwnShouldQueueNoKey() throws InterruptedException {
		create();
		List<Replica> replicas = IntStream.range(0, 2)
			.mapToObj((index) -> start(new Shard(ShardKey.UID, index, 2)))
			.toList();
		awaitIdle(replicas);
		Replica paused = replicas.get(0);
		paused.container.pause();
		Set<ObjectKey> foreign = replicas.get(1).keys;
		foreign.forEach((child) -> this.world.configMaps.delete(child.namespace(), child.name()));
		awaitIdle(List.of(replicas.get(1)));
		assertThat(foreign).isNotEmpty()
			.allMatch((child) -> this.world.configMaps.get(child.namespace(), child.name()) != null);
		ObjectKey own = paused.keys.iterator().next();
		this.world.configMaps.delete(own.namespace(), own.name());
		await().until(() -> queued(paused) > 0);
		assertThat(queued(paused)).isEqualTo(1);
	}

	private static int queued(Replica replica) {
		return replica.container.status().queue().ready().values().stream().mapToInt(Integer::intValue).sum();
	}

	@Test
	void keysOfOthersShouldLeadToNoRun() throws InterruptedException {
		create();
		Shard shard = new Shard(ShardKey.UID, 1, TOTAL);
		Replica replica = start(shard);
		awaitIdle(List.of(replica));
		int before = this.world.runs.size();
		this.world.widgets.list()
			.stream()
			.filter((widget) -> !shard.contains("", widget.getMetadata().getUid()))
			.forEach((widget) -> replica.container.trigger(ObjectKey.of(widget)));
		awaitIdle(List.of(replica));
		assertThat(this.world.runs).hasSize(before);
	}

	@Test
	void finalizersShouldBeKeptAndReportedByTheOwnShardAlone() {
		Map<Integer, List<ObjectKey>> cleaned = new ConcurrentHashMap<>();
		IntStream.range(0, 2)
			.forEach((index) -> start(new Shard(ShardKey.UID, index, 2), (widget, run) -> Result.done(),
					(spec) -> spec.withLabelSelector("app=x").withCleanup("example.com/widgets", (widget, run) -> {
						cleaned.computeIfAbsent(index, (any) -> new CopyOnWriteArrayList<>()).add(ObjectKey.of(widget));
						return Result.done();
					})));
		List<String> names = IntStream.range(0, 8).mapToObj((i) -> "w" + i).toList();
		names.forEach((name) -> this.world.widgets.create(relabelled(Widget.of("web", name, 1), "x")));
		await().until(() -> names.stream()
			.allMatch((name) -> List.of("example.com/widgets")
				.equals(this.world.get(name).getMetadata().getFinalizers())));
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(ReconcilerContainer.class);
		lines.start();
		logger.addAppender(lines);
		try {
			this.world.widgets.edit("web", "w0", (widget) -> relabelled(widget, "y"));
			names.subList(1, names.size()).forEach(this.world::delete);
			await().until(() -> !lines.list.isEmpty());
			await().until(() -> this.world.widgets.list().size() == 1);
		}
		finally {
			logger.detachAppender(lines);
		}
		assertThat(lines.list).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.contains("does not select 'web/w0' any more");
		assertThat(cleaned.values().stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(names.size() - 1);
	}

	private static Widget relabelled(Widget widget, String app) {
		widget.getMetadata().setLabels(Map.of("app", app));
		return widget;
	}

	/**
	 * The next bookmark of the server, which would show a foreign write as seen, is a
	 * minute away.
	 */
	@Test
	void writesOfObjectsOfOtherShardsShouldNotBeAwaited() {
		int own = shardOf(this.world.create("first"));
		Shard shard = new Shard(ShardKey.UID, own, TOTAL);
		this.world.api.shardedListAndWatch(true);
		ApiClient client = EngineTestSupport.client(this.world.api.url());
		Informers informers = EngineTestSupport.informers(client, (builder) -> builder.protobuf(false));
		this.others.add(informers);
		List<Integer> created = new CopyOnWriteArrayList<>();
		informers.controller(this.world.spec((widget, run) -> {
			boolean enough = !widget.getMetadata().getName().equals("first")
					|| created.stream().filter((index) -> index != own).count() == 3;
			if (enough) {
				return Result.done();
			}
			created.add(shardOf(run.create(Widget.of("web", "more-" + created.size(), 1))));
			return Result.requeueAfter(Duration.ofMillis(1));
		}).withShard(shard).withOwnWritesTimeout(Duration.ofSeconds(55))).start();
		await().atMost(Duration.ofSeconds(40))
			.until(() -> created.stream().filter((index) -> index != own).count() == 3);
	}

	@Test
	void awaitingAnObjectOfAnotherShardShouldReturnAtOnce() throws InterruptedException {
		Widget widget = this.world.create("a");
		int other = (shardOf(widget) + 1) % TOTAL;
		Informer<Widget> informer = this.world.informers
			.informer(InformerSpec.of(Widget.class).withShard(new Shard(ShardKey.UID, other, TOTAL)));
		assertThat(informer.await(widget, Duration.ZERO)).isTrue();
		Informer<Widget> own = this.world.informers
			.informer(InformerSpec.of(Widget.class).withShard(new Shard(ShardKey.UID, shardOf(widget), TOTAL)));
		assertThat(own.await(widget, Duration.ZERO)).isFalse();
	}

	@Test
	void objectWithoutUidShouldBeAwaitedUnlessItsNamespaceIsInAnotherShard() throws InterruptedException {
		Widget widget = this.world.create("a");
		widget.getMetadata().setUid(null);
		for (int index = 0; index < TOTAL; index++) {
			Informer<Widget> informer = this.world.informers
				.informer(InformerSpec.of(Widget.class).withShard(new Shard(ShardKey.UID, index, TOTAL)));
			assertThat(informer.await(widget, Duration.ZERO)).isFalse();
			Shard byNamespace = new Shard(ShardKey.NAMESPACE, index, TOTAL);
			Informer<Widget> namespaces = this.world.informers
				.informer(InformerSpec.of(Widget.class).withShard(byNamespace));
			assertThat(namespaces.await(widget, Duration.ZERO))
				.isEqualTo(!byNamespace.contains(widget.getMetadata().getNamespace(), null));
		}
	}

	@Test
	void sourcesShouldFollowAShardByNamespaceUnlessTheyAreToBeWhole() {
		Shard shard = new Shard(ShardKey.NAMESPACE, 0, TOTAL);
		ReconcilerSpec<Widget> spec = this.world.spec((widget, run) -> Result.done())
			.withShard(shard)
			.withOwned(V1ConfigMap.class)
			.withWatched(WatchedResource.of(V1Node.class, (node) -> Stream.empty()))
			.withWatched(WatchedResource.of(V1Secret.class, (secret) -> Stream.empty()));
		assertThat(SourceSet.specs(spec)).extracting(InformerSpec::shard).containsExactly(shard, shard, null, shard);
		assertThat(SourceSet.specs(spec.withWhole(Set.of(ResourceType.of(V1Secret.class)))))
			.extracting(InformerSpec::shard)
			.containsExactly(shard, shard, null, null);
		assertThat(SourceSet.specs(this.world.spec((widget, run) -> Result.done())
			.withShard(shard)
			.withWatched(WatchedResource.metadata(V1Secret.class, (secret) -> Stream.empty()))
			.withWhole(Set.of(ResourceType.of(V1Secret.class))))).extracting(InformerSpec::shard)
			.containsExactly(shard, null);
		Shard byUid = new Shard(ShardKey.UID, 0, TOTAL);
		assertThat(SourceSet.specs(spec.withShard(byUid))).extracting(InformerSpec::shard)
			.containsExactly(byUid, null, null, null);
	}

	@Test
	void clusterScopedPrimariesShouldHaveNoShardByNamespace() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ReconcilerSpec.of("nodes", V1Node.class, (node, run) -> Result.done())
				.withShard(new Shard(ShardKey.NAMESPACE, 0, TOTAL)))
			.withMessage("Reconciler 'nodes' is on 'nodes', which are not namespaced; use ShardKey.UID");
	}

	private void create() {
		IntStream.range(0, WIDGETS).forEach((i) -> this.world.widgets.create(Widget.of(i + "-web", "w" + i, 1)));
	}

	private static int shardOf(Widget widget) {
		return IntStream.range(0, TOTAL)
			.filter((index) -> new Shard(ShardKey.UID, index, TOTAL).contains("", widget.getMetadata().getUid()))
			.findFirst()
			.orElseThrow();
	}

	private static void awaitIdle(List<Replica> replicas) throws InterruptedException {
		for (Replica replica : replicas) {
			assertThat(replica.container.awaitIdle(WidgetWorld.LONG)).isTrue();
		}
	}

	private Replica start(Shard shard) {
		Set<ObjectKey> keys = ConcurrentHashMap.newKeySet();
		ReconcilerContainer container = start(shard, (widget, run) -> {
			keys.add(ObjectKey.of(widget));
			run.apply(WidgetWorld.child(widget));
			return Result.done();
		}, (spec) -> spec.withOwned(V1ConfigMap.class));
		return new Replica(shard, keys, container);
	}

	private ReconcilerContainer start(Shard shard, ReconcileFunction<Widget> function,
			UnaryOperator<ReconcilerSpec<Widget>> settings) {
		Informers informers = EngineTestSupport.informers(this.world.api.url());
		this.others.add(informers);
		ReconcilerContainer container = informers
			.controller(settings.apply(this.world.spec(function)).withShard(shard));
		container.start();
		return container;
	}

	private record Replica(Shard shard, Set<ObjectKey> keys, ReconcilerContainer container) {

	}

}
