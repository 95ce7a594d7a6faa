package dev.kubeinformer.test;

import java.time.Duration;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.kubeinformer.test.internal.request.Signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class NegativeValuesTests {

	private static final Duration NEGATIVE = Duration.ofSeconds(-1);

	@Test
	void negativeTimesAndNumbersAreRefusedInTheSameWords() {
		EmbeddedKubernetes.Builder builder = EmbeddedKubernetes.builder();
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			FaultBuilder fault = api.faults().on(Requests.any());
			ScriptedReply reply = new ScriptedReply();
			Stream
				.<ThrowingCallable>of(() -> builder.bookmarkInterval(NEGATIVE),
						() -> builder.bookmarkInterval(Duration.ZERO), () -> builder.historyLimit(-1),
						() -> builder.requestLimit(-1), () -> builder.port(-1), () -> fault.times(-1),
						() -> fault.afterDelay(NEGATIVE), () -> fault.retryAfter(NEGATIVE), () -> fault.delay(NEGATIVE),
						() -> fault.dribble(-1, Duration.ZERO), () -> fault.dribble(1, NEGATIVE),
						() -> api.faults().watchLag(NEGATIVE), () -> reply.retryAfter(NEGATIVE),
						() -> reply.delay(NEGATIVE))
				.forEach((setter) -> assertThatIllegalArgumentException().isThrownBy(setter)
					.withMessageMatching("[A-Z][a-z -]+ '[^']+' must (not be negative|be positive|be at least \\d)"));
		}
	}

	@Test
	@Timeout(30)
	void waitThatIsLongerThanAClockCanCountHasNoEnd() {
		assertThat(new Signal().await(() -> true, Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
		assertThat(new Signal().await(() -> false, Duration.ofMillis(5))).isFalse();
	}

}
