package dev.kubeinformer.internal.failure;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.stream.Stream;

import javax.net.ssl.SSLHandshakeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedProtobufException;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The classification as a table: what comes from the wire on the left, the problem on the
 * right.
 */
class ProblemClassifierTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# code | reason | message | causes | problem
			410 | Expired | '' | '' | EXPIRED
			410 | Gone | '' | '' | EXPIRED
			410 | '' | '' | '' | EXPIRED
			500 | Expired | '' | '' | EXPIRED
			200 | Gone | '' | '' | EXPIRED
			410 | Expired | Too large resource version | '' | EXPIRED
			504 | Timeout | Timeout | ResourceVersionTooLarge:Too large resource version | TOO_LARGE
			504 | Timeout | Timeout | ':Too large resource version' | TOO_LARGE
			504 | Timeout | Too large resource version: 9, current: 5 | '' | TOO_LARGE
			500 | '' | Too large resource version: 9, current: 5 | '' | TOO_LARGE
			400 | BadRequest | Too large resource version: 9 | '' | INVALID_VERSION
			422 | Invalid | Too large resource version: 9 | '' | INVALID_VERSION
			400 | BadRequest | Invalid value for resourceVersion | '' | INVALID_VERSION
			422 | Invalid | invalid resource version "x" | '' | INVALID_VERSION
			500 | InternalError | Invalid resource version | '' | INVALID_VERSION
			404 | NotFound | invalid resourceVersion | '' | NOT_FOUND
			503 | '' | invalid resourceVersion | '' | UNAVAILABLE
			400 | BadRequest | '' | '' | BAD_REQUEST
			401 | Unauthorized | '' | '' | UNAUTHORIZED
			402 | '' | '' | '' | REJECTED
			403 | Forbidden | '' | '' | FORBIDDEN
			404 | NotFound | '' | '' | NOT_FOUND
			405 | MethodNotAllowed | '' | '' | UNSUPPORTED
			406 | NotAcceptable | '' | '' | UNSUPPORTED
			407 | '' | '' | '' | REJECTED
			408 | '' | '' | '' | REJECTED
			409 | Conflict | '' | '' | CONFLICT
			409 | '' | '' | '' | CONFLICT
			409 | AlreadyExists | '' | '' | ALREADY_EXISTS
			413 | RequestEntityTooLarge | '' | '' | REJECTED
			415 | UnsupportedMediaType | '' | '' | UNSUPPORTED
			422 | Invalid | '' | '' | INVALID
			429 | TooManyRequests | '' | '' | THROTTLED
			499 | '' | '' | '' | REJECTED
			500 | InternalError | '' | '' | SERVER_ERROR
			501 | '' | '' | '' | NOT_IMPLEMENTED
			502 | '' | '' | '' | UNAVAILABLE
			503 | ServiceUnavailable | '' | '' | UNAVAILABLE
			504 | Timeout | '' | '' | TIMEOUT
			505 | '' | '' | '' | UNAVAILABLE
			599 | '' | '' | '' | UNAVAILABLE
			304 | '' | '' | '' | REJECTED
			0 | '' | '' | '' | REJECTED
			""")
	void answerIsClassifiedByItsVersionElseByItsCode(int code, String reason, String message, String causes,
			Problem problem) {
		ApiStatus status = new ApiStatus(code, reason, message, causes, null);
		assertThat(ProblemClassifier.of(status)).isEqualTo(problem);
		assertThat(ProblemClassifier.of(new ApiStatusException(status))).isEqualTo(problem);
		assertThat(Failure.of(status).problem()).isEqualTo(problem);
		assertThat(Failure.of(new ApiStatusException(status))).isEqualTo(Failure.of(status));
	}

	static Stream<Arguments> exceptions() {
		return Stream.of(arguments(new ConnectException("refused"), Problem.REFUSED_CONNECTION),
				arguments(new SocketTimeoutException("timeout"), Problem.SILENT),
				arguments(new InterruptedIOException("timeout"), Problem.SILENT),
				arguments(new MalformedResponseException("x"), Problem.MALFORMED),
				arguments(new MalformedProtobufException("x"), Problem.MALFORMED_PROTOBUF),
				arguments(new NoRouteToHostException("x"), Problem.IO),
				arguments(new UnknownHostException("x"), Problem.IO), arguments(new SocketException("x"), Problem.IO),
				arguments(new EOFException("x"), Problem.IO), arguments(new ProtocolException("x"), Problem.IO),
				arguments(new SSLHandshakeException("x"), Problem.IO), arguments(new IOException("x"), Problem.IO));
	}

	@ParameterizedTest
	@MethodSource("exceptions")
	void exceptionIsClassifiedByWhatItMeans(IOException exception, Problem problem) {
		assertThat(ProblemClassifier.of(exception)).isEqualTo(problem);
		Failure failure = Failure.of(exception);
		assertThat(failure.problem()).isEqualTo(problem);
		assertThat(failure.httpStatus()).isNull();
		assertThat(failure.retryAfter()).isZero();
	}

	@Test
	void unexpectedFailureIsInternal() {
		Failure failure = Failure.unexpected(new OutOfMemoryError("secret"));
		assertThat(failure).isEqualTo(
				new Failure(Problem.INTERNAL, null, "OutOfMemoryError", "unexpected java.lang.OutOfMemoryError"));
	}

	@Test
	void failureKeepsTheCodeForPeopleAndTheTimeToWait() {
		Failure throttled = Failure.of(new ApiStatus(429, "", "slow down", "", 7));
		assertThat(throttled.httpStatus()).isEqualTo(429);
		assertThat(throttled.retryAfter()).isEqualTo(Duration.ofSeconds(7));
		assertThat(throttled.reason()).isEqualTo("HTTP429");
		assertThat(throttled.message()).isEqualTo("slow down");
		assertThat(Failure.of(new ApiStatus(0, "", "", "", null)).httpStatus()).isNull();
	}

	@Test
	void messageOfAServerErrorIsNotShown() {
		assertThat(Failure.of(new ApiStatus(500, "InternalError", "conversion webhook: secret", "", null)).message())
			.doesNotContain("secret");
	}

}
