package dev.kubeinformer.internal.transport;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which connections requests use.
 */
@Tag("slow")
@ParameterizedClass
@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
class OkHttpApiConnectionTests {

	private static final String EMPTY = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":[]}";

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Duration SHORT = Duration.ofMillis(1500);

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.api.port());

	private final ApiClient client;

	private final Protocol protocol;

	OkHttpApiConnectionTests(Protocol protocol) {
		this.protocol = protocol;
		this.client = client("http://127.0.0.1:" + this.network.port());
	}

	/** The first request of a JVM may take longer than the short times of these tests. */
	@BeforeEach
	void warmUp() throws Exception {
		this.api.onList((reply) -> reply.json(200, EMPTY));
		connection(new ApiConnections(client(this.api.url()), new Deadlines(LONG, LONG, LONG), System::nanoTime))
			.probe();
	}

	@AfterEach
	void close() {
		this.network.close();
		this.api.close();
	}

	@Test
	void requestsInARowShareOneConnection() throws Exception {
		this.api.onList((reply) -> reply.json(200, EMPTY));
		this.api.onWatch((reply) -> reply.bookmark("42").end());
		this.api.onList((reply) -> reply.json(200, EMPTY));
		OkHttpApiConnection<V1Pod> connection = connection(LONG, LONG, LONG);
		assertThat(list(connection)).isEqualTo("41");
		try (WatchStream<V1Pod> watch = connection.watch(request(60))) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThat(watch.next()).isNull();
		}
		assertThat(connection.probe()).isEqualTo("41");
		assertThat(this.network.accepted()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestAfterAListThatWasSilentForTooLongUsesANewConnection(boolean answered) throws Exception {
		if (answered) {
			this.api.onList((reply) -> reply.line("{\"kind\":\"PodList\",").hold());
		}
		else {
			this.network.freeze();
		}
		this.api.onList((reply) -> reply.json(200, EMPTY));
		OkHttpApiConnection<V1Pod> connection = connection(SHORT, LONG, LONG);
		assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> list(connection));
		this.network.abandon();
		assertThat(connection.probe()).isEqualTo("41");
		assertThat(this.network.accepted()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void requestAfterAWatchThatWasSilentForTooLongUsesANewConnection(boolean answered) throws Exception {
		this.api.onWatch((reply) -> reply.bookmark("42"));
		this.api.onList((reply) -> reply.json(200, EMPTY));
		OkHttpApiConnection<V1Pod> connection = connection(LONG, SHORT, LONG);
		if (answered) {
			try (WatchStream<V1Pod> watch = connection.watch(request(60))) {
				assertThat(watch.next().resourceVersion()).isEqualTo("42");
				assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(watch::next);
			}
		}
		else {
			this.network.freeze();
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(() -> connection.watch(request(60)));
		}
		this.network.abandon();
		assertThat(list(connection)).isEqualTo("41");
		assertThat(this.network.accepted()).isEqualTo(2);
	}

	@Test
	void requestAfterAWatchThatDidNotEndInTimeUsesANewConnection() throws Exception {
		this.api.onWatch((reply) -> reply.bookmark("42"));
		this.api.onList((reply) -> reply.json(200, EMPTY));
		// HTTP/2 finds out by pings, which would take half a minute.
		Deadlines deadlines = new Deadlines(LONG, LONG, SHORT, LONG, Duration.ofSeconds(2));
		OkHttpApiConnection<V1Pod> connection = connection(
				new ApiConnections(this.client, deadlines, System::nanoTime));
		try (WatchStream<V1Pod> watch = connection.watch(request(0))) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(watch::next);
		}
		this.network.abandon();
		assertThat(list(connection)).isEqualTo("41");
		assertThat(this.network.accepted()).isEqualTo(2);
	}

	@Test
	void silenceOfOneWatchLeavesTheOthersAlone() throws Exception {
		this.api.onWatch((reply) -> reply.bookmark("42"));
		ScriptedReply neighbour = this.api.onWatch((reply) -> reply.bookmark("42"));
		this.api.onWatch((reply) -> reply.bookmark("43"));
		OkHttpApiConnection<V1Pod> connection = connection(LONG, SHORT, LONG);
		try (WatchStream<V1Pod> silent = connection.watch(request(60));
				WatchStream<V1Pod> other = connection(LONG, LONG, LONG).watch(request(60))) {
			assertThat(silent.next().resourceVersion()).isEqualTo("42");
			assertThat(other.next().resourceVersion()).isEqualTo("42");
			int connections = this.network.accepted();
			assertThat(connections).isEqualTo((this.protocol == Protocol.HTTP_1_1) ? 2 : 1);
			assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(silent::next);
			try (WatchStream<V1Pod> resumed = connection.watch(request(60))) {
				assertThat(resumed.next().resourceVersion()).isEqualTo("43");
				assertThat(this.network.accepted()).isEqualTo(connections + 1);
				neighbour.bookmark("44");
				WatchFrame<V1Pod> next = other.next();
				assertThat(next.resourceVersion()).isEqualTo("44");
			}
		}
	}

	@Test
	void allThatLeaveAConnectionShareTheNextOne() throws Exception {
		this.api.onEvery((request) -> true, (reply) -> reply.bookmark("42"));
		ApiConnections connections = new ApiConnections(this.client, new Deadlines(LONG, SHORT, LONG),
				System::nanoTime);
		OkHttpApiConnection<V1Pod> one = connection(connections);
		OkHttpApiConnection<V1Pod> another = connection(connections);
		try (WatchStream<V1Pod> first = one.watch(request(60));
				WatchStream<V1Pod> second = another.watch(request(60))) {
			for (WatchStream<V1Pod> each : List.of(first, second)) {
				assertThat(each.next()).isNotNull();
				assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(each::next);
			}
		}
		int before = this.network.accepted();
		try (WatchStream<V1Pod> first = one.watch(request(60));
				WatchStream<V1Pod> second = another.watch(request(60))) {
			assertThat(first.next()).isNotNull();
			assertThat(second.next()).isNotNull();
			int opened = this.network.accepted() - before;
			assertThat(opened).isEqualTo((this.protocol == Protocol.HTTP_1_1) ? 2 : 1);
		}
	}

	private ApiClient client(String url) {
		ApiClient result = new ApiClient(new OkHttpClient.Builder().connectionPool(new ConnectionPool())
			.protocols(List.of(this.protocol))
			.build());
		result.setBasePath(url);
		return result;
	}

	private OkHttpApiConnection<V1Pod> connection(Duration listIdle, Duration watchIdle, Duration overrun) {
		return connection(
				new ApiConnections(this.client, new Deadlines(listIdle, watchIdle, overrun), System::nanoTime));
	}

	private static OkHttpApiConnection<V1Pod> connection(ApiConnections connections) {
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false);
		return new OkHttpApiConnection<>(connections, type, new Selection(null, null, null), mappers,
				new Codecs<>(new JsonCodec<>(type, mappers), null), new Negotiation(false, false, (why) -> {
				}));
	}

	private static String list(OkHttpApiConnection<V1Pod> connection) throws Exception {
		return connection.list(new ListRequest("0", 500, ""), (object) -> {
		}).resourceVersion();
	}

	private static WatchRequest request(int timeoutSeconds) {
		return new WatchRequest("41", timeoutSeconds, false, false);
	}

}
