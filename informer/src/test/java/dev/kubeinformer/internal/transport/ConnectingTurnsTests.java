package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ConnectingTurnsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final ConnectingTurns turns = new ConnectingTurns(HOUR);

	private final Call first = call();

	private final Call second = call();

	private final Call third = call();

	@AfterEach
	void leave() {
		for (Call call : List.of(this.first, this.second, this.third)) {
			this.turns.leave(call);
		}
	}

	@Test
	void requestWaitsUntilTheOneThatConnectsHasFailed() {
		this.turns.enter(this.first);
		CompletableFuture<Void> entered = enters(this.second);
		awaitWaiting(1);
		this.turns.leave(this.first);
		assertThat(entered).succeedsWithin(HOUR);
	}

	@Test
	void turnIsGivenToOneAfterTheOther() {
		this.turns.enter(this.first);
		CompletableFuture<Void> entered = enters(this.second);
		CompletableFuture<Void> other = enters(this.third);
		awaitWaiting(2);
		this.turns.leave(this.first);
		CompletableFuture.anyOf(entered, other).join();
		awaitWaiting(1);
		this.turns.leave(entered.isDone() ? this.second : this.third);
		assertThat(CompletableFuture.allOf(entered, other)).succeedsWithin(HOUR);
	}

	@Test
	void oneThatWasCancelledStopsWaitingAndTakesNobodysTurn() {
		this.turns.enter(this.first);
		CompletableFuture<Void> cancelled = enters(this.second);
		awaitWaiting(1);
		this.second.cancel();
		this.turns.wakeCancelled();
		assertThat(cancelled).succeedsWithin(HOUR);
		this.turns.leave(this.second);
		enters(this.third);
		// The first one still connects.
		awaitWaiting(1);
	}

	@Test
	void oneThatIsInterruptedStopsWaitingAndStaysInterrupted() throws InterruptedException {
		this.turns.enter(this.first);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			this.turns.enter(this.second);
			interrupted.complete(Thread.currentThread().isInterrupted());
		});
		thread.start();
		awaitWaiting(1);
		thread.interrupt();
		assertThat(interrupted).succeedsWithin(HOUR).isEqualTo(true);
	}

	@Test
	void oneThatHangsIsWaitedForNoLongerThanThePatience() {
		ConnectingTurns impatient = new ConnectingTurns(Duration.ofMillis(50));
		impatient.enter(this.first);
		assertThat(CompletableFuture.runAsync(() -> impatient.enter(this.second))).succeedsWithin(HOUR);
		// It connects beside the first one, which keeps its turn.
		impatient.leave(this.second);
		long start = System.nanoTime();
		impatient.enter(this.third);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void connectionsThatCarryOneRequestAtATimeAreNotWaitedFor(boolean shared) throws IOException {
		Protocol protocol = shared ? Protocol.H2_PRIOR_KNOWLEDGE : Protocol.HTTP_1_1;
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			Call answered = new OkHttpClient.Builder().protocols(List.of(protocol))
				.addNetworkInterceptor(this.turns)
				.build()
				.newCall(new Request.Builder().url(api.url() + "/version").build());
			this.turns.enter(this.first);
			try (Response response = answered.execute()) {
				assertThat(response.protocol()).isEqualTo(protocol);
			}
		}
		CompletableFuture<Void> entered = enters(this.second);
		if (shared) {
			awaitWaiting(1);
		}
		else {
			assertThat(entered).succeedsWithin(HOUR);
		}
	}

	@Test
	void turnIsGivenOnAsSoonAsThereIsAConnectionNotWhenItIsAnswered() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			CompletableFuture<Void> entered = new CompletableFuture<>();
			Call slow = new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
				.addNetworkInterceptor(this.turns)
				.addNetworkInterceptor((chain) -> {
					entered.join();
					return chain.proceed(chain.request());
				})
				.build()
				.newCall(new Request.Builder().url(api.url() + "/version").build());
			this.turns.enter(slow);
			CompletableFuture<Void> waiting = enters(this.second);
			awaitWaiting(1);
			CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> execute(slow));
			assertThat(waiting).succeedsWithin(HOUR);
			assertThat(answer).isNotDone();
			entered.complete(null);
			assertThat(answer).succeedsWithin(HOUR);
		}
	}

	private static void execute(Call call) {
		try {
			call.execute().close();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private CompletableFuture<Void> enters(Call call) {
		CompletableFuture<Void> entered = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			this.turns.enter(call);
			entered.complete(null);
		});
		thread.setDaemon(true);
		thread.start();
		return entered;
	}

	private void awaitWaiting(int requests) {
		await().until(() -> this.turns.waiting() == requests);
	}

	private static Call call() {
		return new OkHttpClient().newCall(new Request.Builder().url("http://127.0.0.1").build());
	}

}
