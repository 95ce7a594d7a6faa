package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class InFlightLimitTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final int LIMIT = 2;

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final InFlightLimit openings = new InFlightLimit(LIMIT, HOUR, HOUR.multipliedBy(3), this.clock::get);

	private final List<InFlightLimit.Permit> all = new ArrayList<>();

	@AfterEach
	void end() {
		this.all.forEach(InFlightLimit.Permit::close);
	}

	@Test
	void asManyAsTheLimitWaitForAnAnswerAtOnce() throws IOException {
		InFlightLimit.Permit first = held();
		held();
		CompletableFuture<InFlightLimit.Permit> third = waiting(1);
		assertThat(third).isNotDone();
		first.close();
		assertThat(third).succeedsWithin(MINUTE);
		// The second time gives nothing.
		CompletableFuture<InFlightLimit.Permit> fourth = waiting(1);
		first.close();
		assertThat(this.openings.waiting()).isEqualTo(1);
		third.join().close();
		assertThat(fourth).succeedsWithin(MINUTE);
	}

	@Test
	void permitsAreGivenInTheOrderOfTheRequests() throws IOException {
		InFlightLimit.Permit holder = held();
		held();
		List<CompletableFuture<InFlightLimit.Permit>> queue = List.of(waiting(1), waiting(2), waiting(3));
		for (int i = 0; i < queue.size(); i++) {
			holder.close();
			holder = queue.get(i).join();
			assertThat(this.openings.waiting()).isEqualTo(queue.size() - 1 - i);
		}
	}

	@Test
	void permitsThatAreHeldForTooLongAreLentOn() throws IOException {
		held();
		this.clock.addAndGet(HOUR.dividedBy(2).toNanos());
		held();
		CompletableFuture<InFlightLimit.Permit> third = waiting(1);
		this.clock.addAndGet(HOUR.dividedBy(2).toNanos());
		// Only that of the first is over; who comes now is behind the third.
		CompletableFuture<InFlightLimit.Permit> fourth = waiting(1);
		assertThat(third).succeedsWithin(MINUTE);
		assertThat(fourth).isNotDone();
	}

	@Test
	void permitIsLentOnWithoutAnyOtherRequest() throws IOException {
		InFlightLimit impatient = new InFlightLimit(1, Duration.ofMillis(50), HOUR, System::nanoTime);
		InFlightLimit.Permit hanging = impatient.permit();
		hanging.acquire();
		List<CompletableFuture<InFlightLimit.Permit>> others = List.of(acquire(impatient.permit()),
				acquire(impatient.permit()), acquire(impatient.permit()));
		assertThat(others).allSatisfy((other) -> assertThat(other).succeedsWithin(MINUTE));
	}

	@Test
	void permitOfWhoWaitsForATurnIsNotLentOn() throws IOException {
		InFlightLimit.Permit first = held();
		held().awaitsTurn();
		first.awaitsTurn();
		this.clock.addAndGet(HOUR.multipliedBy(2).toNanos());
		CompletableFuture<InFlightLimit.Permit> third = waiting(1);
		assertThat(third).isNotDone();
		// Its time begins when it can be answered.
		first.hasTurn();
		assertThat(this.openings.waiting()).isEqualTo(1);
		this.clock.addAndGet(HOUR.toNanos());
		CompletableFuture<InFlightLimit.Permit> fourth = waiting(1);
		assertThat(third).succeedsWithin(MINUTE);
		assertThat(fourth).isNotDone();
	}

	@Test
	void requestThatIsCancelledStopsWaitingAtOnce() throws IOException {
		InFlightLimit.Permit first = held();
		held();
		InFlightLimit.Permit cancelled = permit();
		CompletableFuture<InFlightLimit.Permit> third = acquire(cancelled);
		await().until(() -> this.openings.waiting() == 1);
		CompletableFuture<InFlightLimit.Permit> fourth = waiting(2);
		cancelled.cancel();
		assertThat(third).failsWithin(MINUTE);
		first.close();
		assertThat(fourth).succeedsWithin(MINUTE);
		assertThatExceptionOfType(IOException.class).isThrownBy(cancelled::acquire);
	}

	@Test
	void requestThatIsInterruptedStopsWaitingAndStaysInterrupted() throws Exception {
		held();
		held();
		InFlightLimit.Permit permit = permit();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				permit.acquire();
			}
			catch (IOException ex) {
				interrupted.complete(Thread.currentThread().isInterrupted());
			}
		});
		thread.start();
		await().until(() -> this.openings.waiting() == 1);
		thread.interrupt();
		assertThat(interrupted).succeedsWithin(MINUTE).isEqualTo(true);
		assertThat(this.openings.waiting()).isZero();
	}

	@Test
	void requestThatGetsNoPermitSaysSo() throws IOException {
		InFlightLimit impatient = new InFlightLimit(1, HOUR, Duration.ofMillis(50), System::nanoTime);
		impatient.permit().acquire();
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> impatient.permit().acquire())
			.withMessageStartingWith("not sent within 50 ms");
		assertThat(impatient.waiting()).isZero();
	}

	private InFlightLimit.Permit permit() {
		InFlightLimit.Permit permit = this.openings.permit();
		this.all.add(permit);
		return permit;
	}

	private InFlightLimit.Permit held() throws IOException {
		InFlightLimit.Permit permit = permit();
		permit.acquire();
		return permit;
	}

	/**
	 * Makes one more request wait.
	 * @param waiting how many wait then, of those who may not go on
	 * @return the permit, when it is given
	 */
	private CompletableFuture<InFlightLimit.Permit> waiting(int waiting) {
		CompletableFuture<InFlightLimit.Permit> acquired = acquire(permit());
		await().until(() -> this.openings.waiting() == waiting);
		return acquired;
	}

	private static CompletableFuture<InFlightLimit.Permit> acquire(InFlightLimit.Permit permit) {
		CompletableFuture<InFlightLimit.Permit> acquired = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				permit.acquire();
				acquired.complete(permit);
			}
			catch (IOException ex) {
				acquired.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return acquired;
	}

}
