package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Frames of HTTP/2 that carry nothing. OkHttp handles them on threads of its own, and no
 * watch is told.
 */
@Timeout(60)
class FrameFloodTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration IDLE = Duration.ofMillis(300);

	@ParameterizedTest
	@EnumSource(RawHttp2Server.Frame.class)
	void watchIsSilentAndItsConnectionIsClosedWithIt(RawHttp2Server.Frame frame) throws IOException {
		try (RawHttp2Server server = new RawHttp2Server(frame)) {
			ApiClient client = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool())
				.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
				.build());
			client.setBasePath(server.url());
			ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
			JsonMappers mappers = new JsonMappers(false);
			OkHttpApiConnection<V1Pod> connection = new OkHttpApiConnection<>(
					new ApiConnections(client, new Deadlines(LONG, IDLE, LONG), System::nanoTime), type,
					new Selection(null, null, null), mappers, new Codecs<>(new JsonCodec<>(type, mappers), null),
					new Negotiation(false, false, (why) -> {
					}));
			try (WatchStream<V1Pod> watch = connection.watch(new WatchRequest("41", 300, false, false))) {
				assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(watch::next);
				assertThat(server.frames).hasValueGreaterThan(1000);
			}
			await().atMost(LONG).until(() -> server.open.get() == 0);
		}
	}

}
