package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import javax.net.SocketFactory;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import okhttp3.Authenticator;
import okhttp3.CertificatePinner;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.client.Clients;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.http.OwnConnections;
import dev.kubeinformer.internal.http.OwnConnections.Limits;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * When writes have connections of their own, and what becomes of them.
 */
class WriteConnectionsTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration PING = Duration.ofSeconds(2);

	private static final Limits EACH = new Limits(4, 1, LONG, LONG, LONG, LONG);

	private static final String OWN = "HTTP/1.1";

	private static final String SHARED = "HTTP/2.0";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.namespacesMustExist(false)
		.user("writer", "writer-token", (user) -> user.allow("*", "*"))
		.tls()
		.start();

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final RunCalls calls = new RunCalls(Fence.NONE);

	private final AtomicLong now = new AtomicLong();

	private ManagedApiClient client;

	private ApiConnections connections;

	@BeforeEach
	void start() {
		this.client = client(this.api.port());
	}

	private ManagedApiClient client(int port) {
		return Clients.of("https://localhost:" + port)
			.certificateAuthority(this.api.caCertificate())
			.token("writer-token")
			.build();
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.api.close();
	}

	private ApiWrites writes(Limits limits) {
		return writes(limits, new Deadlines(LONG, LONG, LONG, LONG, LONG));
	}

	private ApiWrites writes(Limits limits, Deadlines deadlines) {
		this.connections = new ApiConnections(this.client, deadlines, this.now::get, "credentials", limits);
		return new ApiWrites(this.connections, this.json, WarningSink.NONE);
	}

	private void apply(ApiWrites writes, String name) throws ApiException {
		byte[] body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"}}".formatted(name)
			.getBytes(StandardCharsets.UTF_8);
		writes.apply(MAPS, new ObjectKey("shop", name), body, new Caller("tester", this.calls));
	}

	private void create(ApiWrites writes) throws ApiException {
		byte[] body = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"x-\"}}"
			.getBytes(StandardCharsets.UTF_8);
		writes.create(MAPS, "shop", body, new Caller("tester", this.calls));
	}

	// Reads share the connection of informers.
	private void connect(ApiWrites writes) throws ApiException {
		assertThat(writes.get(MAPS, new ObjectKey("shop", "none"), new Caller("tester", this.calls))).isNull();
	}

	private List<String> protocols() {
		return this.api.requests()
			.stream()
			.filter(Requests.patch("configmaps").or(Requests.create("configmaps")))
			.map(RecordedRequest::protocol)
			.toList();
	}

	private OwnConnections own() {
		return Objects.requireNonNull(this.connections.writes().own());
	}

	@Test
	void burstShouldHaveAConnectionAndSingleWritesNone() throws Exception {
		ApiWrites writes = writes(new Limits(4, 3, LONG, LONG, LONG, LONG));
		for (int i = 0; i < 4; i++) {
			this.now.addAndGet(Duration.ofMillis(1100).toNanos());
			apply(writes, "a");
		}
		assertThat(protocols()).containsOnly(SHARED);
		this.api.clearRequests();
		this.now.addAndGet(Duration.ofMillis(1100).toNanos());
		for (int i = 0; i < 6; i++) {
			apply(writes, "a");
		}
		assertThat(protocols()).containsExactly(SHARED, SHARED, OWN, OWN, OWN, OWN);
		assertThat(own().open()).isEqualTo(1);
		assertThat(this.api.requests()).filteredOn(Requests.patch("configmaps"))
			.allSatisfy((each) -> assertThat(each.query()).containsEntry("force", "true")
				.containsEntry("fieldManager", "tester"));
	}

	@Test
	void noMoreThanSoManyShouldBeOpen() throws Exception {
		ApiWrites writes = writes(EACH);
		this.api.faults().on(Requests.patch("configmaps")).times(6).delay(Duration.ofMillis(500));
		ExecutorService threads = Executors.newFixedThreadPool(6);
		try {
			List<Future<?>> done = IntStream.range(0, 6).<Future<?>>mapToObj((i) -> threads.submit(() -> {
				apply(writes, "m" + i);
				return null;
			})).toList();
			for (Future<?> each : done) {
				each.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(own().open()).isBetween(1, 4);
		assertThat(protocols()).hasSize(6).contains(OWN, SHARED);
	}

	@Test
	void oldAndIdleOnesShouldBeReplaced() throws Exception {
		try (FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port())) {
			this.client.close();
			this.client = client(proxy.port());
			ApiWrites proxied = writes(new Limits(4, 1, LONG, Duration.ofSeconds(10), Duration.ofSeconds(25), LONG));
			apply(proxied, "a");
			apply(proxied, "a");
			assertThat(proxy.accepted()).isEqualTo(1);
			this.now.addAndGet(Duration.ofSeconds(11).toNanos());
			apply(proxied, "a");
			assertThat(proxy.accepted()).isEqualTo(2);
			for (int i = 0; i < 3; i++) {
				this.now.addAndGet(Duration.ofSeconds(9).toNanos());
				apply(proxied, "a");
			}
			assertThat(proxy.accepted()).isEqualTo(3);
			assertThat(own().open()).isEqualTo(1);
		}
		assertThat(protocols()).containsOnly(OWN);
	}

	@Test
	void connectionThatTheServerClosedShouldNotTakeACreation() throws Exception {
		try (FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port())) {
			this.client.close();
			this.client = client(proxy.port());
			ApiWrites writes = writes(EACH);
			create(writes);
			create(writes);
			assertThat(proxy.accepted()).isEqualTo(1);
			proxy.dropConnections();
			create(writes);
			assertThat(proxy.accepted()).isEqualTo(2);
		}
		assertThat(protocols()).hasSize(3).containsOnly(OWN);
	}

	@Test
	void cancelledRunShouldNotWaitForAConnection() throws Exception {
		ExecutorService threads = Executors.newSingleThreadExecutor();
		try (FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port())) {
			this.client.close();
			this.client = client(proxy.port());
			// In LONG, the handshake would end.
			ApiWrites writes = writes(new Limits(4, 1, LONG, LONG, LONG, Duration.ofMinutes(10)));
			proxy.freeze();
			Future<?> write = threads.submit(() -> {
				apply(writes, "a");
				return null;
			});
			Awaitility.await().atMost(LONG).until(() -> proxy.accepted() == 1);
			this.calls.cancel();
			assertThat(catchThrowableOfType(ExecutionException.class, () -> write.get(60, TimeUnit.SECONDS)))
				.hasCauseInstanceOf(ApiException.class);
			assertThat(own().open()).isZero();
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void addressThatWasReachedShouldComeFirst() throws Exception {
		AtomicInteger sockets = new AtomicInteger();
		InetAddress nobody = InetAddress.getByName("127.0.0.3");
		InetAddress server = InetAddress.getByName("127.0.0.1");
		this.client.setHttpClient(this.client.getHttpClient()
			.newBuilder()
			.dns((host) -> List.of(nobody, server))
			.socketFactory(new CountingSockets(sockets, -1))
			.build());
		ApiWrites writes = writes(new Limits(4, 1, LONG, Duration.ofSeconds(10), LONG, LONG));
		apply(writes, "a");
		assertThat(sockets).hasValue(2);
		this.now.addAndGet(Duration.ofSeconds(11).toNanos());
		apply(writes, "a");
		assertThat(sockets).hasValue(3);
		assertThat(protocols()).containsOnly(OWN);
	}

	@Test
	void stopShouldCloseThem() throws Exception {
		ApiWrites writes = writes(EACH);
		apply(writes, "a");
		OwnConnections before = own();
		this.connections.closeWrites();
		assertThat(before.open()).isZero();
		apply(writes, "a");
		assertThat(protocols()).containsOnly(OWN);
	}

	@Test
	void applyOnAConnectionThatBreaksShouldGoOverTheOther() throws Exception {
		try (FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port())) {
			this.client.close();
			this.client = client(proxy.port());
			ApiWrites writes = writes(EACH);
			apply(writes, "a");
			proxy.dropConnections();
			apply(writes, "a");
		}
		assertThat(protocols()).containsExactly(OWN, SHARED);
		assertThat(own().open()).isZero();
	}

	@Test
	void whereNoneCanBeOpenedAllShouldGoAsBefore() throws Exception {
		AtomicInteger sockets = new AtomicInteger();
		this.client.setHttpClient(
				this.client.getHttpClient().newBuilder().socketFactory(new CountingSockets(sockets, 2)).build());
		ApiWrites writes = writes(new Limits(4, 2, LONG, LONG, LONG, LONG));
		for (int i = 0; i < 6; i++) {
			apply(writes, "a");
		}
		assertThat(protocols()).hasSize(6).containsOnly(SHARED);
		// One connection of the shared client, and the one that failed, which is not
		// retried soon.
		assertThat(sockets).hasValue(2);
	}

	@Test
	void clientThatDoesMoreShouldSendAllByItself() throws Exception {
		assertShared((builder) -> builder.addNetworkInterceptor((chain) -> chain.proceed(chain.request())));
		assertShared((builder) -> builder.eventListener(new EventListener() {
		}));
		assertShared((builder) -> builder.authenticator(Authenticator.JAVA_NET_AUTHENTICATOR));
		assertShared((builder) -> builder
			.certificatePinner(new CertificatePinner.Builder().add("other", "sha256/AAAA").build()));
		assertThat(OwnConnections.of(new OkHttpClient.Builder()
			.proxy(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy", 3128)))
			.build(), (each) -> false, EACH, System::nanoTime)).isNull();
	}

	private void assertShared(UnaryOperator<OkHttpClient.Builder> change) throws ApiException {
		try (ManagedApiClient changed = client(this.api.port())) {
			changed.setHttpClient(change.apply(changed.getHttpClient().newBuilder()).build());
			ApiConnections other = new ApiConnections(changed, new Deadlines(LONG, LONG, LONG), System::nanoTime, "c",
					EACH);
			this.api.clearRequests();
			apply(new ApiWrites(other, this.json, WarningSink.NONE), "a");
			assertThat(protocols()).containsExactly(SHARED);
		}
	}

	@Test
	void interceptorsOfTheApplicationShouldSeeTheWritesAndTheirAnswers() throws Exception {
		AtomicInteger seen = new AtomicInteger();
		this.client.setHttpClient(this.client.getHttpClient().newBuilder().addInterceptor((chain) -> {
			Response response = chain.proceed(chain.request().newBuilder().header("X-Mine", "1").build());
			seen.addAndGet(response.code());
			return response;
		}).build());
		apply(writes(EACH), "a");
		assertThat(seen).hasValue(201);
		assertThat(this.api.requests()).singleElement().satisfies((each) -> {
			assertThat(each.protocol()).isEqualTo(OWN);
			assertThat(each.header("X-Mine")).isEqualTo("1");
			assertThat(each.header("Authorization")).isEqualTo("Bearer writer-token");
		});
	}

	@Test
	void serverThatHangsShouldBeGivenUpAsFastAsByPings() throws Exception {
		try (FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port())) {
			this.client.close();
			this.client = client(proxy.port());
			ApiWrites writes = writes(EACH, new Deadlines(LONG, LONG, LONG, LONG, PING));
			connect(writes);
			apply(writes, "a");
			OwnConnections before = own();
			proxy.freeze();
			ApiException silent = catchThrowableOfType(ApiException.class, () -> apply(writes, "a"));
			assertThat(writes.failure(silent).problem()).isEqualTo(Problem.SILENT);
			// Connections that hang are not reused.
			assertThat(own()).isNotSameAs(before);
			proxy.thaw();
			apply(writes, "a");
		}
	}

	@Test
	void slowAnswerOfAServerThatIsThereShouldBeWaitedFor() throws Exception {
		ApiWrites writes = writes(EACH, new Deadlines(LONG, LONG, LONG, LONG, PING));
		connect(writes);
		this.api.faults().on(Requests.patch("configmaps")).times(1).delay(PING.plusMillis(500));
		apply(writes, "a");
		assertThat(protocols()).containsExactly(OWN);
		assertThat(this.api.requests()).extracting(RecordedRequest::path).contains("/version");
	}

	@Test
	void idleOnesShouldBeClosedInTime() throws Exception {
		ApiConnections real = new ApiConnections(this.client, new Deadlines(LONG, LONG, LONG), System::nanoTime, "c",
				new Limits(4, 1, LONG, Duration.ofMillis(300), LONG, LONG));
		apply(new ApiWrites(real, this.json, WarningSink.NONE), "a");
		OwnConnections own = Objects.requireNonNull(real.writes().own());
		Awaitility.await().atMost(LONG).until(() -> own.open() == 0);
	}

	/** Sockets of which one cannot be made. */
	private static final class CountingSockets extends SocketFactory {

		private final AtomicInteger made;

		private final int failing;

		CountingSockets(AtomicInteger made, int failing) {
			this.made = made;
			this.failing = failing;
		}

		@Override
		public Socket createSocket() throws IOException {
			if (this.made.incrementAndGet() == this.failing) {
				throw new IOException("as the test wants it");
			}
			return new Socket();
		}

		@Override
		public Socket createSocket(String host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress local, int localPort) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
			throw new UnsupportedOperationException();
		}

	}

}
