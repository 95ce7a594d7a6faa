package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes in an overlay: which, for how long, and the changes that they make superfluous.
 */
class OverlayTests {

	private static final ObjectKey PRIMARY = new ObjectKey("ns", "p");

	private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1ConfigMap> cache = new CachedModels<>(this.store, "");

	private final AtomicLong now = new AtomicLong(1);

	private final WriteOverlay<V1ConfigMap> overlay = CachedSources.overlay(this.store, this.now::get);

	private Function<V1ConfigMap, DecodedObject<V1ConfigMap>> preparation = OverlayTests::prepared;

	private final OwnWrites writes = new OwnWrites(
			List.of(new OwnWriteSource<>(TYPE, this.overlay,
					new OwnWriteSource.Selection((labels) -> labels == null || !labels.containsKey("hidden"), false,
							ObjectShare.ALL),
					true, (object) -> this.preparation.apply(object))),
			new OwnVersions(), Duration.ofMinutes(5), this.now::get);

	@BeforeEach
	void list() {
		this.cache.list("4", configMap("u", "3"));
	}

	@Test
	void answerShouldLieUntilTheCacheShowsIt() {
		written("u", "6");
		assertSeen("6");
		this.cache.put(configMap("u", "5"));
		assertSeen("6");
		this.cache.put(configMap("u", "6"));
		assertSeen("6");
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void newerChangeOfAnotherOneShouldTakeItsPlace() {
		written("u", "6");
		this.cache.put(configMap("u", "7"));
		assertSeen("7");
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void answerThatComesLateShouldNotHideANewerOne() {
		written("u", "7");
		written("u", "6");
		assertSeen("7");
	}

	@Test
	void recreatedObjectShouldTakeItsPlace() {
		written("u", "6");
		this.cache.remove(configMap("u", "3"), "7");
		assertSeen(null);
		written("v", "9");
		this.cache.put(configMap("w", "8"));
		assertSeen("9");
		this.cache.put(configMap("x", "10"));
		assertSeen("10");
	}

	@Test
	void listWithoutTheObjectShouldCountIfItIsNotOlder() {
		written("u", "6");
		this.cache.list("5");
		assertSeen("6");
		this.cache.list("6");
		assertSeen(null);
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void bookmarkShouldCountAsTheCacheItself() {
		written("u", "6");
		this.cache.bookmark("6");
		assertSeen("3");
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void deletedObjectShouldBeAbsentUntilTheCacheHasItNoMore() {
		this.writes.gone(PRIMARY, TYPE, configMap("u", "3"));
		assertSeen(null);
		this.cache.put(configMap("u", "5"));
		assertSeen(null);
		this.cache.remove(configMap("u", "5"), "6");
		assertSeen(null);
		assertThat(this.writes.size()).isZero();
		this.cache.put(configMap("v", "7"));
		assertSeen("7");
	}

	@Test
	void lateAnswerShouldNotBringBackWhatIsGone() {
		this.writes.gone(PRIMARY, TYPE, configMap("u", "3"));
		written("u", "6");
		assertSeen(null);
	}

	@Test
	void objectThatIsBeingDeletedShouldShowIt() {
		V1ConfigMap rest = configMap("u", "6");
		rest.getMetadata().setDeletionTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
		this.writes.deleting(PRIMARY, TYPE, rest);
		assertThat(this.overlay.snapshot().find(key()).object()).isSameAs(rest);
	}

	@Test
	void deletionWhoseOutcomeIsNotKnownShouldBeWaitedFor() {
		this.writes.deleted(PRIMARY, TYPE, configMap("u", "3"));
		assertSeen("3");
		assertThat(this.writes.parking(PRIMARY)).isNotNull();
		// A later write replaces the earlier one.
		written("v", "6");
		assertSeen("6");
		assertThat(this.writes.parking(PRIMARY)).isNull();
	}

	@Test
	void transformShouldDecideWhatLies() {
		this.preparation = (object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, null);
		written("u", "6");
		assertSeen(null);
		this.preparation = (object) -> prepared(configMap("stripped", ""));
		written("u", "7");
		assertSeen("7");
		assertThat(this.overlay.snapshot().find(key()).object().getMetadata().getUid()).isEqualTo("stripped");
		this.preparation = (object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), null, "fails");
		written("u", "8");
		assertThat(this.writes.parking(PRIMARY)).isNotNull();
		assertSeen("7");
	}

	@Test
	void versionsWithoutOrderAndMetadataAloneShouldBeWaitedFor() {
		written("u", "abc");
		assertThat(this.writes.parking(PRIMARY).awaited()).isEqualTo(1);
		this.writes.written(new ObjectKey("ns", "q"), TYPE,
				new Metadata<V1ConfigMap>("v1", "ConfigMap", configMap("u", "6").getMetadata()));
		assertThat(this.writes.parking(new ObjectKey("ns", "q")).awaited()).isEqualTo(1);
		assertSeen("3");
	}

	@Test
	void metadataShouldLieOverACacheOfMetadata() {
		ObjectStore<Metadata<V1ConfigMap>> ofMetadata = new ObjectStore<>(Set.of(""));
		WriteOverlay<Metadata<V1ConfigMap>> laid = CachedSources.overlay(ofMetadata, this.now::get);
		OwnWrites own = new OwnWrites(
				List.of(new OwnWriteSource<>(TYPE.metadata(), laid,
						new OwnWriteSource.Selection((labels) -> true, false, ObjectShare.ALL), true,
						(object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), object, null))),
				new OwnVersions(), Duration.ofMinutes(5), this.now::get);
		own.written(PRIMARY, TYPE, configMap("u", "6"));
		assertThat(laid.snapshot().find(key()).object().getMetadata().getUid()).isEqualTo("u");
		assertThat(laid.snapshot().find(key()).object().getKind()).isEqualTo("ConfigMap");
	}

	@Test
	void moreThanTheMostShouldBeWaitedFor() {
		List<V1ConfigMap> many = new ArrayList<>();
		for (int i = 0; i < 4097; i++) {
			V1ConfigMap object = configMap("u" + i, "6");
			object.getMetadata().setName("c" + i);
			many.add(object);
			this.writes.written(PRIMARY, TYPE, object);
		}
		assertThat(this.overlay.size()).isEqualTo(4096);
		assertThat(this.writes.parking(PRIMARY).awaited()).isEqualTo(1);
		assertThat(this.writes.size()).isEqualTo(4097);
		// An existing write is replaced.
		many.get(0).getMetadata().setResourceVersion("7");
		this.writes.written(new ObjectKey("ns", "q"), TYPE, many.get(0));
		assertThat(this.writes.parking(new ObjectKey("ns", "q"))).isNull();
		this.cache.bookmark("7");
		assertThat(this.writes.size()).isZero();
		assertThat(this.writes.parking(PRIMARY)).isNull();
	}

	@Test
	void ageShouldDropNothingAndBeCounted() {
		written("u", "6");
		V1ConfigMap hidden = configMap("h", "6");
		hidden.getMetadata().name("other").labels(Map.of("hidden", ""));
		this.writes.written(PRIMARY, TYPE, hidden);
		assertThat(this.writes.sizeAfter(Duration.ofSeconds(10))).isZero();
		this.now.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(this.writes.sizeAfter(Duration.ofSeconds(10))).as("without those that are hidden").isEqualTo(1);
		assertSeen("6");
	}

	@Test
	void restoredServerStopAndNewTermShouldDropAll() {
		written("u", "6");
		this.cache.listOfABackup("2", configMap("u", "2"));
		assertSeen("2");
		written("u", "6");
		this.writes.clear();
		assertSeen("2");
		written("u", "6");
		this.store.endWaits();
		assertSeen("2");
		assertThat(this.writes.size()).isZero();
	}

	@Test
	void changeThatARunHasSeenShouldBeNone() {
		written("u", "6");
		assertThat(isEcho(PRIMARY, "u", "6")).as("before a run").isFalse();
		this.overlay.showing(PRIMARY).run();
		assertThat(isEcho(PRIMARY, "u", "6")).isTrue();
		assertThat(isEcho(PRIMARY, "u", "5")).isFalse();
		assertThat(isEcho(PRIMARY, "v", "6")).isFalse();
		assertThat(isEcho(PRIMARY, "u", KeyCause.DELETED)).isFalse();
		assertThat(isEcho(new ObjectKey("ns", "q"), "u", "6")).isFalse();
		this.writes.gone(PRIMARY, TYPE, configMap("u", "6"));
		assertThat(isEcho(PRIMARY, "u", KeyCause.DELETED)).isFalse();
		this.overlay.showing(PRIMARY).run();
		assertThat(isEcho(PRIMARY, "u", KeyCause.DELETED)).isTrue();
		assertThat(isEcho(PRIMARY, "u", "6")).isFalse();
	}

	private boolean isEcho(ObjectKey primary, String uid, String version) {
		return this.writes.isEcho(primary, new KeyCause(V1ConfigMap.class, key(), uid, version, false));
	}

	private void written(String uid, String version) {
		this.writes.written(PRIMARY, TYPE, configMap(uid, version));
	}

	private void assertSeen(@Nullable String version) {
		StoredObject<V1ConfigMap> seen = this.overlay.snapshot().find(key());
		assertThat((seen != null) ? seen.resourceVersion() : null).isEqualTo(version);
	}

	private static DecodedObject<V1ConfigMap> prepared(V1ConfigMap object) {
		return new DecodedObject<>(new ObjectMetadata("", "", "", ""), object, null);
	}

	private static ObjectKey key() {
		return new ObjectKey("ns", "c");
	}

	private static V1ConfigMap configMap(String uid, String version) {
		V1ObjectMeta metadata = CachedModels.metadata("ns", "c", uid, version);
		return new V1ConfigMap().metadata(metadata);
	}

}
