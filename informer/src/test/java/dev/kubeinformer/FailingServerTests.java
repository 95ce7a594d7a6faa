package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server that answers every request of fifty informers with an error for a while, with
 * the durations of life. It does so for longer with {@code -Dthrottled.duration=PT30S}.
 */
@Tag("slow")
class FailingServerTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	private static final Duration DURATION = Duration.parse(System.getProperty("throttled.duration", "PT8S"));

	private static final Duration WRITES = Duration.ofMillis(100);

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration MOMENT = Duration.ofMillis(100);

	private static final int INFORMERS = 50;

	@Test
	void fiftyInformersAskLessAndLessAtRandomTimesAndListNothingAgain() {
		// Side by side, because most of it is waiting.
		try (Pace pace = new Pace(1);
				Outage throttled = new Outage(429, Duration.ZERO);
				Outage throttledWithHint = new Outage(429, SECOND);
				Outage unavailable = new Outage(503, Duration.ZERO)) {
			List<Outage> outages = List.of(throttled, throttledWithHint, unavailable);
			outages.forEach(Outage::begin);
			CompletableFuture<Void> writing = pace.every(WRITES, DURATION,
					() -> outages.forEach((outage) -> outage.pods.change()));
			writing.orTimeout(DURATION.toSeconds() + 60, TimeUnit.SECONDS).join();
			outages.forEach(Outage::end);
			outages.forEach(Outage::awaitRecovery);
			outages.forEach(Outage::report);
			outages.forEach(Outage::check);
		}
	}

	/**
	 * A server, its informers, and the time in which it fails.
	 */
	private static final class Outage implements AutoCloseable {

		private final int status;

		private final Duration retryAfter;

		private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

		private final ChangingPods pods = new ChangingPods(this.api.resources(V1Pod.class), INFORMERS);

		private final Informers informers = Informers
			.builder(EngineTestSupport.client(this.api.url(), Protocol.H2_PRIOR_KNOWLEDGE))
			.build();

		private final PodWitness witness = new PodWitness();

		private Instant beginning = Instant.MAX;

		private Instant ending = Instant.MAX;

		Outage(int status, Duration retryAfter) {
			this.status = status;
			this.retryAfter = retryAfter;
			for (int i = 0; i < INFORMERS; i++) {
				this.informers.informer(InformerSpec.of(V1Pod.class).withLabelSelector("n=" + i))
					.addHandler(this.witness, HandlerOptions.defaults());
			}
			this.informers.start();
		}

		void begin() {
			awaitDelivered();
			// A watch that never brought anything, and ends, waits before it asks again.
			this.pods.changeAll();
			awaitDelivered();
			this.api.clearRequests();
			this.api.faults().on(Requests.any()).retryAfter(this.retryAfter).status(this.status);
			this.beginning = Instant.now();
			this.api.dropConnections();
		}

		void end() {
			this.ending = Instant.now();
			this.api.faults().clear();
		}

		void awaitRecovery() {
			awaitDelivered();
			this.informers.stop();
		}

		private void awaitDelivered() {
			int written = this.pods.history().size();
			await().atMost(Duration.ofSeconds(60)).until(() -> isLive() && this.witness.delivered().size() >= written);
		}

		private boolean isLive() {
			return this.informers.all().stream().allMatch((each) -> each.state() == InformerState.LIVE);
		}

		void report() {
			List<Instant> failed = times(failed());
			List<Instant> recovery = times(answered());
			List<Instant> retries = retries();
			figures.info(
					"Server that answers {} (Retry-After: {}) for {}: {} requests of {} informers, {} in the busiest second, "
							+ "by second {}; first retries in {} moments of {}, at most {} in one",
					this.status, this.retryAfter, DURATION, failed.size(), INFORMERS, busiest(failed, SECOND),
					bySecond(failed), moments(retries), MOMENT, busiest(retries, MOMENT));
			figures.info(
					"Recovery: last informer after {}, {} requests ({} of them probes), by second {}, at most {} in {}; "
							+ "{} lists, {} events written, {} delivered, {} lost, {} duplicated",
					Duration.between(this.ending, recovery.get(recovery.size() - 1)), recovery.size(),
					answered().stream().filter(EngineTestSupport::isProbe).count(), bySecond(recovery),
					busiest(recovery, MOMENT), MOMENT,
					this.api.requests().stream().filter(EngineTestSupport::isFullList).count(),
					this.pods.history().size(), this.witness.delivered().size(), this.witness.lost(this.pods.history()),
					this.witness.duplicated());
		}

		void check() {
			if (this.status == 503) {
				checkThatOneAsks();
			}
			else {
				checkThatEachAsks();
			}
			assertThat(this.api.requests()).noneMatch(EngineTestSupport::isFullList);
			assertThat(answered()).filteredOn(RecordedRequest::isWatch).hasSize(INFORMERS);
			assertThat(PodWitness.byName(this.witness.delivered())).isEqualTo(PodWitness.byName(this.pods.history()));
			assertThat(this.witness.state()).isEqualTo(this.pods.onServer());
		}

		/**
		 * Once each of them has found the server failing, one asks for all.
		 */
		private void checkThatOneAsks() {
			assertThat(failedWatchesByInformer()).hasSize(INFORMERS);
			assertThat(failed()).hasSizeLessThanOrEqualTo(INFORMERS + mostWithin(DURATION) + 1);
			List<Instant> recovery = times(answered());
			assertThat(Duration.between(this.ending, recovery.get(recovery.size() - 1)))
				.isLessThan(Duration.ofSeconds(6));
		}

		private void checkThatEachAsks() {
			assertThat(failedWatchesByInformer()).hasSize(INFORMERS)
				.allSatisfy(
						(informer, requests) -> assertThat(requests).hasSizeLessThanOrEqualTo(mostWithin(DURATION)));
			assertThat(failed()).hasSizeLessThanOrEqualTo(INFORMERS * mostWithin(DURATION));
			assertThat(busiest(times(failed()), SECOND)).isLessThanOrEqualTo(INFORMERS * mostWithin(SECOND));
			assertThat(moments(retries())).isGreaterThanOrEqualTo(4);
			assertThat(busiest(retries(), MOMENT)).isLessThan(INFORMERS);
			assertThat(busiest(times(answered()), MOMENT)).isLessThanOrEqualTo(answered().size() / 2);
		}

		/**
		 * Returns the maximum number of requests of one informer: one at once, and then
		 * one after each of the shortest waits of the backoff.
		 * @param duration the period
		 * @return the number of requests
		 */
		private int mostWithin(Duration duration) {
			Duration earliest = Duration.ZERO;
			int requests = 0;
			while (earliest.compareTo(duration) < 0) {
				requests++;
				earliest = earliest.plus(shortestWait(requests));
			}
			return requests;
		}

		private Duration shortestWait(int failures) {
			Duration wait = (failures == 1) ? Duration.ZERO : Duration.ofMillis(800L << (failures - 2));
			Duration most = Duration.ofSeconds(15);
			wait = (wait.compareTo(most) < 0) ? wait : most;
			return (wait.compareTo(this.retryAfter) > 0) ? wait : this.retryAfter;
		}

		private List<RecordedRequest> failed() {
			return this.api.requests().stream().filter((request) -> request.status() == this.status).toList();
		}

		private List<RecordedRequest> answered() {
			return this.api.requests().stream().filter((request) -> request.status() == 200).toList();
		}

		/**
		 * Without the probes, which do not show of which informer they are.
		 */
		private Map<String, List<RecordedRequest>> failedWatchesByInformer() {
			return failed().stream()
				.filter(RecordedRequest::isWatch)
				.collect(Collectors.groupingBy((request) -> String.valueOf(request.parameter("labelSelector"))));
		}

		private List<Instant> retries() {
			return times(failedWatchesByInformer().values()
				.stream()
				.flatMap((requests) -> requests.stream().skip(1).limit(1))
				.toList());
		}

		private static List<Instant> times(List<RecordedRequest> requests) {
			return requests.stream().map(RecordedRequest::at).sorted().toList();
		}

		/**
		 * The most of the times that lie in any window of some length.
		 * @param times the times in order
		 * @param window the length
		 * @return the number
		 */
		private static int busiest(List<Instant> times, Duration window) {
			int most = 0;
			int from = 0;
			for (int to = 0; to < times.size(); to++) {
				while (!times.get(to).isBefore(times.get(from).plus(window))) {
					from++;
				}
				most = Math.max(most, to - from + 1);
			}
			return most;
		}

		private long moments(List<Instant> times) {
			return times.stream()
				.map((time) -> Duration.between(this.beginning, time).dividedBy(MOMENT))
				.distinct()
				.count();
		}

		private List<Long> bySecond(List<Instant> times) {
			Map<Long, Long> counts = times.stream()
				.map((time) -> Duration.between(times.get(0), time).toSeconds())
				.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
			List<Long> list = new ArrayList<>();
			IntStream.rangeClosed(0, (int) Duration.between(times.get(0), times.get(times.size() - 1)).toSeconds())
				.forEach((second) -> list.add(counts.getOrDefault((long) second, 0L)));
			return list;
		}

		@Override
		public void close() {
			this.informers.close();
			this.api.close();
		}

	}

}
