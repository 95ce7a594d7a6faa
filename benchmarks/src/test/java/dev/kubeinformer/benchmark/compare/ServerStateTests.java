package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Path;

import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link ServerState}.
 */
class ServerStateTests {

	private static final int PAGE = 3;

	private final EmbeddedKubernetes server = EmbeddedKubernetes.start();

	@TempDir
	private Path directory;

	private Path kubeconfig = Path.of("");

	@BeforeEach
	void writeKubeconfig() {
		this.kubeconfig = this.server.writeKubeconfig(this.directory.resolve("kubeconfig.yaml"));
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void allPagesShouldBeRead() throws IOException {
		ObjectsState expected = ObjectsState.EMPTY;
		for (int i = 0; i < 2 * PAGE + 1; i++) {
			V1Pod pod = new V1Pod().metadata(new V1ObjectMeta().namespace("team-" + i % 2).name("pod-" + i));
			V1ObjectMeta created = this.server.resources(V1Pod.class).create(pod).getMetadata();
			expected = expected
				.with(ObjectsState.hash(created.getNamespace(), created.getName(), created.getResourceVersion()));
		}
		assertThat(new ServerState(this.kubeconfig, "/api/v1/pods", PAGE).read()).isEqualTo(expected);
	}

	@Test
	void objectsWithoutNamespaceShouldBeRead() throws IOException {
		V1Node node = new V1Node().metadata(new V1ObjectMeta().name("node"));
		String version = this.server.resources(V1Node.class).create(node).getMetadata().getResourceVersion();
		assertThat(new ServerState(this.kubeconfig, "/api/v1/nodes", PAGE).read())
			.isEqualTo(ObjectsState.EMPTY.with(ObjectsState.hash("", "node", version)));
	}

	@Test
	void nothingShouldBeTheEmptyState() throws IOException {
		assertThat(new ServerState(this.kubeconfig, "/api/v1/pods", PAGE).read()).isEqualTo(ObjectsState.EMPTY);
	}

	@Test
	void errorShouldNameThePath() throws IOException {
		ServerState state = new ServerState(this.kubeconfig, "/apis/example.com/v1/widgets", PAGE);
		assertThatIOException().isThrownBy(state::read)
			.withMessageContaining("/apis/example.com/v1/widgets was HTTP 404");
	}

}
