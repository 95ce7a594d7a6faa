package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.reflector.SyncSlots.Slot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SyncSlotsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final AtomicLong now = new AtomicLong();

	/** Gives up instead of waiting. */
	private final BooleanSupplier never = () -> true;

	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void slowListsAreNeverMoreThanFourTimesTheLimit(int limit) throws InterruptedException {
		SyncSlots slots = new SyncSlots(limit, PATIENCE, this.now::get);
		Slot last = null;
		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < limit; j++) {
				last = slots.acquire(this.never);
			}
			assertFull(slots);
			this.now.addAndGet(PATIENCE.toNanos());
		}
		assertFull(slots);
		last.release();
		slots.acquire(this.never);
		assertFull(slots);
	}

	@Test
	void oneThatWaitsForASlowListGoesOnWhenThatEnds() throws InterruptedException {
		SyncSlots slots = new SyncSlots(1, PATIENCE, this.now::get);
		Slot first = slots.acquire(this.never);
		for (int i = 0; i < 3; i++) {
			this.now.addAndGet(PATIENCE.toNanos());
			slots.acquire(this.never);
		}
		this.now.addAndGet(PATIENCE.toNanos());
		AtomicInteger looks = new AtomicInteger();
		slots.acquire(() -> {
			if (looks.incrementAndGet() == 1) {
				first.release();
			}
			return false;
		});
		assertThat(looks.get()).isEqualTo(1);
	}

	@Test
	void limitMayBeAnyNumber() throws InterruptedException {
		SyncSlots slots = new SyncSlots(Integer.MAX_VALUE, PATIENCE, this.now::get);
		slots.acquire(this.never);
		slots.acquire(this.never);
	}

	private void assertFull(SyncSlots slots) {
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> slots.acquire(this.never));
	}

}
