package dev.kubeinformer.internal.events;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kinds of warnings about events, each of which is logged once a day.
 */
class EventPausesTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);

	private final EventPauses pauses = new EventPauses(this.clock::get);

	@Test
	void kindIsNewOnceADay() {
		assertThat(this.pauses.isNew("a")).isTrue();
		this.clock.addAndGet(Duration.ofHours(23).toNanos());
		assertThat(this.pauses.isNew("a")).isFalse();
		this.clock.addAndGet(Duration.ofHours(2).toNanos());
		assertThat(this.pauses.isNew("a")).isTrue();
		assertThat(this.pauses.isNew("a")).isFalse();
	}

	@Test
	void kindBeyondTheTwentiethTakesThePlaceOfTheEldestAfterAnHour() {
		for (int i = 0; i < 20; i++) {
			assertThat(this.pauses.isNew("kind" + i)).isTrue();
		}
		assertThat(this.pauses.isNew("one more")).isFalse();
		this.clock.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(this.pauses.isNew("one more")).isTrue();
		assertThat(this.pauses.isNew("kind1")).isFalse();
		assertThat(this.pauses.isNew("kind0")).isTrue();
	}

	@Test
	void manyNamespacesWithoutTheRightAreTwentyWarningsAnHourAtMost() {
		int warnings = 0;
		for (int minute = 0; minute < 180; minute += 10) {
			for (int i = 0; i < 1000; i++) {
				warnings += this.pauses.isNew("FORBIDDEN tenant" + i) ? 1 : 0;
			}
			this.clock.addAndGet(Duration.ofMinutes(10).toNanos());
		}
		assertThat(warnings).isEqualTo(60);
	}

	@Test
	void kindThatIsNewAgainIsTheYoungest() {
		this.pauses.isNew("first");
		this.clock.addAndGet(Duration.ofHours(25).toNanos());
		for (int i = 0; i < 18; i++) {
			this.pauses.isNew("kind" + i);
		}
		assertThat(this.pauses.isNew("first")).isTrue();
		assertThat(this.pauses.isNew("one more")).isTrue();
		this.clock.addAndGet(Duration.ofHours(2).toNanos());
		assertThat(this.pauses.isNew("another")).isTrue();
		assertThat(this.pauses.isNew("first")).isFalse();
	}

}
