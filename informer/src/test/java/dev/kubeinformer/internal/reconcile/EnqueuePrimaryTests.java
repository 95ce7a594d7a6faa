package dev.kubeinformer.internal.reconcile;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kubernetes.client.openapi.models.V1Deployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.workqueue.RecordedFeed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which changes of primaries in a cache lead to runs, and in which lane.
 */
class EnqueuePrimaryTests {

	private final ObjectStore<V1Deployment> store = new ObjectStore<>(Set.of(""));

	private final CachedModels<V1Deployment> cluster = new CachedModels<>(this.store, "");

	private final RecordedFeed feed = new RecordedFeed();

	@Test
	void firstListWaitsBehindWhatHappens() {
		connect(EnqueuePrimary.Trigger.CONTENT);
		this.cluster.list("2", deployment("a", "1", 1, 0), deployment("b", "2", 1, 0));
		assertThat(this.feed.take()).containsExactlyInAnyOrder("ns/a INITIAL", "ns/b INITIAL");
		this.cluster.put(deployment("c", "3", 1, 0));
		this.cluster.put(deployment("a", "4", 2, 0));
		this.cluster.remove(deployment("b", "2", 1, 0), "5");
		assertThat(this.feed.take()).containsExactly("ns/c LIVE", "ns/a LIVE", "ns/b deleted");
	}

	@ParameterizedTest
	@EnumSource
	void updatesLeadToRunsByTheTrigger(EnqueuePrimary.Trigger trigger) {
		this.cluster.list("1", deployment("a", "1", 1, 0));
		connect(trigger);
		this.feed.take();
		this.cluster.put(deployment("a", "2", 1, 1));
		assertThat(this.feed.take())
			.isEqualTo((trigger == EnqueuePrimary.Trigger.ALL) ? List.of("ns/a LIVE") : List.of());
		V1Deployment generation = deployment("a", "3", 1, 1);
		generation.getMetadata().setGeneration(2L);
		this.cluster.put(generation);
		V1Deployment finalizer = deployment("a", "4", 1, 1);
		finalizer.getMetadata().setFinalizers(List.of("example.com/f"));
		this.cluster.put(finalizer);
		V1Deployment labels = deployment("a", "5", 1, 1);
		labels.getMetadata().setLabels(Map.of("app", "x"));
		this.cluster.put(labels);
		assertThat(this.feed.take()).isEqualTo(
				(trigger != EnqueuePrimary.Trigger.NONE) ? List.of("ns/a LIVE", "ns/a LIVE", "ns/a LIVE") : List.of());
	}

	@ParameterizedTest
	@EnumSource
	void additionsAndDeletionsPassAlways(EnqueuePrimary.Trigger trigger) {
		this.cluster.list("1");
		connect(trigger);
		this.feed.take();
		this.cluster.put(deployment("a", "2", 1, 0));
		V1Deployment deleting = deployment("a", "3", 1, 0);
		deleting.getMetadata().setDeletionTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
		this.cluster.put(deleting);
		this.cluster.remove(deleting, "4");
		assertThat(this.feed.take()).containsExactly("ns/a LIVE", "ns/a deleted", "ns/a deleted");
	}

	@Test
	void recreatedPrimaryIsDeletedAndAdded() {
		this.cluster.list("1", deployment("a", "1", 1, 0));
		connect(EnqueuePrimary.Trigger.CONTENT);
		this.feed.take();
		V1Deployment other = deployment("a", "2", 1, 0);
		other.getMetadata().setUid("other");
		this.cluster.put(other);
		assertThat(this.feed.take()).containsExactly("ns/a deleted", "ns/a LIVE");
	}

	@Test
	void restartQueuesDifferencesBehindWhatHappens() {
		this.cluster.list("1", deployment("a", "1", 1, 0), deployment("b", "1", 1, 0));
		connect(EnqueuePrimary.Trigger.CONTENT);
		this.feed.take();
		this.store.awaitFullStateAgain();
		new CachedModels<>(this.store, "").list("9", deployment("a", "5", 2, 0), deployment("b", "6", 1, 1));
		assertThat(this.feed.take()).containsExactly("ns/a INITIAL");
	}

	@Test
	void namespaceThatIsAddedLaterIsAFirstListToo() {
		ObjectStore<V1Deployment> parts = new ObjectStore<>(Set.of("other"));
		parts.addSink(sink(EnqueuePrimary.Trigger.CONTENT));
		new CachedModels<>(parts, "other").list("1");
		parts.addPartition("ns");
		CachedModels<V1Deployment> added = new CachedModels<>(parts, "ns");
		added.list("2", deployment("a", "1", 1, 0));
		added.put(deployment("a", "3", 2, 0));
		assertThat(this.feed.take()).containsExactly("ns/a INITIAL", "ns/a LIVE");
	}

	@Test
	void resyncIsPassedOn() {
		this.cluster.list("1", deployment("a", "1", 1, 0));
		EnqueuePrimary<V1Deployment> sink = sink(EnqueuePrimary.Trigger.CONTENT);
		this.store.addSinkWithoutReplay(sink);
		this.store.resync(sink, this.store.walk(), 1);
		assertThat(this.feed.take()).containsExactly("ns/a resync");
	}

	private void connect(EnqueuePrimary.Trigger trigger) {
		this.store.compareContent(ModelContent::sameApartFromStatus);
		this.store.addSink(sink(trigger));
	}

	private EnqueuePrimary<V1Deployment> sink(EnqueuePrimary.Trigger trigger) {
		return new EnqueuePrimary<>(this.feed, trigger);
	}

	private static V1Deployment deployment(String name, String version, int replicas, int ready) {
		return CachedModels.deployment(name, version, replicas, ready);
	}

}
