package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.workqueue.KeyCause;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attribution of the runs of a key to what caused them.
 */
class LoopRunsTests {

	private static final int NOTED = 10;

	private static final int FEW = 10;

	private final Set<String> written = new HashSet<>();

	private final Predicate<KeyCause> own = (cause) -> this.written.contains(cause.version());

	private final LoopRuns runs = new LoopRuns(0);

	private long now;

	private int version;

	private KeyCause change(boolean byThisApplication, boolean answered) {
		String next = Integer.toString(++this.version);
		if (byThisApplication) {
			this.written.add(next);
		}
		KeyCause cause = KeyCause.of(map(next, 1L), map(next, 2L));
		this.runs.queued(cause, byThisApplication && answered, true, this.now);
		return cause;
	}

	private static V1ConfigMap map(String version, long generation) {
		return new V1ConfigMap().metadata(
				new V1ObjectMeta().namespace("a").name("b").uid("1").resourceVersion(version).generation(generation));
	}

	private LoopPace run() {
		return run(Duration.ofMillis(10));
	}

	private LoopPace run(Duration later) {
		this.now += later.toNanos();
		this.runs.starts(true, this.now, NOTED);
		return this.runs.ended(this.own, this.now);
	}

	private void write(String child) {
		String next = Integer.toString(++this.version);
		this.written.add(next);
		V1ConfigMap before = map(next, 1L);
		before.getMetadata().setName(child);
		this.runs.queued(KeyCause.of(before, before), true, false, this.now);
	}

	private void slowDown(boolean answered) {
		for (int i = 0; i < NOTED + FEW + 33; i++) {
			change(true, answered || i % 2 == 0);
			run();
		}
		assertThat(this.runs.isSlowed(this.now)).isTrue();
	}

	@Test
	void runsForOwnChangesAreSlowedDownWheneverTheAnswersCome() {
		slowDown(false);
	}

	@Test
	void rolloutOfManyChildrenIsNotSlowedDown() {
		for (int write = 0; write < FEW; write++) {
			for (int child = 0; child < 100; child++) {
				write("child" + child);
				assertThat(run().interval()).isZero();
			}
		}
	}

	@Test
	void childrenThatAreCreatedWithoutEndSlowDownTheirParent() {
		for (int child = 0; child < NOTED + 310; child++) {
			write("child" + child);
			run();
		}
		assertThat(this.runs.isSlowed(this.now)).isTrue();
	}

	@Test
	void heartbeatOfAChildDoesNotKeepTheSlowPaceOfALoop() {
		slowDown(true);
		write("child");
		run(Duration.ofSeconds(30));
		for (int i = 0; i < 100; i++) {
			write("child");
			assertThat(run(Duration.ofSeconds(30)).interval()).isZero();
		}
	}

	@Test
	void loopIsSlowedDownAlsoWithHeartbeatsOfItsChildren() {
		for (int i = 0; i < 100; i++) {
			change(true, true);
			run();
			write("child" + i % 10);
			change(true, true);
			run();
		}
		assertThat(this.runs.isSlowed(this.now)).isTrue();
	}

	@Test
	void oneChangeByOthersMakesARunOneForOthers() {
		for (int i = 0; i < 200; i++) {
			change(true, true);
			change(false, true);
			assertThat(run().interval()).isZero();
		}
	}

	@Test
	void runWithoutAKnownCauseIsOneForOthers() {
		for (int i = 0; i < 200; i++) {
			assertThat(run().interval()).isZero();
		}
	}

	@Test
	void specThatOthersChangeRunsAtOnceUntilItTurnsOutToBeAnOwnWrite() {
		slowDown(true);
		assertThat(this.runs.queued(KeyCause.of(map("x", 1L), map("x", 2L)), false, true, this.now)).isTrue();
		run();
		assertThat(this.runs.queued(KeyCause.of(map("y", 1L), map("y", 2L)), false, true, this.now)).isTrue();
		// The answer of the write comes after its change.
		this.written.add("y");
		run();
		assertThat(this.runs.queued(KeyCause.of(map("z", 1L), map("z", 2L)), false, true, this.now)).isFalse();
		assertThat(this.runs.queued(KeyCause.of(map("z", 1L), map("z", 2L)), false, false, this.now)).isFalse();
	}

	@Test
	void keyIsForgottenAMinuteAfterItsLastRun() {
		slowDown(true);
		assertThat(this.runs.isOver(this.now + Duration.ofSeconds(59).toNanos())).isFalse();
		assertThat(this.runs.isOver(this.now + Duration.ofSeconds(61).toNanos())).isTrue();
	}

}
