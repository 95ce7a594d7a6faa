package dev.kubeinformer.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.ClientBuilder;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.transport.ApiConnections;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.Codecs;
import dev.kubeinformer.internal.transport.Negotiation;
import dev.kubeinformer.internal.transport.OkHttpApiConnection;
import dev.kubeinformer.internal.transport.Selection;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.ScriptedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Wait of a request for the beginning of its answer. It must be shorter than the longest
 * silence of a body, which is an hour.
 */
@Tag("slow")
@Timeout(60)
class HeaderDeadlineTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration SHORT = Duration.ofMillis(500);

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

	@AfterEach
	void close() {
		this.network.close();
		this.api.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void handshakeThatHangsIsBoundedByTheConnectTimeoutAndTriedOnce(boolean watch) {
		this.network.freeze();
		OkHttpApiConnection<V1Pod> connection = connection("https://127.0.0.1:" + this.network.port(),
				new Deadlines(HOUR, HOUR, HOUR, HOUR, HOUR), (client) -> client.connectTimeout(SHORT));
		assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> {
			if (watch) {
				connection.watch(request(60));
			}
			else {
				connection.probe();
			}
		});
		// The client is connected before the proxy accepts.
		await().untilAsserted(() -> assertThat(this.network.accepted()).isEqualTo(1));
	}

	@Test
	void proxyThatDoesNotAnswerIsBoundedByTheConnectTimeout() {
		this.network.freeze();
		Proxy proxy = new Proxy(Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", this.network.port()));
		OkHttpApiConnection<V1Pod> connection = connection("https://api.example", new Deadlines(HOUR, HOUR, HOUR),
				(client) -> client.proxy(proxy).connectTimeout(SHORT));
		assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> connection.watch(request(60)));
	}

	@Test
	void handshakeThatHangsAtOneAddressIsTriedAtTheNext() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start();
				ServerSocket silent = new ServerSocket(kubernetes.port(), 50, InetAddress.getByName("127.0.0.2"))) {
			ApiClient client = ClientBuilder.standard().setBasePath("https://localhost:" + kubernetes.port()).build();
			client.setSslCaCert(certificate(kubernetes));
			List<InetAddress> addresses = List.of(silent.getInetAddress(), InetAddress.getByName("127.0.0.1"));
			client.setHttpClient(client.getHttpClient()
				.newBuilder()
				// The handshake that does not hang has no more time.
				.connectTimeout(Duration.ofSeconds(5))
				.dns((host) -> addresses)
				.build());
			OkHttpApiConnection<V1Pod> connection = connection(client, new Deadlines(HOUR, HOUR, HOUR, HOUR, HOUR));
			assertThat(connection.probe()).isEqualTo(kubernetes.resourceVersion());
		}
	}

	@Test
	void bodyIsWaitedForLongerThanTheHandshake() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start()) {
			for (Protocol protocol : List.of(Protocol.HTTP_1_1, Protocol.HTTP_2)) {
				ApiClient client = ClientBuilder.standard().setBasePath(kubernetes.url()).build();
				client.setSslCaCert(certificate(kubernetes));
				client.setHttpClient(client.getHttpClient()
					.newBuilder()
					.protocols(List.of(protocol, Protocol.HTTP_1_1).stream().distinct().toList())
					.connectTimeout(Duration.ofSeconds(1))
					.build());
				OkHttpApiConnection<V1Pod> connection = connection(client,
						new Deadlines(HOUR, HOUR, HOUR, Duration.ofSeconds(30), HOUR));
				// A handshake may take longer than a second on a busy machine; the
				// watch has the connection of the one that did not.
				await().ignoreException(SocketTimeoutException.class)
					.until(() -> connection.probe().equals(kubernetes.resourceVersion()));
				try (WatchStream<V1Pod> watch = connection.watch(request(2))) {
					assertThatNoException().isThrownBy(() -> readToItsEnd(watch));
				}
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
	void answerThatDoesNotBeginIsGivenUp(Protocol protocol) {
		this.network.freeze();
		OkHttpApiConnection<V1Pod> connection = connection("http://127.0.0.1:" + this.network.port(),
				new Deadlines(HOUR, HOUR, HOUR, SHORT, HOUR), (client) -> client.protocols(List.of(protocol)));
		assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> connection.watch(request(60)))
			.withMessage("no response within 500 ms");
		this.network.abandon();
		this.api.onWatch((reply) -> reply.bookmark("42"));
		await().untilAsserted(() -> assertThat(this.network.accepted()).isEqualTo(1));
	}

	@Test
	void connectionThatAnswersNoPingFromItsFirstByteIsGivenUp() {
		this.network.freeze();
		OkHttpApiConnection<V1Pod> connection = connection("http://127.0.0.1:" + this.network.port(),
				new Deadlines(HOUR, HOUR, HOUR, HOUR, Duration.ofMillis(200)),
				(client) -> client.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)));
		assertThatIOException().isThrownBy(() -> connection.watch(request(60)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
	void timeOfAWatchIsCountedFromItsAnswer(Protocol protocol) throws Exception {
		this.api.onWatch((reply) -> reply.bookmark("42"));
		Duration overrun = Duration.ofSeconds(2);
		OkHttpApiConnection<V1Pod> connection = connection(this.api.url(),
				new Deadlines(HOUR, HOUR, overrun, HOUR, HOUR),
				(client) -> client.protocols(List.of(protocol)).addInterceptor((chain) -> {
					// As a credential plugin, or a server that has requests wait in a
					// queue.
					hesitate(overrun.plusMillis(500));
					return chain.proceed(chain.request());
				}));
		try (WatchStream<V1Pod> watch = connection.watch(request(0))) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(watch::next);
		}
	}

	private static void readToItsEnd(WatchStream<V1Pod> watch) throws IOException {
		@Nullable WatchFrame<V1Pod> last;
		do {
			last = watch.next();
		}
		while (last != null);
	}

	private static void hesitate(Duration duration) throws IOException {
		try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			nobody.setSoTimeout((int) duration.toMillis());
			assertThatIOException().isThrownBy(nobody::accept);
		}
	}

	private static InputStream certificate(EmbeddedKubernetes kubernetes) {
		return new ByteArrayInputStream(kubernetes.caCertificate().getBytes(StandardCharsets.US_ASCII));
	}

	private OkHttpApiConnection<V1Pod> connection(String url, Deadlines deadlines,
			UnaryOperator<OkHttpClient.Builder> settings) {
		ApiClient client = new ApiClient(
				settings.apply(new OkHttpClient.Builder().connectionPool(new ConnectionPool())).build());
		client.setBasePath(url);
		return connection(client, deadlines);
	}

	private static OkHttpApiConnection<V1Pod> connection(ApiClient client, Deadlines deadlines) {
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false);
		return new OkHttpApiConnection<>(new ApiConnections(client, deadlines, System::nanoTime), type,
				new Selection(null, null, null), mappers, new Codecs<>(new JsonCodec<>(type, mappers), null),
				new Negotiation(false, false, (why) -> {
				}));
	}

	private static WatchRequest request(int timeoutSeconds) {
		return new WatchRequest("", timeoutSeconds, false, false);
	}

}
