package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Outage.Source;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

class OutagesTests {

	private static final Failure REFUSED = new Failure(Problem.REFUSED_CONNECTION, null, "", "");

	private static final Failure THROTTLED = new Failure(Problem.THROTTLED, new ApiStatus(429, "", "", "", 30), "", "");

	private final Random random = new Random(42);

	private long now = 1_000_000_000_000L;

	private final Outages outages = new Outages("The API server", ReflectorTimings.defaults(), () -> this.now,
			() -> this.random);

	private final AtomicInteger ends = new AtomicInteger();

	@Test
	void serverThatThrottlesTheOnlySourceIsNotBack() {
		this.outages.addListener(this.ends::incrementAndGet);
		Source source = join();
		fail(source, REFUSED);
		this.now += Duration.ofSeconds(5).toNanos();
		fail(source, THROTTLED);
		assertThat(this.ends).hasValue(0);
		assertThat(this.outages.isAway()).isTrue();
		this.outages.apply((outage, time) -> {
			assertThat(outage.untilTurn(source, time)).isGreaterThanOrEqualTo(Duration.ofSeconds(30).toNanos());
			return null;
		});
		this.now += Duration.ofSeconds(31).toNanos();
		this.outages.apply((outage, time) -> {
			outage.begins(source, false, time);
			return outage.answered(source, time);
		});
		assertThat(this.ends).hasValue(1);
		assertThat(this.outages.isAway()).isFalse();
	}

	private Source join() {
		Source[] joined = new Source[1];
		this.outages.apply((outage, time) -> {
			joined[0] = outage.join();
			return null;
		});
		return joined[0];
	}

	private void fail(Source source, Failure failure) {
		this.outages.apply((outage, time) -> {
			outage.begins(source, false, time);
			return outage.failed(source, failure, time);
		});
	}

}
