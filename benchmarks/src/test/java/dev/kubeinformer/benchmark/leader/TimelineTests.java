package dev.kubeinformer.benchmark.leader;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TimelineTests {

	private final Timeline timeline = new Timeline();

	@Test
	void runThatBeginsBeforeAnotherReplicasHasEndedShouldOverlap() {
		add("a", 10, Entry.Kind.BEGIN, 1);
		add("b", 20, Entry.Kind.BEGIN, 1);
		add("a", 30, Entry.Kind.END, 1, "written");
		add("b", 40, Entry.Kind.END, 1, "written");
		assertThat(overlaps(Map.of())).containsExactly(List.of(new Span("a", 10, 30), new Span("b", 20, 40)));
	}

	@Test
	void tickDuringTheRunOfAnotherReplicaShouldOverlap() {
		add("a", 10, Entry.Kind.BEGIN, 1);
		add("b", 20, Entry.Kind.TICK);
		add("a", 30, Entry.Kind.END, 1, "written");
		assertThat(overlaps(Map.of())).hasSize(1);
	}

	@Test
	void runsOfOneReplicaAndRunsOneAfterTheOtherShouldNotOverlap() {
		add("a", 10, Entry.Kind.BEGIN, 1);
		add("a", 20, Entry.Kind.BEGIN, 2);
		add("a", 30, Entry.Kind.END, 1, "written");
		add("a", 40, Entry.Kind.END, 2, "written");
		add("b", 41, Entry.Kind.BEGIN, 1);
		add("b", 50, Entry.Kind.END, 1, "written");
		assertThat(overlaps(Map.of())).isEmpty();
	}

	@Test
	void longRunShouldOverlapWithALaterOneBesideAShortOneOfItsOwn() {
		add("a", 10, Entry.Kind.BEGIN, 1);
		add("a", 20, Entry.Kind.TICK);
		add("b", 30, Entry.Kind.TICK);
		add("a", 40, Entry.Kind.END, 1, "written");
		assertThat(overlaps(Map.of())).containsExactly(List.of(new Span("a", 10, 40), new Span("b", 30, 30)));
	}

	@Test
	void runOfAReplicaThatWasKilledShouldEndWithIt() {
		add("a", 10, Entry.Kind.BEGIN, 1);
		add("b", 30, Entry.Kind.TICK);
		assertThat(overlaps(Map.of("a", 20L))).isEmpty();
		assertThat(overlaps(Map.of("a", 31L))).hasSize(1);
		assertThat(overlaps(Map.of())).hasSize(1);
	}

	@Test
	void awaitShouldReturnTheEarliestEntrySinceTheMoment() throws Exception {
		add("b", 30, Entry.Kind.TICK);
		add("a", 20, Entry.Kind.TICK);
		add("a", 10, Entry.Kind.TICK);
		Entry found = this.timeline.await("tick", 15, Duration.ofSeconds(1), Trial.is(Entry.Kind.TICK));
		assertThat(found.nanos()).isEqualTo(20);
	}

	@Test
	void awaitShouldFailWithTheLastEntriesWhenNoneComes() {
		add("a", 10, Entry.Kind.GRANTED, 7);
		assertThatIllegalStateException()
			.isThrownBy(() -> this.timeline.await("run", 0, Duration.ofMillis(10), Trial.is(Entry.Kind.BEGIN)))
			.withMessageContainingAll("No run within", "GRANTED");
	}

	private List<List<Span>> overlaps(Map<String, Long> ends) {
		return Timeline.overlaps(this.timeline.spans(ends, 100));
	}

	private void add(String replica, long nanos, Entry.Kind kind, Object... details) {
		this.timeline.add(Objects.requireNonNull(Entry.of(replica, Entry.line(nanos, kind, details))));
	}

}
