package dev.kubeinformer.internal.transport;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okio.Buffer;
import okio.Okio;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.failure.FloodedWatchException;
import dev.kubeinformer.internal.http.GzipMembers;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * The body of a watch in JSON: where its events begin and end, and in what they are
 * wrapped.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource(value = Protocol.class, names = { "HTTP_1_1", "H2_PRIOR_KNOWLEDGE" })
class WatchStreamTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final int LARGEST = 64 * 1024;

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final OkHttpApiConnection<V1Pod> connection;

	WatchStreamTests(Protocol protocol) {
		ApiClient client = new ApiClient(
				new OkHttpClient.Builder().connectionPool(new ConnectionPool()).protocols(List.of(protocol)).build());
		client.setBasePath(this.api.url());
		ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
		JsonMappers mappers = new JsonMappers(false, LARGEST);
		this.connection = new OkHttpApiConnection<>(
				new ApiConnections(client, new Deadlines(LONG, LONG, LONG), System::nanoTime), type,
				new Selection(null, null, null), mappers, new Codecs<>(new JsonCodec<>(type, mappers), null),
				new Negotiation(false, false, (why) -> {
				}));
	}

	@AfterEach
	void close() {
		this.api.close();
	}

	@Test
	void lastEventNeedsNoEndOfItsLine() throws IOException {
		this.api.onWatch((reply) -> reply.bookmark("42").chunk(utf8(added("a", "43"))).end());
		this.api.onWatch((reply) -> reply.chunk(utf8("""
				{"type":"ERROR","object":{"kind":"Status","code":410}}""")).end());
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThat(watch.next().object().metadata().name()).isEqualTo("a");
			assertThat(watch.next()).isNull();
		}
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().status().code()).isEqualTo(410);
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void eventsDoNotWakeTheThreadOfTimeouts() throws IOException {
		int events = 100;
		this.api.onWatch((reply) -> {
			for (int version = 1; version <= events; version++) {
				reply.bookmark(Integer.toString(version)).delay(Duration.ofMillis(1));
			}
			reply.end();
		});
		try (WatchStream<V1Pod> watch = watch()) {
			watch.next();
			long before = waitsForTimeouts();
			while (watch.next() != null) {
				// Each of them is waited for.
			}
			assertThat(waitsForTimeouts() - before).isLessThan(events / 5);
		}
	}

	private static long waitsForTimeouts() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
			.filter((thread) -> thread != null && thread.getThreadName().equals("Okio Watchdog"))
			.mapToLong(ThreadInfo::getWaitedCount)
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lastEventThatIsCutOffIsNone(boolean properly) throws IOException {
		String event = added("a", "43");
		this.api.onWatch((reply) -> {
			reply.bookmark("42").chunk(utf8(properly ? event.substring(0, event.length() - 1) : event));
			end(reply, properly);
		});
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThatIOException().isThrownBy(watch::next)
				.satisfies((ex) -> assertThat(ex).isNotInstanceOf(MalformedResponseException.class));
		}
	}

	private static void end(ScriptedReply reply, boolean properly) {
		if (properly) {
			reply.end();
		}
		else {
			reply.reset();
		}
	}

	@Test
	void lineWithoutAnEndIsGivenUp() throws IOException {
		String padding = " ".repeat(LARGEST - added("a", "42").length());
		this.api.onWatch((reply) -> reply.line(added("a", "42") + padding).line(padding.repeat(2)).hold());
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next)
				.withMessage("An event of the watch is longer than 65536 bytes");
		}
	}

	@Test
	void compressionIsNotAskedForAndEachMemberThatComesAnywayIsGivenOutAtOnce() throws IOException {
		ScriptedReply reply = this.api.onWatch((answer) -> answer.header("Content-Encoding", "gzip")
			.chunk(gzip(added("a", "42") + "\n" + added("b", "43") + "\n"))
			.hold());
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThat(watch.next().resourceVersion()).isEqualTo("43");
			reply.chunk(gzip(added("c", "44") + "\n"));
			assertThat(watch.next().resourceVersion()).isEqualTo("44");
			// A member that is flushed before it ends, and cut anywhere.
			byte[] flushed = flushed(added("d", "45") + "\n");
			for (byte each : flushed) {
				reply.chunk(new byte[] { each });
			}
			assertThat(watch.next().resourceVersion()).isEqualTo("45");
			reply.end();
			assertThatExceptionOfType(EOFException.class).isThrownBy(watch::next);
		}
		assertThat(this.api.requests().get(0).header("Accept-Encoding")).isEqualTo("identity");
	}

	@Test
	void compressedWatchEndsBehindAMember() throws IOException {
		this.api.onWatch((reply) -> reply.header("Content-Encoding", "gzip")
			.chunk(gzip(added("a", "42") + "\n"))
			.chunk(gzip(""))
			.end());
		try (WatchStream<V1Pod> watch = watch()) {
			assertThat(watch.next().resourceVersion()).isEqualTo("42");
			assertThat(watch.next()).isNull();
		}
	}

	@Test
	void bombIsGivenUp() throws IOException {
		byte[] bomb = gzip(" ".repeat(64 * LARGEST));
		this.api.onWatch((reply) -> reply.header("Content-Encoding", "gzip").chunk(bomb).hold());
		this.api.onList((reply) -> reply.header("Content-Encoding", "gzip")
			.body(200, gzip("{\"kind\":\"PodList\",\"items\":[{\"spec\":\"" + "x".repeat(64 * LARGEST) + "\"}]}")));
		try (WatchStream<V1Pod> watch = watch()) {
			assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(watch::next);
		}
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> this.connection.list(new ListRequest("", 0, ""), (item) -> {
			}))
			.withMessage("An object of a list is longer than 65536 bytes");
	}

	@Test
	void membersOfNothingAreGivenUp() throws IOException {
		byte[] empty = gzip("");
		byte[] flood = new byte[empty.length * 100_000];
		for (int i = 0; i < 100_000; i++) {
			System.arraycopy(empty, 0, flood, i * empty.length, empty.length);
		}
		this.api.onWatch((reply) -> reply.header("Content-Encoding", "gzip").chunk(flood).hold());
		try (WatchStream<V1Pod> watch = watch()) {
			assertThatExceptionOfType(FloodedWatchException.class).isThrownBy(watch::next);
		}
	}

	@Test
	void membersOfAnySizeAreInflated() throws IOException {
		Random random = new Random(7);
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		ByteArrayOutputStream plain = new ByteArrayOutputStream();
		for (int size : new int[] { 0, 1, 8191, 8192, 8193, 300_000, 0 }) {
			byte[] part = new byte[size];
			random.nextBytes(part);
			Arrays.fill(part, 0, size / 2, (byte) 'x');
			plain.writeBytes(part);
			compressed.writeBytes(gzip(part));
		}
		Buffer source = new Buffer().write(compressed.toByteArray());
		try (GzipMembers members = new GzipMembers(source)) {
			assertThat(Okio.buffer(members).readByteArray()).isEqualTo(plain.toByteArray());
		}
		byte[] damaged = compressed.toByteArray();
		damaged[damaged.length - 25] ^= 1;
		try (GzipMembers members = new GzipMembers(new Buffer().write(damaged))) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> Okio.buffer(members).readByteArray());
		}
	}

	private WatchStream<V1Pod> watch() throws IOException {
		return this.connection.watch(new WatchRequest("41", 60, false, false));
	}

	private static String added(String name, String version) {
		return """
				{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"%s","resourceVersion":"%s"}}}"""
			.formatted(name, version);
	}

	private static byte[] gzip(String text) {
		return gzip(utf8(text));
	}

	private static byte[] gzip(byte[] bytes) {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(bytes);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return compressed.toByteArray();
	}

	private static byte[] flushed(String text) throws IOException {
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		GZIPOutputStream gzip = new GZIPOutputStream(compressed, true);
		gzip.write(utf8(text));
		gzip.flush();
		return compressed.toByteArray();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
