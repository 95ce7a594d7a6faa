package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Outage.Source;
import dev.kubeinformer.internal.transport.Haste;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests of a thousand replicas of ten informers each to an API server that is
 * unavailable for five minutes, simulated: each informer asks for itself, or one asks for
 * all.
 */
class OutageHerdTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	private static final int REPLICAS = 1000;

	private static final int INFORMERS = 10;

	private static final Duration AWAY = Duration.ofMinutes(5);

	/** While the waits grow, with which replicas begin at the same moment. */
	private static final int GROWING = 30;

	/** Duration of each answer. */
	private static final Duration SLOW = Duration.ofSeconds(10);

	/** The deadline of answers that are hurried, at first. */
	private static final Duration BRISK = Duration.ofSeconds(3);

	private final ReflectorTimings timings = ReflectorTimings.defaults();

	private final Random random = new Random(42);

	@ParameterizedTest
	@EnumSource(names = { "UNAVAILABLE", "REFUSED_CONNECTION" })
	void oneForAllAsksLessThanEachForItself(Problem problem) {
		List<Long> each = new ArrayList<>();
		List<Long> one = new ArrayList<>();
		for (int i = 0; i < REPLICAS; i++) {
			each.addAll(eachForItself(problem));
			one.addAll(oneForAll(problem));
		}
		long[] before = bySecond(each);
		long[] now = bySecond(one);
		report(problem, "each for itself", before);
		report(problem, "one for all", now);
		int away = (int) AWAY.toSeconds();
		assertThat(sum(now, 0, away)).isLessThan(sum(before, 0, away));
		for (int second = 0; second < away; second++) {
			assertThat(sum(now, 0, second + 1)).isLessThanOrEqualTo(sum(before, 0, second + 1));
		}
		assertThat(busiest(now, GROWING, away)).isLessThan(busiest(before, GROWING, away));
		// Each asks for the version, and then watches.
		assertThat(sum(now, away, now.length)).isEqualTo(2L * REPLICAS * INFORMERS);
		assertThat(now).hasSizeLessThanOrEqualTo(away + 4);
		// No second of the return is as busy as that in which all lost the server.
		assertThat(busiest(now, away, now.length)).isLessThan(before[0]);
	}

	/**
	 * A server that restarts cuts all connections, and needs ten seconds for each answer
	 * while all come back. Each request that is cancelled and sent again makes it slower.
	 */
	@ParameterizedTest
	@CsvSource({ "IO, 0", "REFUSED_CONNECTION, 5" })
	void slowServerIsAskedNoMoreOftenThanItMustBe(Problem problem, int most) {
		List<Long> before = new ArrayList<>();
		List<Long> now = new ArrayList<>();
		for (int i = 0; i < REPLICAS; i++) {
			before.addAll(cancelledBySlowServer(problem, true));
			now.addAll(cancelledBySlowServer(problem, false));
		}
		figures.info("Server that needs {} s, after {}: {} requests cancelled if all answers are hurried, {} now",
				SLOW.toSeconds(), problem, before.size(), now.size());
		assertThat(now.size()).isLessThanOrEqualTo(most * REPLICAS).isLessThan(before.size() / 2);
	}

	private List<Long> cancelledBySlowServer(Problem problem, boolean hurried) {
		List<Long> cancelled = new ArrayList<>();
		Outage outage = new Outage(this.timings, () -> this.random);
		Source source = outage.join();
		outage.begins(source, false, 0);
		outage.failed(source, new Failure(problem, null, "", ""), 0);
		long now = 0;
		while (true) {
			Haste haste = outage.begins(source, false, now);
			Duration limit = (haste != null) ? haste.answer() : null;
			if (hurried) {
				limit = Duration.ofNanos(Math.max(now / 8, BRISK.toNanos()));
			}
			if (limit == null || limit.compareTo(SLOW) >= 0) {
				return cancelled;
			}
			now += limit.toNanos();
			cancelled.add(now);
			outage.failed(source, new Failure(Problem.SILENT, null, "", ""), now);
			now += outage.untilTurn(source, now);
		}
	}

	private List<Long> eachForItself(Problem problem) {
		List<Long> requests = new ArrayList<>();
		for (int i = 0; i < INFORMERS; i++) {
			long now = 0;
			int failures = 0;
			while (now < AWAY.toNanos()) {
				requests.add(now);
				failures++;
				Pause pause = (problem == Problem.REFUSED_CONNECTION) ? Pause.reconnect(failures)
						: Pause.backoff(failures, Duration.ZERO);
				now += pause.draw(this.timings, this.random).toNanos();
			}
			requests.addAll(List.of(now, now));
		}
		return requests;
	}

	private List<Long> oneForAll(Problem problem) {
		List<Long> requests = new ArrayList<>();
		Outage outage = new Outage(this.timings, () -> this.random);
		Failure failure = new Failure(problem,
				(problem == Problem.UNAVAILABLE) ? new ApiStatus(503, "", "", "", null) : null, "", "");
		List<Source> sources = IntStream.range(0, INFORMERS).mapToObj((i) -> outage.join()).toList();
		for (Source source : sources) {
			outage.begins(source, false, 0);
			outage.opened(source, 0);
		}
		sources.forEach((source) -> outage.failed(source, new Failure(Problem.IO, null, "", ""), 0));
		for (Source source : sources) {
			outage.begins(source, false, 0);
			outage.failed(source, failure, 0);
			outage.untilTurn(source, 0);
			requests.add(0L);
		}
		long now = 0;
		while (outage.isActive()) {
			Source next = outage.next();
			for (long left = outage.untilTurn(next, now); left > 0; left = outage.untilTurn(next, now)) {
				now += left;
			}
			outage.begins(next, false, now);
			requests.add(now);
			if (now < AWAY.toNanos()) {
				outage.failed(next, failure, now);
				outage.untilTurn(next, now);
			}
			else {
				outage.answered(next, now);
			}
		}
		for (int i = 0; i < 2 * INFORMERS - 1; i++) {
			requests.add(now);
		}
		return requests;
	}

	private static long[] bySecond(List<Long> requests) {
		long[] counts = new long[(int) Duration.ofNanos(LongStream.of(longs(requests)).max().orElseThrow()).toSeconds()
				+ 1];
		requests.forEach((each) -> counts[(int) Duration.ofNanos(each).toSeconds()]++);
		return counts;
	}

	private static long[] longs(List<Long> values) {
		return values.stream().mapToLong(Long::longValue).toArray();
	}

	private static long sum(long[] counts, int from, int to) {
		return IntStream.range(from, Math.min(to, counts.length)).mapToLong((i) -> counts[i]).sum();
	}

	private static long busiest(long[] counts, int from, int to) {
		return IntStream.range(from, Math.min(to, counts.length)).mapToLong((i) -> counts[i]).max().orElse(0);
	}

	private static void report(Problem problem, String way, long[] counts) {
		int away = (int) AWAY.toSeconds();
		figures.info(
				"{}, {}: {} requests in the first second, {} in {} s ({} per second after the first {} s, at most {}); "
						+ "after the return {} in the first second, at most {} in one, the last after {} s",
				problem, way, counts[0], sum(counts, 0, away), away, sum(counts, GROWING, away) / (away - GROWING),
				GROWING, busiest(counts, GROWING, away), (counts.length > away) ? counts[away] : 0,
				busiest(counts, away, counts.length), counts.length - away);
	}

}
