package dev.kubeinformer.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.Config;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class TlsTests {

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "HTTP_2" })
	void requestWhenTlsShouldBeServedByTheProtocolThatTheClientSpeaks(Protocol protocol) throws IOException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().start()) {
			assertThat(api.url()).startsWith("https://127.0.0.1:");
			OkHttpClient client = client(api, protocol);
			for (String host : List.of("127.0.0.1", "localhost")) {
				Request request = new Request.Builder().url("https://" + host + ":" + api.port() + "/readyz").build();
				try (Response response = client.newCall(request).execute()) {
					assertThat(response.protocol()).isEqualTo(protocol);
					assertThat(response.body().string()).isEqualTo("ok");
				}
			}
			close(client);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "HTTP_2" })
	void watchWhenTlsShouldBeCutAndNoticedWhenTheClientLeaves(Protocol protocol) throws IOException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().tls().start()) {
			OkHttpClient client = client(api, protocol);
			Request request = new Request.Builder().url(api.url() + "/api/v1/configmaps?watch=true&resourceVersion=1")
				.build();
			Call call = client.newCall(request);
			Response watch = call.execute();
			api.resources(V1ConfigMap.class).create(TestObjects.configMap("a", "1"));
			assertThat(watch.body().source().readUtf8Line()).contains("\"ADDED\"");
			assertThat(api.openWatches()).isEqualTo(1);
			call.cancel();
			await().until(() -> api.openWatches() == 0);
			Response another = client.newCall(request).execute();
			assertThat(another.body().source().readUtf8Line()).contains("\"ADDED\"");
			api.dropConnections();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> another.body().source().readUtf8LineStrict());
			api.restart();
			try (Response list = client.newCall(new Request.Builder().url(api.url() + "/version").build()).execute()) {
				assertThat(list.code()).isEqualTo(200);
			}
			close(client);
		}
	}

	@Test
	void kubeconfigWhenWrittenShouldLetTheOfficialClientIn(@TempDir Path folder) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder()
			.tls()
			.user("someone: \"else\"", "a-token", ApiUser::allowAll)
			.start()) {
			Path file = api.writeKubeconfig(folder.resolve("config"));
			assertThat(file).hasContent(api.kubeconfig());
			ApiClient client = Config.fromConfig(file.toString());
			CoreV1Api core = new CoreV1Api(client);
			core.createNamespacedConfigMap("default", TestObjects.configMap("a", "1")).execute();
			assertThat(core.listConfigMapForAllNamespaces().execute().getItems()).hasSize(1);
			close(client.getHttpClient());
		}
	}

	@Test
	void kubeconfigWhenPlainShouldLetTheOfficialClientIn(@TempDir Path folder) throws IOException, ApiException {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			ApiClient client = Config.fromConfig(api.writeKubeconfig(folder.resolve("config")).toString());
			assertThat(new CoreV1Api(client).listConfigMapForAllNamespaces().execute().getItems()).isEmpty();
			assertThatIllegalStateException().isThrownBy(api::caCertificate).withMessageContaining("TLS");
			close(client.getHttpClient());
		}
	}

	private static OkHttpClient client(EmbeddedKubernetes api, Protocol protocol) {
		ApiClient trusting = new ApiClient();
		trusting.setSslCaCert(new ByteArrayInputStream(api.caCertificate().getBytes(StandardCharsets.US_ASCII)));
		List<Protocol> protocols = (protocol == Protocol.HTTP_2) ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
				: List.of(Protocol.HTTP_1_1);
		return trusting.getHttpClient().newBuilder().protocols(protocols).build();
	}

	private static void close(OkHttpClient client) {
		client.dispatcher().executorService().shutdown();
		client.connectionPool().evictAll();
	}

	@Test
	void clientOfTestClassShouldTrustServerAndBeFirstUser() throws Exception {
		try (TestServer server = new TestServer(
				EmbeddedKubernetes.builder().tls().user("admin", "secret", ApiUser::allowAll).start())) {
			assertThat(new CoreV1Api(server.client()).listNamespace().execute().getItems()).isNotEmpty();
		}
	}

}
