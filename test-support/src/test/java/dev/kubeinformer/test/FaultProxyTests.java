package dev.kubeinformer.test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
			socket.getOutputStream().write(Json.utf8("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"));
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

	private static Set<String> proxyThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("fault-proxy"))
			.collect(Collectors.toSet());
	}

}
