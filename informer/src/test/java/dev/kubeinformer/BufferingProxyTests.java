package dev.kubeinformer;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;

import static dev.kubeinformer.EngineTestSupport.await;
import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Informers behind an nginx with its defaults: it asks in HTTP/1.0 and buffers what it is
 * answered. When it gives up an answer, it throws away what it has buffered. Only its
 * time limit is shorter than it comes.
 */
class BufferingProxyTests {

	private static final String BUFFERING = "proxy_read_timeout 1s;";

	private static final String STREAMING = "proxy_read_timeout 1s; proxy_buffering off;";

	@TempDir
	private Path folder;

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
	void changeThatAProxyBuffersIsListed(Protocol protocol) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().bookmarkInterval(Duration.ofHours(1)).start();
				Nginx proxy = nginx(api, BUFFERING);
				Informers informers = informers(client(url(proxy, protocol), protocol),
						(builder) -> builder.listMode(ListMode.PAGED))) {
			api.resources(V1Pod.class).create(pod("blog", "a"));
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			assertThat(pods.awaitSync(Duration.ofSeconds(30))).isTrue();
			await().until(() -> api.openWatches() == 1);
			api.resources(V1Pod.class).create(pod("blog", "b"));
			await().atMost(Duration.ofSeconds(30)).until(() -> pods.snapshot().size() == 2);
			assertThat(pods.status().lists().byReason()).containsEntry(ListReason.SILENCE, 1L);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
	void changeThatAProxyDoesNotBufferComesByTheWatch(Protocol protocol) throws Exception {
		try (EmbeddedKubernetes api = EmbeddedKubernetes.builder().bookmarkInterval(Duration.ofHours(1)).start();
				Nginx proxy = nginx(api, STREAMING);
				Informers informers = informers(client(url(proxy, protocol), protocol),
						(builder) -> builder.listMode(ListMode.PAGED))) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.state() == InformerState.LIVE);
			for (int i = 1; i <= 10; i++) {
				int size = i;
				api.resources(V1Pod.class).create(pod("blog", "p" + i));
				await().until(() -> pods.snapshot().size() == size);
			}
			assertThat(pods.status().lists().total()).isEqualTo(1);
		}
	}

	private static String url(Nginx proxy, Protocol protocol) {
		return (protocol == Protocol.HTTP_1_1) ? proxy.url() : proxy.http2Url();
	}

	private Nginx nginx(EmbeddedKubernetes api, String directives) throws IOException {
		Optional<Path> program = Nginx.find();
		Assumptions.assumeTrue(program.isPresent(), "nginx is not installed on this machine");
		return Nginx.start(program.get(), this.folder, api.url(), directives);
	}

}
