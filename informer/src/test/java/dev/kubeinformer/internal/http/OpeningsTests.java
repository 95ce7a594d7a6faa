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
class OpeningsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final int LIMIT = 2;

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

	private final Openings openings = new Openings(LIMIT, HOUR, HOUR.multipliedBy(3), this.clock::get);

	private final List<Openings.Permit> all = new ArrayList<>();

	@AfterEach
	void end() {
		this.all.forEach(Openings.Permit::close);
	}

	@Test
	void asManyAsTheLimitWaitForAnAnswerAtOnce() throws IOException {
		Openings.Permit first = held();
		held();
		CompletableFuture<Openings.Permit> third = waiting(1);
		assertThat(third).isNotDone();
		first.close();
		assertThat(third).succeedsWithin(MINUTE);
		// The second time gives nothing.
		CompletableFuture<Openings.Permit> fourth = waiting(1);
		first.close();
		assertThat(this.openings.waiting()).isEqualTo(1);
		third.join().close();
		assertThat(fourth).succeedsWithin(MINUTE);
	}

	@Test
	void permitsAreGivenInTheOrderOfTheRequests() throws IOException {
		Openings.Permit holder = held();
		held();
		List<CompletableFuture<Openings.Permit>> queue = List.of(waiting(1), waiting(2), waiting(3));
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
		CompletableFuture<Openings.Permit> third = waiting(1);
		this.clock.addAndGet(HOUR.dividedBy(2).toNanos());
		// Only that of the first is over; who comes now is behind the third.
		CompletableFuture<Openings.Permit> fourth = waiting(1);
		assertThat(third).succeedsWithin(MINUTE);
		assertThat(fourth).isNotDone();
	}

	@Test
	void permitIsLentOnWithoutAnyOtherRequest() throws IOException {
		Openings impatient = new Openings(1, Duration.ofMillis(50), HOUR, System::nanoTime);
		Openings.Permit hanging = impatient.permit();
		hanging.acquire();
		List<CompletableFuture<Openings.Permit>> others = List.of(acquire(impatient.permit()),
				acquire(impatient.permit()), acquire(impatient.permit()));
		assertThat(others).allSatisfy((other) -> assertThat(other).succeedsWithin(MINUTE));
	}

	@Test
	void permitOfWhoWaitsForATurnIsNotLentOn() throws IOException {
		Openings.Permit first = held();
		held().awaitsTurn();
		first.awaitsTurn();
		this.clock.addAndGet(HOUR.multipliedBy(2).toNanos());
		CompletableFuture<Openings.Permit> third = waiting(1);
		assertThat(third).isNotDone();
		// Its time begins when it can be answered.
		first.hasTurn();
		assertThat(this.openings.waiting()).isEqualTo(1);
		this.clock.addAndGet(HOUR.toNanos());
		CompletableFuture<Openings.Permit> fourth = waiting(1);
		assertThat(third).succeedsWithin(MINUTE);
		assertThat(fourth).isNotDone();
	}

	@Test
	void requestThatIsCancelledStopsWaitingAtOnce() throws IOException {
		Openings.Permit first = held();
		held();
		Openings.Permit cancelled = permit();
		CompletableFuture<Openings.Permit> third = acquire(cancelled);
		await().until(() -> this.openings.waiting() == 1);
		CompletableFuture<Openings.Permit> fourth = waiting(2);
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
		Openings.Permit permit = permit();
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
		Openings impatient = new Openings(1, HOUR, Duration.ofMillis(50), System::nanoTime);
		impatient.permit().acquire();
		assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> impatient.permit().acquire())
			.withMessageStartingWith("not sent within 50 ms");
		assertThat(impatient.waiting()).isZero();
	}

	private Openings.Permit permit() {
		Openings.Permit permit = this.openings.permit();
		this.all.add(permit);
		return permit;
	}

	private Openings.Permit held() throws IOException {
		Openings.Permit permit = permit();
		permit.acquire();
		return permit;
	}

	/**
	 * Makes one more request wait.
	 * @param waiting how many wait then, of those who may not go on
	 * @return the permit, when it is given
	 */
	private CompletableFuture<Openings.Permit> waiting(int waiting) {
		CompletableFuture<Openings.Permit> acquired = acquire(permit());
		await().until(() -> this.openings.waiting() == waiting);
		return acquired;
	}

	private static CompletableFuture<Openings.Permit> acquire(Openings.Permit permit) {
		CompletableFuture<Openings.Permit> acquired = new CompletableFuture<>();
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
