package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.workqueue.OwnWritesWait;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Writes that cannot be laid over the caches, for which a key is parked, and when they
 * arrive.
 */
class OwnWritesTests {

	private static final ObjectKey PRIMARY = new ObjectKey("ns", "p");

	private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

	private final ObjectStore<V1Deployment> primaries = new ObjectStore<>(Set.of("ns"));

	private final ObjectStore<V1ConfigMap> owned = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1ConfigMap> cluster = new CachedModels<>(this.owned, "");

	private final AtomicLong now = new AtomicLong(1);

	private final OwnVersions versions = new OwnVersions();

	private final OwnWrites writes = new OwnWrites(
			List.of(source(ResourceType.of(V1Deployment.class), this.primaries, selection((labels) -> true, false)),
					source(CONFIG_MAPS, this.owned,
							selection((labels) -> labels != null && "x".equals(labels.get("app")), false))),
			this.versions, Duration.ofSeconds(60), this.now::get);

	private final AtomicInteger arrived = new AtomicInteger();

	@BeforeEach
	void syncCaches() {
		this.cluster.list("1");
		new CachedModels<>(this.primaries, "ns").list("1");
	}

	@Test
	void keyIsParkedUntilAllItsWritesAreSeen() {
		written(configMap("a", "5"));
		written(configMap("b", "6"));
		this.writes.written(new ObjectKey("ns", "other"), CONFIG_MAPS, configMap("c", "7"));
		park(2);
		this.cluster.put(configMap("a", "5"));
		assertThat(this.arrived).hasValue(1);
		assertThat(this.writes.parking(PRIMARY).awaited()).isEqualTo(1);
		this.cluster.bookmark("6");
		assertThat(this.arrived).hasValue(2);
		assertThat(this.writes.parking(PRIMARY)).isNull();
		assertThat(this.writes.size()).isEqualTo(1);
	}

	@Test
	void writesThatAreSeenBeforeTheKeyIsParkedArriveAtOnce() {
		written(configMap("a", "5"));
		written(configMap("b", "6"));
		OwnWritesWait parking = this.writes.parking(PRIMARY);
		this.cluster.put(configMap("a", "5"));
		assertThat(parking.awaited()).isEqualTo(2);
		parking.register(this.arrived::incrementAndGet);
		assertThat(this.arrived).hasValue(1);
		this.cluster.put(configMap("b", "7"));
		assertThat(this.arrived).hasValue(2);
	}

