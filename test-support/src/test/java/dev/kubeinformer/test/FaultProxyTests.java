package dev.kubeinformer.test;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class FaultProxyTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WATCH = CONFIG_MAPS + "?watch=1&resourceVersion=1";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final FaultProxy proxy = FaultProxy.to("127.0.0.1", this.api.port());

	private TestClient client;

	@BeforeEach
	void setUp() {
		this.client = new TestClient("http://127.0.0.1:" + this.proxy.port());
	}

	@AfterEach
	void tearDown() {
		this.proxy.close();
		this.api.close();
	}

	@Test
	void proxyWhenNothingIsWrongShouldPassAndCount() {
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		assertThat(this.proxy.accepted()).isOne();
		assertThat(this.proxy.connections()).isOne();
		assertThat(this.proxy.bytesRead()).isGreaterThan(100);
	}

	@Test
	void cutWhenWatchIsOpenShouldEndItAndRefuseUntilRestored() throws Exception {
		TestWatch watch = this.client.watch(WATCH).opened();
		this.proxy.cut();
		assertThat(watch.awaitEnd()).isNotNull();
		await().until(() -> this.proxy.connections() == 0);
		await().until(() -> this.api.openWatches() == 0);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.client.get(CONFIG_MAPS));
		this.proxy.restore();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
	}

	@Test
	void dropConnectionsWhenWatchIsOpenShouldEndItAndAcceptNewOnes() throws Exception {
		TestWatch watch = this.client.watch(WATCH).opened();
		this.proxy.dropConnections();
		assertThat(watch.awaitEnd()).isNotNull();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		await().until(() -> this.api.openWatches() == 0);
		assertThat(this.proxy.accepted()).isEqualTo(2);
	}

	@Test
	void freezeWhenWatchIsOpenShouldHoldBackBytesUntilThawed() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH).opened();
				TestWatch direct = new TestClient(this.api.url()).watch(WATCH).opened()) {
			this.proxy.freeze();
			long before = this.proxy.bytesRead();
			this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			assertThat(direct.events(1)).containsExactly("ADDED a@2");
			assertThat(watch.isSilent()).isTrue();
			assertThat(this.proxy.bytesRead()).isEqualTo(before);
			assertThat(this.proxy.connections()).isOne();
			assertThat(this.api.openWatches()).isEqualTo(2);
			this.proxy.thaw();
			assertThat(watch.events(1)).containsExactly("ADDED a@2");
		}
	}

	@Test
	void freezeWhenNewClientConnectsShouldAcceptAndStaySilent() throws Exception {
		this.proxy.freeze();
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port())) {
			socket.getOutputStream().write(Json.utf8("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
			socket.setSoTimeout(200);
			assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
			this.proxy.thaw();
			socket.setSoTimeout(5000);
			assertThat(socket.getInputStream().read()).isEqualTo('H');
		}
		await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void abandonWhenWatchIsOpenShouldHoldBackItsBytesForEverAndPassNewConnections() throws Exception {
		try (TestWatch watch = this.client.watch(WATCH).opened()) {
			this.proxy.abandon();
			this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			TestClient another = new TestClient("http://127.0.0.1:" + this.proxy.port());
			assertThat(another.watch(WATCH).opened().events(1)).containsExactly("ADDED a@2");
			this.proxy.freeze();
			this.proxy.thaw();
			assertThat(watch.isSilent()).isTrue();
			assertThat(this.proxy.connections()).isEqualTo(2);
		}
	}

	@Test
	void resetConnectionsShouldResetThemAndAcceptNewOnes() throws Exception {
		try (Socket socket = connected()) {
			this.proxy.resetConnections();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().read())
				.withMessageContaining("reset");
		}
		connected().close();
	}

	@Test
	void halfCloseConnectionsShouldEndTheStreamToTheClientOnly() throws Exception {
		try (Socket socket = connected()) {
			this.proxy.halfCloseConnections();
			socket.getInputStream().readAllBytes();
			assertThat(this.proxy.connections()).isOne();
			int requests = this.api.requests().size();
			request(socket);
			await().until(() -> this.api.requests().size() == requests + 1);
		}
		await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void refuseShouldRefuseNewConnectionsOnlyUntilRestored() throws Exception {
		try (Socket open = connected()) {
			this.proxy.refuse();
			assertThatExceptionOfType(ConnectException.class)
				.isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), this.proxy.port()).close());
			request(open);
			awaitAnswer(open);
			this.proxy.restore();
			connected().close();
		}
	}

	@Test
	void hangShouldAcceptAndNeverAnswer() throws Exception {
		try (Socket open = connected()) {
			this.proxy.hang();
			try (Socket hung = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port())) {
				request(hung);
				await().until(() -> this.proxy.connections() == 2);
				this.proxy.restore();
				connected().close();
				hung.setSoTimeout(200);
				assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> hung.getInputStream().read());
			}
			request(open);
			awaitAnswer(open);
			await().until(() -> this.proxy.connections() == 1);
		}
	}

	@Test
	void swallowShouldTakeBytesAndTheEndOfTheTargetAndPassNewConnections() throws Exception {
		try (Socket socket = connected()) {
			this.proxy.swallow();
			int requests = this.api.requests().size();
			request(socket);
			this.api.dropConnections();
			socket.setSoTimeout(200);
			assertThatExceptionOfType(SocketTimeoutException.class)
				.isThrownBy(() -> socket.getInputStream().readAllBytes());
			assertThat(this.api.requests()).hasSize(requests);
			connected().close();
		}
		await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void throttleShouldPassBytesNoFasterThanTheRate() throws Exception {
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1".repeat(2000)));
		this.proxy.throttle(4000);
		long begin = System.nanoTime();
		assertThat(this.client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		assertThat(System.nanoTime() - begin).isGreaterThan(500_000_000);
		this.proxy.throttle(1);
		TestWatch watch = this.client.watch(WATCH);
		this.proxy.unthrottle();
		watch.opened().close();
	}

	@Test
	void throttleWhenRateIsNotPositiveShouldFail() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.proxy.throttle(0)).withMessageContaining("'0'");
	}

	@Test
	void closeWhenRefusingShouldFreeThePort() throws Exception {
		this.proxy.refuse();
		this.proxy.close();
		new ServerSocket(this.proxy.port()).close();
		assertThat(proxyThreads()).isEmpty();
	}

	@Test
	void proxyWhenTargetRefusesShouldCloseTheClient() throws IOException {
		int port;
		try (ServerSocket free = new ServerSocket(0)) {
			port = free.getLocalPort();
		}
		try (FaultProxy dead = FaultProxy.to("127.0.0.1", port);
				Socket socket = new Socket(InetAddress.getLoopbackAddress(), dead.port())) {
			socket.setSoTimeout(5000);
			assertThat(socket.getInputStream().read()).isEqualTo(-1);
			await().until(() -> dead.connections() == 0);
		}
	}

	@Test
	void closeWhenFrozenShouldLeaveNoThread() throws Exception {
		this.client.watch(WATCH).opened();
		this.proxy.freeze();
		this.api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
		this.proxy.close();
		assertThat(proxyThreads()).isEmpty();
		assertThat(this.proxy.connections()).isZero();
	}

	/**
	 * A connection that has been answered once.
	 */
	private Socket connected() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.proxy.port());
		request(socket);
		awaitAnswer(socket);
		return socket;
	}

	private static void request(Socket socket) throws IOException {
		socket.getOutputStream().write(Json.utf8("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
	}

	private static void awaitAnswer(Socket socket) throws IOException {
		socket.setSoTimeout(5000);
		StringBuilder answer = new StringBuilder();
		while (answer.indexOf("\r\n\r\nok") < 0) {
			int next = socket.getInputStream().read();
			assertThat(next).as(answer.toString()).isNotNegative();
			answer.append((char) next);
		}
	}

	private static Set<String> proxyThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("fault-proxy"))
			.collect(Collectors.toSet());
	}

}
