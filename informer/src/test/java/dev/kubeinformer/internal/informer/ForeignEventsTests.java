package dev.kubeinformer.internal.informer;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.status.InformerListeners;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Effect of objects of other shards on cached and quarantined objects, and on the
 * knowledge about the server.
 */
class ForeignEventsTests {

	private static final Shard SHARD = new Shard(ShardKey.UID, 0, 2);

	private static final InformerSpec<V1ConfigMap> SPEC = InformerSpec.of(V1ConfigMap.class).withShard(SHARD);

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final List<Delta<V1ConfigMap>> deltas = new ArrayList<>();

	private StatusTracker status;

	private PartitionSink<V1ConfigMap> sink;

	@BeforeEach
	void open() {
		this.sink = sink(SPEC);
		this.store.addSink(new Recording());
		list(0, SHARD.selector(), own("a", "1"));
	}

	private PartitionSink<V1ConfigMap> sink(InformerSpec<V1ConfigMap> spec) {
		InformerRuntime.Clocks clocks = new InformerRuntime.Clocks(Clock.systemUTC(), System::nanoTime);
		SharedInformer<V1ConfigMap> informer = null;
		InformerNotices notices = new InformerNotices(informer, new InformerListeners(List.of(), System::nanoTime),
				System::nanoTime);
		this.status = new StatusTracker(spec.id(), spec, clocks, notices);
		this.status.started(Set.of(""));
		return new PartitionSink<>("", spec, this.store, this.status, notices, new PartitionTransform(null, false));
	}

	@Test
	void deletionOfAnEarlierForeignObjectShouldKeepTheCachedOneOfItsName() {
		this.sink.apply(foreign(WatchEventType.DELETED, "5"), "5");
		assertThat(this.store.snapshot().list()).hasSize(1);
		assertThat(this.deltas).extracting(Delta::kind).containsExactly(Delta.Kind.ADDED);
		assertThat(this.store.snapshot().hasReached("5")).isTrue();
	}

	@ParameterizedTest
	@EnumSource(value = WatchEventType.class, names = { "ADDED", "MODIFIED" })
	void foreignObjectShouldReplaceTheCachedOneOfItsName(WatchEventType type) {
		this.sink.apply(foreign(type, "5"), "5");
		assertThat(this.store.snapshot().list()).isEmpty();
		assertThat(this.store.snapshot().hasReached("5")).isTrue();
		Delta<V1ConfigMap> deletion = this.deltas.get(1);
		assertThat(deletion.kind()).isEqualTo(Delta.Kind.DELETED);
		// Its last state was never seen, and the other object is not delivered.
		assertThat(deletion.finalStateUnknown()).isTrue();
		assertThat(deletion.last().uid()).isEqualTo("own");
	}

	@Test
	void foreignObjectShouldEndTheQuarantineOfItsName() {
		ObjectMetadata broken = new ObjectMetadata("blog", "a", "own", "4");
		this.sink.apply(new WatchFrame<>(WatchEventType.MODIFIED,
				new DecodedObject<V1ConfigMap>(broken, null, "unreadable"), "4", false, null), "4");
		assertThat(quarantined()).isEqualTo(1);
		this.sink.apply(foreign(WatchEventType.ADDED, "5"), "5");
		assertThat(quarantined()).isZero();
	}

	private int quarantined() {
		return this.status.status(this.store.snapshot(), true, null, null).cache().quarantined();
	}

	@Test
	void eachListShouldBeJudgedByItsOwnForeignObjects() {
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		list(2, "", own("a", "1"));
		assertThat(mode()).isEqualTo(ShardMode.CLIENT);
		list(0, SHARD.selector(), own("a", "1"));
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		assertThat(this.status.sharding().status().foreign()).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource(WatchEndReason.class)
	void onlyALostServerShouldLeaveTheModeOpen(WatchEndReason reason) {
		this.sink.apply(foreign(WatchEventType.ADDED, "5"), "5");
		this.sink.watchEnded(reason, Duration.ofSeconds(1));
		boolean lost = reason == WatchEndReason.UNREACHABLE || reason == WatchEndReason.BROKEN;
		assertThat(mode()).isEqualTo(lost ? null : ShardMode.CLIENT);
	}

	@Test
	void namespacesOfUnchangedObjectsShouldCountIfAllAreUnchanged() {
		this.sink = sink(SPEC.withShard(new Shard(ShardKey.NAMESPACE, 0, 2)));
		List<DecodedObject<V1ConfigMap>> many = IntStream.range(0, 20)
			.mapToObj((i) -> decoded("%02d-team".formatted(i), "a", "1"))
			.toList();
		replace(many, null);
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		KnownObjects known = this.sink.begin(false);
		assertThat(many).allMatch((each) -> known.include(identity(each.metadata())));
		replace(List.of(), null);
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		this.sink.begin(false).include(identity(many.get(0).metadata()));
		replace(List.of(), null);
		assertThat(mode()).isNull();
	}

	private static ObjectIdentity identity(ObjectMetadata metadata) {
		ObjectIdentity identity = new ObjectIdentity();
		set(identity.namespace(), metadata.namespace());
		set(identity.name(), metadata.name());
		set(identity.uid(), metadata.uid());
		set(identity.resourceVersion(), metadata.resourceVersion());
		return identity;
	}

	private static void set(TextBytes part, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		part.set(bytes, 0, bytes.length);
	}

	private @Nullable ShardMode mode() {
		return this.status.sharding().status().mode();
	}

	private void list(int foreign, String selector, DecodedObject<V1ConfigMap> own) {
		this.sink.begin(true);
		for (int i = 0; i < foreign; i++) {
			this.sink.foreign();
		}
		replace(List.of(own), selector);
	}

	private void replace(List<DecodedObject<V1ConfigMap>> objects, @Nullable String selector) {
		this.sink.replace(new ArrayList<>(objects),
				new Listing("3", false, ListReason.INITIAL, Duration.ZERO, selector));
	}

	private static DecodedObject<V1ConfigMap> own(String name, String version) {
		return decoded("blog", name, version);
	}

	private static DecodedObject<V1ConfigMap> decoded(String namespace, String name, String version) {
		V1ObjectMeta metadata = new V1ObjectMeta().namespace(namespace).name(name).uid("own").resourceVersion(version);
		return new DecodedObject<>(new ObjectMetadata(namespace, name, "own", version),
				new V1ConfigMap().metadata(metadata), null);
	}

	private static WatchFrame<V1ConfigMap> foreign(WatchEventType type, String version) {
		return WatchFrame.foreign(type, new ObjectMetadata("blog", "a", "foreign", version));
	}

	private final class Recording implements DeltaSink<V1ConfigMap> {

		@Override
		public void delta(Delta<V1ConfigMap> delta) {
			ForeignEventsTests.this.deltas.add(delta);
		}

		@Override
		public void resync(StoredObject<V1ConfigMap> object) {
			throw new AssertionError("No resync was asked for");
		}

		@Override
		public void initialStateComplete() {
			// Nobody waits for it.
		}

		@Override
		public void initialStateReset() {
			throw new AssertionError("The state was never reset");
		}

	}

}
