package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which updates are known to change a status only. The content of the objects here is a
 * text before a slash, the status follows it.
 */
class StatusChangesTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	private final AtomicInteger comparisons = new AtomicInteger();

	private final List<String> events = new ArrayList<>();

	@Test
	void nothingIsComparedBeforeItIsAskedFor() {
		record();
		this.writer.put(object("a", "u", "1", "x/1"), "1");
		this.writer.put(object("a", "u", "2", "x/2"), "2");
		compare();
		this.writer.put(object("a", "u", "3", "x/3"), "3");
		this.writer.put(object("a", "u", "4", "y/3"), "4");
		assertThat(this.events).containsExactly("+x/1", "x/1>x/2", "x/2>x/3 status", "x/3>y/3");
		assertThat(this.comparisons).hasValue(2);
	}

	@Test
	void listIsComparedAsFarAsVersionsDiffer() {
		compare();
		this.writer.replace(List.of(object("a", "u1", "1", "x/1"), object("b", "u2", "2", "x/1"),
				object("c", "u3", "3", "x/1"), object("d", "u4", "4", "x/1")), List.of(), false, "5", false);
		record();
		this.events.clear();
		this.writer.replace(List.of(object("a", "u1", "1", "x/1"), object("b", "u2", "6", "x/2"),
				object("c", "u3", "7", "y/1"), object("d", "u9", "8", "x/2")), List.of(), false, "9", false);
		assertThat(this.events).containsExactly("-x/1", "x/1>x/2 status", "x/1>y/1", "+x/2");
		assertThat(this.comparisons).hasValue(2);
	}

	@Test
	void objectThatIsIndexedMeanwhileIsStillTheOneThatWasCompared() {
		compare();
		this.writer.put(object("a", "u", "1", "x/1"), "1");
		this.store.addIndexers(Map.of("status", (text) -> List.of(text.substring(2))));
		record();
		this.writer.put(object("a", "u", "2", "x/2"), "2");
		assertThat(this.events).containsExactly("+x/1 first", "x/1>x/2 status");
		assertThat(this.store.snapshot().byIndex("status", "2")).containsExactly("x/2");
	}

	@Test
	void comparisonThatFailsIsAChange() {
		this.store.compareContent((before, after) -> {
			throw new IllegalStateException("cannot compare");
		});
		record();
		this.writer.put(object("a", "u", "1", "x/1"), "1");
		this.writer.put(object("a", "u", "2", "x/2"), "2");
		assertThat(this.events).containsExactly("+x/1", "x/1>x/2");
	}

	@Test
	void objectThatWasStoredAfterTheComparisonCountsAsChanged() {
		StoredObject<String> compared = object("a", "u", "1", "x/1");
		StoredObject<String> received = object("a", "u", "3", "x/3");
		this.writer.put(compared, "1");
		StatusChanges<String> changes = StatusChanges.of(List.of(received), this.store.snapshot(), (a, b) -> true);
		assertThat(changes.contains(compared, received)).isTrue();
		assertThat(changes.contains(object("a", "u", "2", "x/2"), received)).isFalse();
	}

	@Test
	void firstListOfEachPartitionIsMarked() {
		ObjectStore<String> parts = new ObjectStore<>(Set.of("ns"));
		parts.addSink(new Sink());
		parts.writer("ns").replace(List.of(object("a", "u", "1", "x/1")), List.of(), false, "1", false);
		parts.writer("ns").replace(List.of(object("b", "u", "2", "x/2")), List.of(), false, "2", false);
		parts.addPartition("other");
		parts.writer("other")
			.replace(List.of(new StoredObject<>("other", "c", "u", "3", "x/3")), List.of(), false, "3", false);
		parts.writer("other").put(new StoredObject<>("other", "c", "u", "4", "x/4"), "4");
		assertThat(this.events).containsExactly("+x/1 first", "-x/1", "+x/2", "+x/3 first", "x/3>x/4");
	}

	@Test
	void sinkWithoutReplayIsGivenWhatHappensAfterwards() {
		this.writer.replace(List.of(object("a", "u", "1", "x/1")), List.of(), false, "1", false);
		this.store.addSinkWithoutReplay(new Sink());
		assertThat(this.events).containsExactly("complete");
		this.writer.put(object("a", "u", "2", "x/2"), "2");
		assertThat(this.events).containsExactly("complete", "x/1>x/2");
	}

	private void compare() {
		this.store.compareContent((before, after) -> {
			this.comparisons.incrementAndGet();
			return before.charAt(0) == after.charAt(0);
		});
	}

	private void record() {
		this.store.addSink(new Sink());
		this.events.remove("complete");
	}

	private static StoredObject<String> object(String name, String uid, String version, String content) {
		return new StoredObject<>("ns", name, uid, version, content);
	}

	/** Sink that records such as {@code x/1>x/2 status} and {@code +x/1 first}. */
	private final class Sink implements DeltaSink<String> {

		@Override
		public void delta(Delta<String> delta) {
			String change = switch (delta.kind()) {
				case ADDED -> "+" + delta.subject().object();
				case UPDATED -> delta.before().object() + ">" + delta.subject().object();
				case DELETED -> "-" + delta.subject().object();
			};
			StatusChangesTests.this.events
				.add(change + (delta.statusOnly() ? " status" : "") + (delta.firstList() ? " first" : ""));
		}

		@Override
		public void resync(StoredObject<String> object) {
		}

		@Override
		public void initialStateComplete() {
			if (StatusChangesTests.this.events.isEmpty()) {
				StatusChangesTests.this.events.add("complete");
			}
		}

		@Override
		public void initialStateReset() {
		}

	}

}
