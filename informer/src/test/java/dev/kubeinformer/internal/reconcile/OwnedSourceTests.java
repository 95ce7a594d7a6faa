package dev.kubeinformer.internal.reconcile;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.workqueue.RecordedFeed;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Which primaries a change of an owned object concerns, and what a primary owns.
 */
class OwnedSourceTests {

	private static final ObjectKey PRIMARY = new ObjectKey("ns", "p");

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1ConfigMap> cluster = new CachedModels<>(this.store, "");

	private final RecordedFeed feed = new RecordedFeed();

	private final Logger logger = (Logger) LoggerFactory.getLogger(OwnerReferences.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void recordLines() {
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stopRecording() {
		this.logger.detachAppender(this.lines);
	}

	@ParameterizedTest
	@CsvSource({ "apps/v1, Deployment, true, true, true", "apps/v1, Deployment, false, true, false",
			"apps/v1, Deployment, false, false, true", "apps/v1beta2, Deployment, true, true, true",
			"apps/v1, ReplicaSet, true, true, false", "example.com/v1, Deployment, true, false, false",
			"v1, Deployment, true, true, false" })
	void ownerIsKnownByGroupAndKind(String apiVersion, String kind, boolean controller, boolean controllerOnly,
			boolean owns) {
		OwnedSource<V1ConfigMap> source = source(V1Deployment.class, controllerOnly);
		this.store.addSink(sink(source));
		this.cluster.list("1");
		this.feed.take();
		this.cluster.put(CachedModels.configMap("ns", "c", "2", CachedModels.owner(apiVersion, kind, "p", controller)));
		assertThat(this.feed.take()).isEqualTo(owns ? List.of("ns/p LIVE") : List.of());
		assertThat(ownedBy(source, PRIMARY, "uid-p").list()).hasSize(owns ? 1 : 0);
	}

	@Test
	void changeConcernsTheOwnersOfBothStates() {
		OwnedSource<V1ConfigMap> source = source(V1Deployment.class, true);
		this.store.addSink(sink(source));
		this.cluster.list("2", configMap("c", "1", "p"), configMap("d", "2", null));
		assertThat(this.feed.take()).containsExactly("ns/p INITIAL");
		this.cluster.put(configMap("c", "3", "q"));
		assertThat(this.feed.take()).containsExactly("ns/p LIVE", "ns/q LIVE");
		this.cluster.put(configMap("c", "4", "q"));
		assertThat(this.feed.take()).containsExactly("ns/q LIVE");
		this.cluster.remove(configMap("c", "4", "q"), "5");
		assertThat(this.feed.take()).containsExactly("ns/q LIVE");
		this.cluster.put(configMap("d", "6", null));
		assertThat(this.feed.take()).isEmpty();
	}

	@Test
	void primaryOwnsWhatNamesItsUid() {
		OwnedSource<V1ConfigMap> source = source(V1Deployment.class, true);
		this.cluster.list("2", configMap("b", "1", "p"), configMap("a", "1", "p"), configMap("c", "1", "q"));
		OwnedSnapshots before = new OwnedSnapshots(List.of(source), new ObjectKey("ns", "reader"));
		this.cluster.remove(configMap("a", "1", "p"), "3");
		assertThat(before.ownedBy(V1ConfigMap.class, PRIMARY, "uid-p").list())
			.extracting((object) -> object.getMetadata().getName())
			.containsExactly("a", "b");
		assertThat(ownedBy(source, PRIMARY, "uid-p").single().getMetadata().getName()).isEqualTo("b");
		assertThat(ownedBy(source, PRIMARY, "uid-of-a-recreated-one").list()).isEmpty();
		assertThatIllegalArgumentException().isThrownBy(() -> before.ownedBy(V1Namespace.class, PRIMARY, "uid-p"))
			.withMessageContaining(V1Namespace.class.getName())
			.withMessageContaining(V1ConfigMap.class.getName());
	}

	@Test
	void ownerInAnotherNamespaceIsIgnoredWithOneWarning() {
		OwnedSource<V1ConfigMap> source = source(V1Deployment.class, true);
		this.store.addSink(sink(source));
		V1OwnerReference owner = CachedModels.owner("apps/v1", "Deployment", "p", true);
		this.cluster.list("1", CachedModels.configMap("elsewhere", "c", "1", owner),
				CachedModels.configMap("elsewhere", "d", "1", owner), CachedModels.configMap("ns", "e", "1", owner));
		assertThat(ownedBy(source, PRIMARY, "uid-p").single().getMetadata().getName()).isEqualTo("e");
		assertThat(ownedBy(source, PRIMARY, "uid-p").list()).hasSize(1);
		assertThat(this.lines.list).singleElement()
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.startsWith("Reconciler 'widgets' ignores the owner of 'elsewhere/");
	}

	@Test
	void clusterScopedOwnerOwnsInEveryNamespace() {
		OwnedSource<V1ConfigMap> source = source(V1Namespace.class, true);
		this.store.addSink(sink(source));
		V1OwnerReference owner = CachedModels.owner("v1", "Namespace", "n", true);
		this.cluster.list("1");
		this.cluster.put(CachedModels.configMap("ns", "c", "2", owner));
		this.cluster.put(CachedModels.configMap("other", "c", "3", owner));
		assertThat(this.feed.take()).containsExactly("n LIVE", "n LIVE");
		assertThat(ownedBy(source, new ObjectKey("", "n"), "uid-n").list()).hasSize(2);
	}

	@Test
	void reconcilersShareTheIndexAndUsersKeepTheirs() {
		this.store.addIndexers(Map.of("owner", (object) -> List.of("x")));
		OwnedSource<V1ConfigMap> first = source(V1Deployment.class, true);
		OwnedSource<V1ConfigMap> second = source(V1Namespace.class, false);
		this.cluster.list("1", configMap("c", "1", "p"));
		assertThat(ownedBy(first, PRIMARY, "uid-p").list()).hasSize(1);
		assertThat(ownedBy(second, new ObjectKey("", "p"), "uid-p").list()).isEmpty();
		assertThat(this.store.indexers()).containsOnlyKeys("owner", OwnedSource.INDEX);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.store.addIndexers(Map.of(OwnedSource.INDEX, (object) -> List.of())))
			.withMessageContaining(OwnedSource.INDEX);
	}

	@Test
	void whatAnEarlierPrimaryOfAnotherShardLeftBehindConcernsTheOneOfThisShard() {
		Shard shard = new Shard(ShardKey.UID, new Shard(ShardKey.UID, 0, 2).contains("ns", "uid-p") ? 1 : 0, 2);
		Set<ObjectKey> cached = new HashSet<>();
		OwnedSource<V1ConfigMap> source = new OwnedSource<>(ResourceType.of(V1ConfigMap.class),
				CachedSources.overlay(this.store, System::nanoTime), new OwnerReferences("widgets",
						ResourceType.of(V1Deployment.class), ObjectShare.of(shard), cached::contains),
				true);
		this.store.addSink(sink(source));
		this.cluster.list("2", configMap("c", "1", "p"));
		assertThat(this.feed.take()).isEmpty();
		cached.add(PRIMARY);
		this.cluster.remove(configMap("c", "1", "p"), "3");
		assertThat(this.feed.take()).containsExactly("ns/p LIVE");
	}

	@Test
	void incompleteReferencesAreNone() {
		OwnedSource<V1ConfigMap> source = source(V1Deployment.class, true);
		this.store.addSink(sink(source));
		V1OwnerReference nameless = CachedModels.owner("apps/v1", "Deployment", "p", true).name(null);
		V1OwnerReference withoutUid = CachedModels.owner("apps/v1", "Deployment", "p", true).uid(null);
		V1OwnerReference withoutApi = CachedModels.owner(null, "Deployment", "p", true);
		this.cluster.list("1", CachedModels.configMap("ns", "c", "1", nameless, withoutUid, withoutApi),
				new V1ConfigMap().metadata(CachedModels.metadata("ns", "d", "u", "1")));
		assertThat(this.feed.take()).isEmpty();
	}

	private OwnedSource<V1ConfigMap> source(Class<? extends KubernetesObject> primary, boolean controllerOnly) {
		return new OwnedSource<>(ResourceType.of(V1ConfigMap.class),
				CachedSources.overlay(this.store, System::nanoTime),
				new OwnerReferences("widgets", ResourceType.of(primary), ObjectShare.ALL, (key) -> false),
				controllerOnly);
	}

	private EnqueueOwner<V1ConfigMap> sink(OwnedSource<V1ConfigMap> source) {
		return source.sink(this.feed);
	}

	private static Owned<V1ConfigMap> ownedBy(OwnedSource<V1ConfigMap> source, ObjectKey primary, String uid) {
		return new OwnedSnapshots(List.of(source), new ObjectKey("ns", "reader")).ownedBy(V1ConfigMap.class, primary,
				uid);
	}

	private static V1ConfigMap configMap(String name, String version, @Nullable String owner) {
		return (owner != null)
				? CachedModels.configMap("ns", name, version, CachedModels.owner("apps/v1", "Deployment", owner, true))
				: CachedModels.configMap("ns", name, version);
	}

}
