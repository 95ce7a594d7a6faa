package dev.kubeinformer.test;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class SlowFaultsTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final Duration LONG = Duration.ofHours(1);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	private TestClient client(HttpClient.Version version) {
		return new TestClient(this.api.url(), version);
	}

	private static CompletableFuture<Integer> status(TestClient client) {
		return CompletableFuture.supplyAsync(() -> client.get(CONFIG_MAPS).statusCode());
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void delayWhenListedShouldAnswerAsUsualLater(HttpClient.Version version) {
		TestClient client = client(version);
		this.api.faults().on(Requests.list("configmaps")).delay(Duration.ofMillis(300));
		long begin = System.nanoTime();
		assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void afterDelayWhenFaultFollowsShouldComeLate(HttpClient.Version version) {
		TestClient client = client(version);
		this.api.faults().on(Requests.list("configmaps")).times(1).afterDelay(Duration.ofMillis(300)).status(503);
		long begin = System.nanoTime();
		assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(503);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
		assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void delayWhenRemovedShouldAnswerAtOnce(HttpClient.Version version) throws Exception {
		Fault fault = this.api.faults().on(Requests.list("configmaps")).afterDelay(LONG).status(503);
		CompletableFuture<Integer> status = status(client(version));
		await().until(() -> fault.hits() == 1);
		assertThat(status).isNotDone();
		fault.remove();
		assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void freezeWhenClearedShouldAnswerAsUsual(HttpClient.Version version) throws Exception {
		this.api.faults().on(Requests.list("configmaps")).times(1).freeze();
		TestClient client = client(version);
		CompletableFuture<Integer> status = status(client);
		RecordedRequest frozen = this.api.awaitRequest(Requests.list("configmaps"), Duration.ofSeconds(5));
		assertThat(frozen.status()).isZero();
		assertThat(status).isNotDone();
		assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		this.api.faults().clear();
		assertThat(status.get(30, TimeUnit.SECONDS)).isEqualTo(200);
		assertThat(this.api.requests()).filteredOn(Requests.list("configmaps"))
			.extracting(RecordedRequest::status)
			.containsExactly(200, 200);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void freezeWhenConnectionsAreDroppedShouldBeCut(HttpClient.Version version) {
		Fault fault = this.api.faults().on(Requests.list("configmaps")).freeze();
		CompletableFuture<Integer> status = status(client(version));
		await().until(() -> fault.hits() == 1);
		// A client of HTTP/1.1 may ask again by itself.
		await().untilAsserted(() -> {
			this.api.dropConnections();
			assertThat(status).isCompletedExceptionally();
		});
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void dribbleWhenListedShouldSendAllInPiecesAndTheRestAtOnceWhenRemoved(HttpClient.Version version)
			throws Exception {
		this.configMaps.fill(20, (i) -> TestObjects.configMap("cm-" + i, "1"));
		TestClient client = client(version);
		String plain = client.get(CONFIG_MAPS).body();
		int pieces = 10;
		Fault fault = this.api.faults()
			.on(Requests.list("configmaps"))
			.times(1)
			.dribble(plain.length() / pieces, Duration.ofMillis(30));
		long begin = System.nanoTime();
		assertThat(client.get(CONFIG_MAPS).body()).isEqualTo(plain);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(30 * (pieces - 1)));
		fault.remove();
		Fault slow = this.api.faults().on(Requests.list("configmaps")).dribble(1, LONG);
		CompletableFuture<String> body = CompletableFuture.supplyAsync(() -> client.get(CONFIG_MAPS).body());
		await().until(() -> slow.hits() == 1);
		assertThat(body).isNotDone();
		slow.remove();
		assertThat(body.get(30, TimeUnit.SECONDS)).isEqualTo(plain);
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void dribbleWhenWatchShouldTellAllEvents(HttpClient.Version version) throws Exception {
		this.api.faults().on(Requests.watch("configmaps")).dribble(40, Duration.ofMillis(5));
		String start = this.api.resourceVersion();
		try (TestWatch watch = client(version).watch(CONFIG_MAPS + "?watch=1&resourceVersion=" + start).opened()) {
			this.configMaps.fill(3, (i) -> TestObjects.configMap("cm-" + i, "1"));
			assertThat(watch.events(3)).extracting((event) -> event.split("[ @]")[1])
				.containsExactly("cm-0", "cm-1", "cm-2");
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void closeWhenRequestsAreHeldShouldCutThemAndLeaveNoThread(HttpClient.Version version) throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		CompletableFuture<Integer> status;
		TestWatch dribbled;
		TestWatch frozen;
		try (EmbeddedKubernetes other = EmbeddedKubernetes.start()) {
			other.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			TestClient client = new TestClient(other.url(), version);
			Fault delay = other.faults().on(Requests.list("configmaps").withoutParameter("limit")).delay(LONG);
			other.faults().on(Requests.list("configmaps")).dribble(1, LONG);
			other.faults().on(Requests.watch("configmaps")).freezeAfter(0);
			status = status(client);
			dribbled = client.watch(CONFIG_MAPS + "?limit=5").opened();
			frozen = client.watch(CONFIG_MAPS + "?watch=1").opened();
			await().until(() -> delay.hits() > 0);
		}
		assertThat(dribbled.awaitEnd()).isNotNull();
		assertThat(frozen.awaitEnd()).isNotNull();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> status.get(20, TimeUnit.SECONDS));
		await().until(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().startsWith("embedded-kubernetes") && !before.contains(thread)));
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void stopServingWhenRequestIsDelayedShouldNotWaitForIt(HttpClient.Version version) {
		TestClient client = client(version);
		Fault fault = this.api.faults().on(Requests.list("configmaps")).times(1).delay(LONG);
		CompletableFuture<Integer> status = status(client);
		await().until(() -> fault.hits() == 1);
		long begin = System.nanoTime();
		this.api.stopServing();
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
		// It is cut now, and not when its time is over; the client may have asked again.
		assertThat(this.api.requests()).filteredOn(Requests.list("configmaps"))
			.extracting(RecordedRequest::status)
			.contains(0);
		this.api.resumeServing();
		await().until(status::isDone);
		assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

}
