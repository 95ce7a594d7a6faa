package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ConnectCoalescerTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final ConnectCoalescer turns = new ConnectCoalescer(HOUR, true, System::nanoTime);

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
		this.turns.leave(this.second);
		assertThat(cancelled).succeedsWithin(HOUR);
		this.turns.leave(this.second);
		enters(this.third);
		// The first one still connects.
		awaitWaiting(1);
	}

	@Test
	void oneThatConnectsAndWasCancelledIsNotWaitedFor() {
		this.turns.enter(this.first);
		CompletableFuture<Void> entered = enters(this.second);
		awaitWaiting(1);
		this.first.cancel();
		this.turns.leave(this.first);
		assertThat(entered).succeedsWithin(HOUR);
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
		ConnectCoalescer impatient = new ConnectCoalescer(Duration.ofMillis(50), true, System::nanoTime);
		long start = System.nanoTime();
		impatient.enter(this.first);
		assertThat(CompletableFuture.runAsync(() -> impatient.enter(this.second))).succeedsWithin(HOUR);
		// It connects concurrently with the first one, and others wait for it equally
		// long.
		impatient.leave(this.first);
		impatient.enter(this.third);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
	}

	@Test
	void turnsAreTakenInTheOrderOfArrival() {
		List<Call> calls = IntStream.range(0, 4).mapToObj((i) -> call()).toList();
		this.turns.enter(this.first);
		List<CompletableFuture<Void>> entered = new ArrayList<>();
		for (Call call : calls) {
			entered.add(enters(call));
			awaitWaiting(entered.size());
		}
		Call holder = this.first;
		for (int i = 0; i < calls.size(); i++) {
			this.turns.leave(holder);
			assertThat(entered.get(i)).succeedsWithin(HOUR);
			awaitWaiting(calls.size() - 1 - i);
			holder = calls.get(i);
		}
		this.turns.leave(holder);
	}

	@Test
	void attemptsAreSpreadOnceManyHaveFailed() {
		AtomicLong clock = new AtomicLong();
		ConnectCoalescer spread = new ConnectCoalescer(HOUR, true, clock::get);
		for (int i = 0; i < ConnectCoalescer.BURST; i++) {
			spread.enter(this.first);
			spread.leave(this.first);
		}
		CompletableFuture<Void> next = CompletableFuture.runAsync(() -> spread.enter(this.second));
		await().until(() -> spread.waiting() == 1);
		clock.addAndGet(HOUR.toNanos() - 1);
		spread.leave(this.third);
		assertThat(next).isNotDone();
		clock.addAndGet(1);
		spread.leave(this.third);
		assertThat(next).succeedsWithin(HOUR);
		spread.leave(this.second);
		// The next has to wait as long again.
		CompletableFuture<Void> last = CompletableFuture.runAsync(() -> spread.enter(this.third));
		await().until(() -> spread.waiting() == 1);
		this.third.cancel();
		spread.leave(this.third);
		assertThat(last).succeedsWithin(HOUR);
	}

	@Test
	void clientThatTakesNoTurnsIsAsItWasBefore() {
		OkHttpClient.Builder client = new OkHttpClient.Builder().addInterceptor((chain) -> {
			throw new IllegalStateException("never called");
		});
		List<Interceptor> before = List.copyOf(client.interceptors());
		this.turns.install(client);
		assertThat(client.interceptors()).hasSize(2);
		assertThat(client.networkInterceptors()).hasSize(1);
		this.turns.uninstall(client);
		assertThat(client.interceptors()).isEqualTo(before);
		assertThat(client.networkInterceptors()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oneThatHangsIsWaitedForByNobodyWhoFindsAConnection(boolean http2) throws IOException {
		this.turns.enter(this.first);
		Protocol protocol = http2 ? Protocol.H2_PRIOR_KNOWLEDGE : Protocol.HTTP_1_1;
		OkHttpClient.Builder client = new OkHttpClient.Builder().protocols(List.of(protocol));
		this.turns.install(client);
		// As one whose patience has ended.
		client.interceptors().clear();
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start();
				Response response = client.build()
					.newCall(new Request.Builder().url(api.url() + "/version").build())
					.execute()) {
			assertThat(response.protocol()).isEqualTo(protocol);
		}
		assertThat(enters(this.second)).succeedsWithin(HOUR);
		CompletableFuture<Void> other = enters(this.third);
		if (http2) {
			awaitWaiting(1);
		}
		else {
			// Each needs a connection of its own.
			assertThat(other).succeedsWithin(HOUR);
			assertThat(this.turns.others().shared()).isFalse();
		}
	}

	@Test
	void clientWithoutHttp2DoesNotWait() {
		OkHttpClient client = new OkHttpClient.Builder().protocols(List.of(Protocol.HTTP_1_1)).build();
		assertThat(ConnectCoalescer.of(client, HOUR).shared()).isFalse();
		assertThat(ConnectCoalescer.of(new OkHttpClient(), HOUR).shared()).isTrue();
	}

	@Test
	void turnIsGivenOnAsSoonAsThereIsAConnectionNotWhenItIsAnswered() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			CompletableFuture<Void> begun = new CompletableFuture<>();
			CompletableFuture<Void> mayConnect = new CompletableFuture<>();
			CompletableFuture<Void> mayBeSent = new CompletableFuture<>();
			OkHttpClient.Builder client = new OkHttpClient.Builder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
			this.turns.install(client);
			client.addInterceptor((chain) -> {
				begun.complete(null);
				mayConnect.join();
				return chain.proceed(chain.request());
			});
			client.addNetworkInterceptor((chain) -> {
				mayBeSent.join();
				return chain.proceed(chain.request());
			});
			Call slow = client.build().newCall(new Request.Builder().url(api.url() + "/version").build());
			CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> execute(slow));
			assertThat(begun).succeedsWithin(HOUR);
			CompletableFuture<Void> waiting = enters(this.second);
			awaitWaiting(1);
			mayConnect.complete(null);
			assertThat(waiting).succeedsWithin(HOUR);
			assertThat(answer).isNotDone();
			mayBeSent.complete(null);
			assertThat(answer).succeedsWithin(HOUR);
		}
	}

	@Test
	void requestsThatFindNoConnectionMakeOne() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().start();
				FaultProxy network = FaultProxy.to("127.0.0.1", URI.create(api.url()).getPort())) {
			ApiConnections connections = connections(network);
			// A handshake that takes so long that all of them want to connect meanwhile.
			network.freeze();
			List<CompletableFuture<Void>> answers = IntStream.range(0, 5)
				.mapToObj((i) -> probe(connection(connections)))
				.toList();
			await().until(() -> connections.clients().turns().waiting() == 4);
			network.thaw();
			assertThat(answers).allSatisfy((answer) -> assertThat(answer).succeedsWithin(HOUR));
			assertThat(network.accepted()).isEqualTo(1);
			// Leaving one connection affects all requests.
			connections.leave(connections.clients());
			network.freeze();
			answers = IntStream.range(0, 5).mapToObj((i) -> probe(connection(connections))).toList();
			await().until(() -> connections.clients().turns().waiting() == 4);
			network.thaw();
			assertThat(answers).allSatisfy((answer) -> assertThat(answer).succeedsWithin(HOUR));
			assertThat(network.accepted()).isEqualTo(2);
		}
	}

	@Test
	void connectionThatIsClosedStopsWaiting() {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().start();
				FaultProxy network = FaultProxy.to("127.0.0.1", URI.create(api.url()).getPort())) {
			ApiConnections connections = connections(network);
			network.freeze();
			OkHttpApiConnection<V1Pod> connecting = connection(connections);
			CompletableFuture<Void> hanging = probe(connecting);
			await().until(() -> network.accepted() == 1);
			OkHttpApiConnection<V1Pod> waiting = connection(connections);
			CompletableFuture<Void> answer = probe(waiting);
			await().until(() -> connections.clients().turns().waiting() == 1);
			waiting.close();
			assertThat(answer).failsWithin(HOUR);
			connecting.close();
			assertThat(hanging).failsWithin(HOUR);
			assertThat(network.accepted()).isEqualTo(1);
		}
	}

	private static ApiConnections connections(FaultProxy network) {
		ApiClient client = new ApiClient();
		client.setVerifyingSsl(false);
		client.setConnectTimeout((int) HOUR.toMillis());
		client.setBasePath("https://127.0.0.1:" + network.port());
		return new ApiConnections(client, new Deadlines(HOUR, HOUR, HOUR, HOUR, HOUR, HOUR), System::nanoTime);
	}

	private static OkHttpApiConnection<V1Pod> connection(ApiConnections connections) {
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false);
		return new OkHttpApiConnection<>(connections, type, new Selection(null, null, null), mappers,
				new Codecs<>(new JsonCodec<>(type, mappers), null), new Negotiation(false, false, (why) -> {
				}));
	}

	private static CompletableFuture<Void> probe(OkHttpApiConnection<V1Pod> connection) {
		CompletableFuture<Void> answer = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				connection.probe();
				answer.complete(null);
			}
			catch (IOException | RuntimeException ex) {
				answer.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return answer;
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
