package dev.kubeinformer.internal.events;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.Reconciliation.EventType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which events are sent, in virtual time.
 */
class EventSeriesTests {

	private final AtomicLong now = new AtomicLong();

	private final AtomicLong names = new AtomicLong();

	private final EventSeries series = new EventSeries(this.now::get);

	@Test
	void firstIsCreatedAndTheCountFollowsFromTimeToTime() {
		assertThat(next("a").count()).isEqualTo(1);
		assertThat(next("a").count()).isEqualTo(2);
		for (int i = 0; i < 100; i++) {
			assertThat(next("a").count()).isZero();
		}
		pass(Duration.ofMinutes(5));
		assertThat(next("a")).satisfies((sending) -> {
			assertThat(sending.count()).isEqualTo(103);
			assertThat(sending.name()).isEqualTo("event-0");
		});
	}

	@Test
	void seriesEnds() {
		next("a");
		pass(Duration.ofMinutes(6).plusNanos(1));
		assertThat(next("a")).satisfies((sending) -> {
			assertThat(sending.count()).isEqualTo(1);
			assertThat(sending.name()).isEqualTo("event-1");
		});
	}

	@Test
	void oneObjectHasABudget() {
		int sent = 0;
		for (int i = 0; i < 1000; i++) {
			sent += (next("note " + i).count() > 0) ? 1 : 0;
		}
		assertThat(sent).isEqualTo(25);
		assertThat(this.series.next(new EventSeries.Key("other", EventType.NORMAL, "R", "a"), this::name).count())
			.isEqualTo(1);
		pass(Duration.ofMinutes(5));
		assertThat(next("later").count()).isEqualTo(1);
		assertThat(next("later").count()).isZero();
	}

	@Test
	void eventThatFoundNoBudgetIsCreatedLater() {
		for (int i = 0; i < 25; i++) {
			next("note " + i);
		}
		assertThat(next("late").count()).isZero();
		pass(Duration.ofMinutes(5));
		assertThat(next("late").count()).isEqualTo(1);
	}

	@Test
	void failedSeriesBeginsAnew() {
		this.series.failed(next("a"));
		assertThat(next("a").count()).isEqualTo(1);
	}

	@Test
	void memoryIsBounded() {
		for (int i = 0; i < 10_000; i++) {
			this.series.next(new EventSeries.Key("uid-" + i, EventType.NORMAL, "R", "n"), this::name);
		}
		assertThat(this.series.size()).isEqualTo(4096);
	}

	private EventSeries.Sending next(String note) {
		return this.series.next(new EventSeries.Key("uid", EventType.NORMAL, "Reason", note), this::name);
	}

	private String name() {
		return "event-" + this.names.getAndIncrement();
	}

	private void pass(Duration time) {
		this.now.addAndGet(time.toNanos());
	}

}
