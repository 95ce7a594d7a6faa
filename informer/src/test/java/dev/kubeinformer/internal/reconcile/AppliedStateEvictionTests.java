package dev.kubeinformer.internal.reconcile;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.model.ContentHash;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.store.ObjectStore;

import static org.assertj.core.api.Assertions.assertThat;

/** Remembered applies to children, and what the cache shows of these children later. */
class AppliedStateEvictionTests {

	private static final ContentHash BODY = new ContentHash(1, 2);

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1ConfigMap> cluster = new CachedModels<>(this.store, "");

	private final AppliedStateCache applied = new AppliedStateCache(ModelContent::hash, Stream::empty);

	@BeforeEach
	void apply() {
		this.store.addSink(new AppliedStateEviction<>(this.applied));
		this.cluster.list("7", child("5", "before"));
		this.applied.applied(child("9", "applied"), new AppliedStateCache.Request(BODY, false), true, false);
		assertThat(this.applied.isOutcome(child("9", "applied"), BODY)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "3", "8", "9" })
	void versionThatIsGivenAgainAfterARestoreIsNoOutcome(String restored) {
		this.cluster.put(child("9", "applied"));
		this.cluster.listOfABackup("9", child(restored, "of the backup"));
		this.cluster.put(child("9", "changed by another"));
		assertThat(this.applied.isOutcome(child("9", "changed by another"), BODY)).isFalse();
	}

	@Test
	void restoreBeforeTheCacheShowedTheOutcomeCountsAsWell() {
		this.cluster.listOfABackup("6", child("4", "of the backup"));
		this.cluster.put(child("9", "changed by another"));
		assertThat(this.applied.isOutcome(child("9", "changed by another"), BODY)).isFalse();
	}

	@Test
	void laterChangesOfAnotherPartKeepTheOutcome() {
		this.cluster.put(child("9", "applied"));
		this.cluster.put(child("11", "changed by another"));
		this.cluster.put(child("12", "applied"));
		assertThat(this.applied.isOutcome(child("12", "applied"), BODY)).isTrue();
	}

	@Test
	void childThatIsGoneIsForgotten() {
		this.cluster.remove(child("5", "before"), "10");
		assertThat(this.applied.size()).isZero();
	}

	private static V1ConfigMap child(String version, String data) {
		V1ConfigMap child = CachedModels.configMap("ns", "c", version).data(Map.of("data", data));
		child.getMetadata().setUid("7d9c1a52-3f0e-4b8f-9c68-1f6a2f7f4d11");
		return child;
	}

}