	@Test
	void writeThatTheCacheShowsAlreadyIsNotWaitedFor() {
		this.cluster.put(configMap("a", "5"));
		written(configMap("a", "5"));
		assertThat(this.writes.parking(PRIMARY)).isNull();
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void laterWriteToTheSameObjectTakesThePlaceOfTheEarlier() {
		written(configMap("a", "5"));
		OwnWritesWait parking = this.writes.parking(PRIMARY);
		written(configMap("a", "6"));
		parking.register(this.arrived::incrementAndGet);
		written(configMap("a", "7"));
		assertThat(this.writes.size()).isEqualTo(1);
		this.cluster.put(configMap("a", "6"));
		assertThat(this.arrived).hasValue(0);
		this.cluster.put(configMap("a", "7"));
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void answerThatComesLateDoesNotHideALaterWrite() {
		written(configMap("a", "7"));
		written(configMap("a", "5"));
		park(1);
		this.cluster.put(configMap("a", "6"));
		assertThat(this.arrived).hasValue(0);
		this.cluster.put(configMap("a", "7"));
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void deletionOfWhatWasJustCreatedIsNotSeenBeforeTheCreation() {
		written(configMap("a", "5"));
		this.writes.deleted(PRIMARY, CONFIG_MAPS, configMap("a", "5"));
		park(1);
		this.cluster.put(configMap("a", "5"));
		assertThat(this.arrived).hasValue(0);
		this.cluster.remove(configMap("a", "5"), "6");
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void deletionIsSeenByItsTimestamp() {
		this.cluster.put(configMap("a", "5"));
		this.writes.deleted(PRIMARY, CONFIG_MAPS, configMap("a", "5"));
		park(1);
		V1ConfigMap deleting = configMap("a", "6");
		deleting.getMetadata().setDeletionTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
		this.cluster.put(deleting);
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void objectThatTheSelectorHidesIsNotWaitedFor() {
		V1ConfigMap hidden = configMap("a", "5");
		hidden.getMetadata().setLabels(Map.of("app", "y"));
		written(hidden);
		assertThat(this.writes.parking(PRIMARY)).isNull();
		assertThat(this.writes.size()).as("without those of which no event may come").isZero();
		this.cluster.put(configMap("a", "6"));
		hidden.getMetadata().setResourceVersion("7");
		written(hidden);
		assertThat(this.writes.parking(PRIMARY)).isNull();
	}

	@Test
	void objectThatAFieldSelectorMayHideIsWaitedForOnlyWhereTheCacheHasIt() {
		OwnWrites selected = new OwnWrites(List.of(source(CONFIG_MAPS, this.owned, selection((labels) -> true, true))),
				this.versions, Duration.ofSeconds(60), this.now::get);
		selected.written(PRIMARY, CONFIG_MAPS, configMap("a", "5"));
		assertThat(selected.parking(PRIMARY)).isNull();
		this.cluster.put(configMap("a", "6"));
		selected.written(PRIMARY, CONFIG_MAPS, configMap("a", "7"));
		assertThat(selected.parking(PRIMARY).awaited()).isEqualTo(1);
		this.cluster.put(configMap("a", "7"));
		assertThat(selected.parking(PRIMARY)).isNull();
	}

	// Source of answers that cannot be put into the overlay.
	private <C extends KubernetesObject> OwnWriteSource<C> source(ResourceType<C> type, ObjectStore<C> store,
			OwnWriteSource.Selection selection) {
		return new OwnWriteSource<>(type, CachedSources.overlay(store, this.now::get), selection, true,
				(object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, "unreadable"));
	}

	private static OwnWriteSource.Selection selection(Predicate<Map<String, String>> labels, boolean fieldSelector) {
		return new OwnWriteSource.Selection(labels, fieldSelector, ObjectShare.ALL);
	}

	@Test
	void whatIsInAnotherShardIsNotWaitedFor() {
		Shard own = new Shard(ShardKey.UID, 0, 2);
		OwnWrites sharded = new OwnWrites(
				List.of(source(CONFIG_MAPS, this.owned,
						new OwnWriteSource.Selection((labels) -> true, false, ObjectShare.of(own)))),
				this.versions, Duration.ofSeconds(60), this.now::get);
		V1ConfigMap mine = configMap("a", "5");
		V1ConfigMap foreign = configMap("b", "6");
		mine.getMetadata().setUid(uid(own, true));
		foreign.getMetadata().setUid(uid(own, false));
		sharded.written(PRIMARY, CONFIG_MAPS, foreign);
		sharded.deleted(PRIMARY, CONFIG_MAPS, foreign);
		assertThat(sharded.parking(PRIMARY)).isNull();
		sharded.written(PRIMARY, CONFIG_MAPS, mine);
		assertThat(sharded.parking(PRIMARY).awaited()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void whatHasNoUidIsWaitedForUnlessItsNamespaceIsInAnotherShard(int index) {
		V1ConfigMap unknown = configMap("a", "5");
		unknown.getMetadata().setUid(null);
		Shard byNamespace = new Shard(ShardKey.NAMESPACE, index, 2);
		assertThat(isWaitedFor(unknown, new Shard(ShardKey.UID, index, 2))).isTrue();
		assertThat(isWaitedFor(unknown, byNamespace)).isEqualTo(byNamespace.contains("ns", null));
	}

	private boolean isWaitedFor(V1ConfigMap written, Shard shard) {
		OwnWriteSource<V1ConfigMap> source = source(CONFIG_MAPS, this.owned,
				new OwnWriteSource.Selection((labels) -> true, false, ObjectShare.of(shard)));
		return source.partitionOf(CONFIG_MAPS, written) != null;
	}

	private static String uid(Shard shard, boolean own) {
		return IntStream.range(0, 100)
			.mapToObj((number) -> number + "-uid")
			.filter((uid) -> shard.contains("ns", uid) == own)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void whatNoCacheShowsIsNotWaitedFor() {
		this.writes.written(PRIMARY, ResourceType.of(V1Secret.class),
				new V1Secret().metadata(CachedModels.metadata("ns", "s", "u", "5")));
		V1Deployment elsewhere = CachedModels.deployment("d", "5", 1, 1);
		elsewhere.getMetadata().setNamespace("elsewhere");
		this.writes.written(PRIMARY, ResourceType.of(V1Deployment.class), elsewhere);
		assertThat(this.writes.parking(PRIMARY)).isNull();
		this.writes.written(PRIMARY, ResourceType.of(V1Deployment.class), CachedModels.deployment("d", "5", 1, 1));
		park(1);
		this.primaries.removePartition("ns");
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void expiredWritesAreNotWaitedForAndArriveNoMore() {
		written(configMap("a", "5"));
		park(1);
		this.writes.expire(PRIMARY);
		assertThat(this.writes.parking(PRIMARY)).isNull();
		assertThat(this.writes.size()).isZero();
		this.cluster.put(configMap("a", "5"));
		assertThat(this.arrived).hasValue(0);
	}

	@Test
	void writesThatAreNeverSeenAreDroppedInTheEnd() {
		written(configMap("a", "5"));
		this.now.addAndGet(Duration.ofSeconds(40).toNanos());
		written(configMap("b", "6"));
		assertThat(this.writes.size()).isEqualTo(2);
		this.now.addAndGet(Duration.ofSeconds(40).toNanos());
		written(configMap("c", "7"));
		assertThat(this.writes.parking(PRIMARY).awaited()).isEqualTo(2);
	}

	@Test
	void stopOfTheCacheReleasesWrites() {
		written(configMap("a", "5"));
		park(1);
		this.owned.endWaits();
		assertThat(this.arrived).hasValue(1);
	}

	@Test
	void writeWithoutVersionIsRefused() {
		V1ConfigMap object = configMap("a", "5");
		object.getMetadata().setResourceVersion(null);
		assertThatIllegalArgumentException().isThrownBy(() -> written(object))
			.withMessageContaining("'ConfigMap' 'ns/a'")
			.withMessageContaining("that the API server returned");
	}

	@Test
	void versionsOfThisProcessAreKnownForAWhile() {
		written(configMap("a", "5"));
		assertThat(this.versions.contains("uid-a", "5")).isTrue();
		assertThat(this.versions.contains("uid-a", "6")).isFalse();
		assertThat(this.versions.contains("uid-b", "5")).isFalse();
		for (int i = 0; i < 5000; i++) {
			this.versions.received("u", Integer.toString(i));
		}
		assertThat(this.versions.contains("uid-a", "5")).isFalse();
		assertThat(this.versions.contains("u", "4999")).isTrue();
	}

	private void written(KubernetesObject object) {
		this.writes.written(PRIMARY, CONFIG_MAPS, object);
	}

	private void park(int awaited) {
		OwnWritesWait parking = this.writes.parking(PRIMARY);
		assertThat(parking).isNotNull();
		assertThat(parking.awaited()).isEqualTo(awaited);
		parking.register(this.arrived::incrementAndGet);
		assertThat(this.arrived).hasValue(0);
	}

	private static V1ConfigMap configMap(String name, String version) {
		V1ConfigMap object = CachedModels.configMap("ns", name, version);
		object.getMetadata().setLabels(Map.of("app", "x"));
		return object;
	}

}
