package dev.kubeinformer.internal.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.MalformedResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Bytes of requests, and reading of answers, byte by byte. */
@Tag("once")
class OwnConnectionTests {

	private static final int LONGEST = 1000;

	private final Wire wire = new Wire();

	private Response exchange(String answer) throws IOException {
		return exchange(answer, this.wire);
	}

	private Response exchange(String answer, Wire over) throws IOException {
		over.input = new ByteArrayInputStream(answer.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8));
		over.connection = new OwnConnection(over, over, System::nanoTime);
		WriteBody body = new WriteBody(MediaType.get("application/json"), "{}".getBytes(StandardCharsets.UTF_8),
				LONGEST);
		Request request = new Request.Builder().url("http://[::1]:6443/api/v1/x?force=true&a=%20b")
			.header("Authorization", "Bearer t")
			.header("Content-Type", "application/json")
			.patch(body)
			.build();
		return over.connection.exchange(request, body, TimeUnit.SECONDS.toNanos(60), over);
	}

	@Test
	void requestShouldBeOneOfHttp() throws Exception {
		exchange("HTTP/1.1 200 OK|Content-Length: 0||");
		assertThat(this.wire.output.toString(StandardCharsets.UTF_8).replace("\r\n", "|"))
			.isEqualTo("PATCH /api/v1/x?force=true&a=%20b HTTP/1.1|Authorization: Bearer t|Host: [::1]:6443"
					+ "|Content-Type: application/json|Content-Length: 2||{}");
		assertThat(this.wire.writes).isEqualTo(1);
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = { "HTTP/1.1 200 OK|Content-Length: 2||{}, 200, {}, true",
			"HTTP/1.1 201|content-length:2||{}, 201, {}, true",
			"HTTP/1.1 100 Continue||HTTP/1.1 103 Hints|Link: x||HTTP/1.1 200 OK|Content-Length: 2||{}, 200, {}, true",
			"HTTP/1.1 200 OK|Transfer-Encoding: chunked||2;x=y|{\"|A|123456789}|0|Trailer: x||, 200, {\"123456789}, true",
			"HTTP/1.1 204 No Content||, 204, \"\", true", "HTTP/1.1 200 OK||until the end, 200, until the end, false",
			"HTTP/1.0 200 OK|Content-Length: 2||{}, 200, {}, false",
			"HTTP/1.1 200 OK|Connection: Close|Content-Length: 2||{}, 200, {}, false",
			"HTTP/1.1 409 Conflict|Content-Length: 2||{}, 409, {}, true",
			"HTTP/1.1 409 Conflict|Content-Length: 9||{}, 409, \"\", false",
			"HTTP/1.1 200 OK|Content-Length: 2||{}more, 200, {}, false",
			"HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 2||2|{}|0||, 200, {}, false" })
	void answerShouldBeReadToItsEnd(String answer, int code, String body, boolean reusable) throws Exception {
		for (int most : new int[] { 1, 7, Integer.MAX_VALUE }) {
			Wire over = new Wire();
			over.most = most;
			try (Response response = exchange(answer, over)) {
				assertThat(response.code()).isEqualTo(code);
				assertThat(response.body().string()).isEqualTo(body);
			}
			// With a byte at a time, what follows has not been seen yet.
			if (!answer.endsWith("more") || most > 7) {
				assertThat(over.connection.isReusable()).as("by %d", most).isEqualTo(reusable);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "SSH-2.0-x|||||||||", "HTTP/2 200 OK||", "HTTP/1.1 2x0 OK||",
			"HTTP/1.1 200 OK|no header||", "HTTP/1.1 200 OK|X-A : b|Content-Length: 2||{}",
			"HTTP/1.1 200 OK|X: a| Content-Length: 2||{}", "HTTP/1.1 200 OK|Content-Length: -1||",
			"HTTP/1.1 200 OK|Content-Length: 1, 1||{}", "HTTP/1.1 200 OK|Content-Length: 1|Content-Length: 2||{}",
			"HTTP/1.1 200 OK|Transfer-Encoding: gzip||", "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x|{}|0||",
			"HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|{}|0||", "HTTP/1.1 200 OK|Content-Length: +2||{}" })
	void answerThatIsNotHttpShouldBeAFailureAfterWhichNothingIsSent(String answer) {
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> exchange(answer));
		assertThat(this.wire.connection.isReusable()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "'', false", "H, true", "HTTP/1.1 200 OK|Content-Length: 3||{}, true",
			"HTTP/1.1 200 OK|Transfer-Encoding: chunked||3|{}, true" })
	void answerThatEndsShouldBeAFailure(String answer, boolean answered) {
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> exchange(answer));
		assertThat(this.wire.connection.isReusable()).isFalse();
		assertThat(this.wire.connection.isAnswered()).isEqualTo(answered);
	}

	@ParameterizedTest
	@ValueSource(strings = { "HTTP/1.1 200 OK|Content-Length: 1001||",
			"HTTP/1.1 200 OK|Transfer-Encoding: chunked||3e9|", "HTTP/1.1 200 OK||" })
	void answerThatIsTooLongShouldBeAFailure(String head) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> exchange(head + "x".repeat(LONGEST + 1)))
			.withMessageContaining("longer than 1000 bytes");
		assertThat(this.wire.connection.isReusable()).isFalse();
	}

	@Test
	void headThatDoesNotEndShouldBeAFailure() {
		assertThatExceptionOfType(ProtocolException.class)
			.isThrownBy(() -> exchange("HTTP/1.1 200 OK|" + "X: yyyyyyyyyyyyy|".repeat(100_000)));
		assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> exchange("x".repeat(1_000_000)));
	}

	@Test
	void explanationShouldBeCut() throws Exception {
		String long64 = "x".repeat(AnswerBodies.LONGEST_ERROR + 5);
		try (Response response = exchange(
				"HTTP/1.1 422 Invalid|Content-Length: %d||%s".formatted(long64.length(), long64))) {
			assertThat(response.body().bytes()).hasSize(AnswerBodies.LONGEST_ERROR);
		}
		assertThat(this.wire.connection.isReusable()).isFalse();
	}

	@Test
	void serverThatIsSilentShouldBeAskedOtherwise() {
		this.wire.silent = true;
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> exchange("")).withMessage("twice");
		assertThat(this.wire.timeout).isEqualTo(15_000);
		assertThat(this.wire.connection.isAnswered()).isFalse();
	}

	/** Socket without a network. */
	private static final class Wire extends Socket implements OwnConnection.Probe {

		private final ByteArrayOutputStream output = new ByteArrayOutputStream();

		private InputStream input = InputStream.nullInputStream();

		private OwnConnection connection;

		private int most = Integer.MAX_VALUE;

		private int writes;

		private int timeout;

		private boolean silent;

		private int asked;

		@Override
		public InputStream getInputStream() {
			return new InputStream() {

				@Override
				public int read() throws IOException {
					return Wire.this.input.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					if (Wire.this.silent) {
						throw new SocketTimeoutException();
					}
					return Wire.this.input.read(bytes, offset, Math.min(length, Wire.this.most));
				}

			};
		}

		@Override
		public OutputStream getOutputStream() {
			return new OutputStream() {

				@Override
				public void write(int value) {
					Wire.this.output.write(value);
				}

				@Override
				public void write(byte[] bytes, int offset, int length) {
					Wire.this.writes++;
					Wire.this.output.write(bytes, offset, length);
				}

			};
		}

		@Override
		public Duration interval() {
			return Duration.ofSeconds(15);
		}

		@Override
		public void ask() throws IOException {
			if (++this.asked == 2) {
				throw new SocketTimeoutException("twice");
			}
		}

		@Override
		public void setSoTimeout(int milliseconds) {
			this.timeout = milliseconds;
		}

	}

}
