package dev.kubeinformer.test;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("slow")
class LoadTests {

	private static final int PODS = 20_000;

	private static final int POD_BYTES = 6_000;

	@Test
	void listWhenTwentyThousandPodsShouldBeWhole() throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			api.resources(V1Pod.class).fill(PODS, (i) -> pod("pod-" + i));
			assertThat(download(api)).isGreaterThan((long) PODS * POD_BYTES);
		}
	}

	@Test
	void watchesWhenManyChangesShouldEachTellAllInOrder() throws Exception {
		int watches = 5;
		int changes = 2_000;
		try (EmbeddedKubernetes api = EmbeddedKubernetes.start()) {
			TestClient client = new TestClient(api.url());
			TestWatch[] opened = new TestWatch[watches];
			for (int i = 0; i < watches; i++) {
				opened[i] = client.watch("/api/v1/pods?watch=1&resourceVersion=1").opened();
			}
			api.resources(V1Pod.class).fill(changes, (i) -> pod("pod-" + i));
			List<String> expected = IntStream.range(0, changes)
				.mapToObj((i) -> "ADDED pod-" + i + "@" + (i + 2))
				.toList();
			for (TestWatch watch : opened) {
				assertThat(watch.events(changes)).isEqualTo(expected);
			}
			for (TestWatch watch : opened) {
				watch.close();
			}
		}
	}

	@Test
	void watchWhenClientDoesNotReadShouldNotDelayWritersAndBeEnded() throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().historyLimit(2_000).start();
				Socket stuck = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
			stuck.getOutputStream()
				.write(Json.utf8("GET /api/v1/pods?watch=1&resourceVersion=1 HTTP/1.1\r\nHost: localhost\r\n\r\n"));
			await().until(() -> api.openWatches() == 1);
			api.resources(V1Pod.class).fill(5_000, (i) -> pod("pod-" + i));
			assertThat(api.resourceVersion()).isEqualTo("5001");
			InputStream in = stuck.getInputStream();
			byte[] buffer = new byte[64 * 1024];
			await().until(() -> in.read(buffer) >= 0 && api.openWatches() == 0);
		}
	}

	private static long download(EmbeddedKubernetes api) throws Exception {
		byte[] buffer = new byte[64 * 1024];
		long bytes = 0;
		try (InputStream in = URI.create(api.url() + "/api/v1/pods").toURL().openStream()) {
			for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
				bytes += count;
			}
		}
		return bytes;
	}

	private static V1Pod pod(String name) {
		V1Pod pod = TestObjects.pod("default", name);
		pod.getMetadata().annotations(Map.of("payload", "x".repeat(POD_BYTES)));
		return pod;
	}

}
