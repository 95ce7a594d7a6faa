package dev.kubeinformer.test;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Set;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class EmbeddedKubernetesTests {

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WATCH = CONFIG_MAPS + "?watch=true&resourceVersion=";

	@Test
	void startWhenTwoServersShouldBeIndependent() {
		try (EmbeddedKubernetes one = EmbeddedKubernetes.start(); EmbeddedKubernetes two = EmbeddedKubernetes.start()) {
			one.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			assertThat(two.resources(V1ConfigMap.class).list()).isEmpty();
			assertThat(one.url()).startsWith("http://127.0.0.1:").isNotEqualTo(two.url());
			assertThat(one.resourceVersion()).isEqualTo("2");
		}
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void restartWhenWatchIsOpenShouldCutItAndForgetWatchHistory(HttpClient.Version version) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(api.url(), version);
			TestWatch watch = client.watch(WATCH + "1").opened();
			api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			assertThat(watch.events(1)).containsExactly("ADDED a@2");
			String url = api.url();
			api.restart();
			assertThat(watch.awaitEnd()).isNotNull();
			await().until(() -> api.openWatches() == 0);
			assertThat(api.url()).isEqualTo(url);
			assertThat(TestClient.names(client.json(CONFIG_MAPS))).containsExactly("a");
			JsonNode event = client.watch(WATCH + "1").event();
			assertThat(event.path("object").path("code").asInt()).isEqualTo(410);
			try (TestWatch current = client.watch(WATCH + "2")) {
				api.resources(V1ConfigMap.class).create(TestObjects.configMap("b", "1"));
				assertThat(current.events(1)).containsExactly("ADDED b@3");
			}
		}
	}

	@Test
	void stopServingWhenWatchIsOpenShouldRefuseUntilResumedAndKeepHistory() throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(api.url());
			TestWatch watch = client.watch(WATCH + "1").opened();
			api.stopServing();
			assertThat(watch.awaitEnd()).isNotNull();
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> client.get(CONFIG_MAPS))
				.withCauseInstanceOf(ConnectException.class);
			api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			api.resumeServing();
			try (TestWatch resumed = client.watch(WATCH + "1")) {
				assertThat(resumed.events(1)).containsExactly("ADDED a@2");
			}
		}
	}

	@Test
	void stopServingShouldKeepThePort() throws IOException {
		EmbeddedKubernetes api = EmbeddedKubernetes.start();
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", URI.create(api.url()).getPort());
		for (int i = 0; i < 3; i++) {
			new TestClient(api.url()).get(CONFIG_MAPS);
			api.stopServing();
			api.stopServing();
			assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(address));
			api.resumeServing();
		}
		api.stopServing();
		api.close();
		bind(address);
	}

	private static void bind(InetSocketAddress address) throws IOException {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(address);
		}
	}

	@Test
	void closeWhenDoneShouldNotServeAgain() {
		EmbeddedKubernetes api = EmbeddedKubernetes.start();
		api.close();
		assertThatIllegalStateException().isThrownBy(api::resumeServing);
		assertThatIllegalStateException().isThrownBy(api::restart);
		assertThatIllegalStateException().isThrownBy(api::reset);
		TestClient client = new TestClient(api.url());
		assertThatIllegalStateException().isThrownBy(() -> client.get(CONFIG_MAPS))
			.withCauseInstanceOf(ConnectException.class);
		api.close();
	}

	@ParameterizedTest
	@EnumSource(HttpClient.Version.class)
	void dropConnectionsWhenWatchIsOpenShouldCutItAndServeOn(HttpClient.Version version) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(api.url(), version);
			TestWatch watch = client.watch(WATCH + "1").opened();
			api.dropConnections();
			assertThat(watch.awaitEnd()).isNotNull();
			await().until(() -> api.openWatches() == 0);
			assertThat(client.get(CONFIG_MAPS).statusCode()).isEqualTo(200);
		}
	}

	@Test
	void requestsWhenAnsweredShouldBeRecorded() throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(api.url());
			client.get(CONFIG_MAPS + "?limit=5&labelSelector=a%3Db");
			client.watch(WATCH + "1").opened().close();
			client.get(CONFIG_MAPS + "/missing");
			assertThat(api.requests()).hasSize(3);
			RecordedRequest list = api.requests().get(0);
			assertThat(list.isList()).isTrue();
			assertThat(list.method()).isEqualTo("GET");
			assertThat(list.path()).isEqualTo(CONFIG_MAPS);
			assertThat(list.parameter("labelSelector")).isEqualTo("a=b");
			assertThat(list.status()).isEqualTo(200);
			assertThat(list.resource()).isEqualTo("configmaps");
			assertThat(list.namespace()).isEqualTo("default");
			assertThat(list.header("HOST")).startsWith("127.0.0.1");
			assertThat(api.requests().get(1).isWatch()).isTrue();
			assertThat(api.requests().get(2).status()).isEqualTo(404);
			assertThat(api.requests()).filteredOn(Requests.list("configmaps").withParameter("limit", "5")).hasSize(1);
			api.clearRequests();
			assertThat(api.requests()).isEmpty();
		}
	}

	@Test
	void closeWhenWatchIsOpenShouldLeaveNoThread() throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			new TestClient(api.url()).watch(WATCH + "1").opened();
			assertThat(threads("embedded-kubernetes", before)).isNotEmpty();
		}
		await().untilAsserted(() -> assertThat(threads("embedded-kubernetes", before)).isEmpty());
	}

	private static Set<String> threads(String prefix, Set<Thread> before) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> !before.contains(thread))
			.map(Thread::getName)
			.filter((name) -> name.startsWith(prefix))
			.collect(Collectors.toSet());
	}

}
