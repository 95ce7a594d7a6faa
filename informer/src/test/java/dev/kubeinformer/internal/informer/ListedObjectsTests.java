package dev.kubeinformer.internal.informer;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.status.InformerListeners;
import dev.kubeinformer.internal.status.InformerNotices;
import dev.kubeinformer.internal.status.StatusTracker;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.types.ListReason;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the objects that are kept of a list while it is being read. */
class ListedObjectsTests {

	private static final InformerSpec<V1ConfigMap> SPEC = InformerSpec.of(V1ConfigMap.class);

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final AtomicInteger transformed = new AtomicInteger();

	@Test
	void cachedObjectIsKeptInsteadOfItsDuplicate() {
		PartitionSink<V1ConfigMap> sink = sink(null, false);
		V1ConfigMap cached = store(sink, decoded("1", "x"));
		DecodedObject<V1ConfigMap> kept = sink.listed(decoded("1", "x"), false);
		assertThat(kept.object()).isSameAs(cached);
		assertThat(kept.metadata().uid()).isSameAs(cached.getMetadata().getUid());
		assertThat(store(sink, kept)).isSameAs(cached);
	}

	@Test
	void otherVersionsAndOtherObjectsAreKeptAsTheyCame() {
		PartitionSink<V1ConfigMap> sink = sink(null, false);
		store(sink, decoded("1", "x"));
		for (DecodedObject<V1ConfigMap> other : List.of(decoded("2", "x"), decoded("", "x"), named("a", "u2"),
				named("b", "u1"),
				new DecodedObject<V1ConfigMap>(new ObjectMetadata("blog", "a", "u1", "1"), null, "no"))) {
			assertThat(sink.listed(other, false)).isSameAs(other);
		}
	}

	@Test
	void versionsThatProveNothingAreComparedByContent() {
		PartitionSink<V1ConfigMap> sink = sink(null, false);
		V1ConfigMap cached = store(sink, decoded("1", "x"));
		DecodedObject<V1ConfigMap> changed = decoded("1", "y");
		assertThat(sink.listed(changed, true)).isSameAs(changed);
		assertThat(sink.listed(decoded("1", "x"), true).object()).isSameAs(cached);
	}

	@Test
	void whatPassedTheTransformDoesNotPassItAgain() {
		PartitionSink<V1ConfigMap> sink = sink(counting(), false);
		V1ConfigMap cached = store(sink, decoded("1", "x"));
		assertThat(store(sink, sink.listed(decoded("1", "x"), false))).isSameAs(cached);
		assertThat(this.transformed).hasValue(1);
		store(sink, sink.listed(decoded("2", "x"), false));
		assertThat(this.transformed).hasValue(2);
	}

	@Test
	void contentBehindATransformIsNotKnownBeforeTheTransform() {
		PartitionSink<V1ConfigMap> sink = sink(counting(), false);
		store(sink, decoded("1", "x"));
		DecodedObject<V1ConfigMap> listed = decoded("1", "x");
		assertThat(sink.listed(listed, true)).isSameAs(listed);
		assertThat(sink(counting(), true).listed(listed, false)).isSameAs(listed);
	}

	@Test
	void indexFunctionsRunOnceForWhatDoesNotChange() {
		AtomicInteger calls = new AtomicInteger();
		this.store.addIndexers(Map.of("data", (object) -> {
			calls.incrementAndGet();
			return List.of(object.getData().get("value"));
		}));
		PartitionSink<V1ConfigMap> sink = sink(null, false);
		V1ConfigMap cached = store(sink, decoded("1", "x"));
		store(sink, sink.listed(decoded("1", "x"), false));
		assertThat(calls).hasValue(1);
		assertThat(this.store.snapshot().byIndex("data", "x")).containsExactly(cached);
	}

	@Test
	void whatIsCachedIsKnownUnlessVersionsProveNothing() {
		PartitionSink<V1ConfigMap> sink = sink(null, false);
		assertThat(sink.begin(false)).isNull();
		store(sink, decoded("1", "x"));
		assertThat(sink.begin(true)).isNull();
		assertThat(sink.begin(false)).isNotNull();
		assertThat(sink(counting(), false).begin(false)).isNotNull();
		assertThat(sink(counting(), true).begin(false)).isNull();
		sink.compareContent();
		assertThat(sink.begin(false)).isNull();
		store(sink, decoded("1", "x"));
		assertThat(sink.begin(false)).isNotNull();
	}

	@Test
	void knownObjectStaysAndCountsAsListed() {
		PartitionSink<V1ConfigMap> sink = sink(counting(), false);
		V1ConfigMap cached = store(sink, decoded("1", "x"));
		KnownObjects known = sink.begin(false);
		assertThat(known.include(identity("2"))).isFalse();
		assertThat(known.include(identity("1"))).isTrue();
		sink.replace(new ArrayList<>(), new Listing("10", false, ListReason.EXPIRED, Duration.ZERO, null));
		assertThat(this.store.snapshot().list()).singleElement().isSameAs(cached);
		assertThat(this.transformed).hasValue(1);
		sink.begin(false);
		sink.replace(new ArrayList<>(), new Listing("11", false, ListReason.EXPIRED, Duration.ZERO, null));
		assertThat(this.store.snapshot().list()).isEmpty();
	}

	private static ObjectIdentity identity(String version) {
		byte[] bytes = ("bloga" + "u1" + version).getBytes(StandardCharsets.UTF_8);
		ObjectIdentity identity = new ObjectIdentity();
		identity.namespace().set(bytes, 0, 4);
		identity.name().set(bytes, 4, 5);
		identity.uid().set(bytes, 5, 7);
		identity.resourceVersion().set(bytes, 7, bytes.length);
		return identity;
	}

	private TransformFunc counting() {
		return (object) -> {
			this.transformed.incrementAndGet();
			return object;
		};
	}

	private PartitionSink<V1ConfigMap> sink(@Nullable TransformFunc transform, boolean changed) {
		InformerRuntime.Clocks clocks = new InformerRuntime.Clocks(Clock.systemUTC(), System::nanoTime);
		InformerListeners listeners = new InformerListeners(List.of(), System::nanoTime);
		SharedInformer<V1ConfigMap> informer = null;
		InformerNotices notices = new InformerNotices(informer, listeners, System::nanoTime);
		StatusTracker status = new StatusTracker(SPEC.id(), SPEC, clocks, notices);
		return new PartitionSink<>("", SPEC, this.store, status, notices, new PartitionTransform(transform, changed));
	}

	private V1ConfigMap store(PartitionSink<V1ConfigMap> sink, DecodedObject<V1ConfigMap> object) {
		sink.replace(new ArrayList<>(List.of(object)),
				new Listing("9", false, ListReason.INITIAL, Duration.ZERO, null));
		return this.store.snapshot().list().get(0);
	}

	private static DecodedObject<V1ConfigMap> decoded(String version, String value) {
		V1ConfigMap object = new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("blog").name("a").uid(new String("u1")).resourceVersion(version))
			.putDataItem("value", value);
		return new DecodedObject<>(metadata(object), object, null);
	}

	private static DecodedObject<V1ConfigMap> named(String name, String uid) {
		V1ConfigMap object = new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("blog").name(name).uid(uid).resourceVersion("1"));
		return new DecodedObject<>(metadata(object), object, null);
	}

	private static ObjectMetadata metadata(V1ConfigMap object) {
		V1ObjectMeta metadata = object.getMetadata();
		return new ObjectMetadata("blog", metadata.getName(), metadata.getUid(), metadata.getResourceVersion());
	}

}
