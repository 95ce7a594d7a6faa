package dev.kubeinformer.internal.status;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.WriteFailedException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureLogTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(FailureLogTests.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final AtomicLong clock = new AtomicLong();

	private final FailureLog log = new FailureLog(this.logger, this.clock::get);

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.lines);
	}

	@Test
	void failuresOfOneKindAreLoggedOnceAMinuteAndCounted() {
		Exception failure = new IllegalStateException("no");
		for (int i = 0; i < 1000; i++) {
			this.log.failed("it failed", failure);
		}
		assertThat(this.lines.list).hasSize(1);
		assertThat(this.lines.list.get(0).getThrowableProxy()).isNotNull();
		this.clock.set(Duration.ofSeconds(61).toNanos());
		this.log.failed("it failed", failure);
		assertThat(this.lines.list).hasSize(2);
		assertThat(this.lines.list.get(1).getFormattedMessage()).contains("after 999 more failures");
	}

	@Test
	void failuresOfAnotherKindAreLoggedAtOnce() {
		this.log.failed("it failed", new IllegalStateException("no"));
		this.log.failed("it failed", new IllegalArgumentException("no"));
		assertThat(this.lines.list).hasSize(2);
	}

	@Test
	void refusalsShouldBeLoggedByStatusReasonAndFields() {
		this.log.failedForNow("a failed", refusal("one", 422, "Invalid", "spec.selector"));
		this.log.failedForNow("b failed", refusal("two", 422, "Invalid", "spec.ports[1].name"));
		this.log.failedForNow("c failed", refusal("three", 422, "Invalid", "spec.ports[7].name"));
		this.log.failedForNow("d failed", refusal("four", 422, "Other", "spec.selector"));
		this.log.failedForNow("e failed", refusal("five", 400, "Invalid", "spec.selector"));
		this.log.failedForNow("f failed", new IllegalStateException(refusal("six", 400, "Invalid", "spec.selector")));
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("a failed", "b failed", "d failed", "e failed", "f failed");
	}

	@Test
	void refusalsOfAClientOfTheApplicationShouldBeToldApartByReasonAndFields() {
		for (String field : List.of("spec.a", "spec.b", "spec.ports[1].name", "spec.ports[2].name", "spec.a")) {
			this.log.failedForNow(field, new ApiException("refused", 422, Map.of(),
					"{\"reason\":\"Invalid\",\"details\":{\"causes\":[{\"field\":\"" + field + "\"}]}}"));
		}
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.containsExactly("spec.a", "spec.b", "spec.ports[1].name");
	}

	@Test
	void reasonsThatAreSentencesShouldBeOneKind() {
		for (String name : List.of("a", "b", "c")) {
			this.log.failedForNow(name, new ApiException("refused", 403, Map.of(),
					"{\"reason\":\"Password hunter2 of " + name + " is too weak\"}"));
		}
		this.log.failedForNow("d", new ApiException("refused", 403, Map.of(), "{\"reason\":\"Forbidden\"}"));
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly("a", "d");
	}

	@Test
	void answerToAClientOfTheApplicationShouldBeInNoTrace() {
		String body = "{\"message\":\"Invalid value: hunter2\",\"reason\":\"Invalid\",\"details\":{\"causes\":"
				+ "[{\"field\":\"spec.a\"},{\"field\":\"spec.b\"}]}}";
		ApiException refusal = new ApiException("refused", 422, Map.of("Warning", List.of("hunter3")), body);
		IllegalStateException aside = new IllegalStateException("also " + body, refusal);
		IllegalArgumentException wrapped = new IllegalArgumentException(new IllegalStateException(refusal));
		wrapped.addSuppressed(aside);
		this.log.failed("a", refusal);
		this.log.failed("b", wrapped);
		assertThat(trace(0)).startsWith("io.kubernetes.client.openapi.ApiException: HTTP 422 Invalid: spec.a, spec.b")
			.contains("FailureLogTests.answerToAClient")
			.doesNotContain("hunter");
		assertThat(trace(1))
			.contains("java.lang.IllegalArgumentException: java.lang.IllegalStateException: ", "Caused by: ",
					"io.kubernetes.client.openapi.ApiException: HTTP 422 Invalid: spec.a, spec.b", "Suppressed: ",
					"also …")
			.doesNotContain("hunter");
	}

	@Test
	void failureWithoutAnAnswerShouldBeLoggedAsItWasThrown() {
		this.log.failed("a", new IllegalStateException("no", refusal("one", 422, "Invalid", "spec.selector")));
		this.log.failed("b", new ApiException(new IOException("unexpected end")));
		assertThat(trace(0)).startsWith("java.lang.IllegalStateException: no").contains("refused one");
		assertThat(trace(1)).startsWith("io.kubernetes.client.openapi.ApiException").contains("unexpected end");
	}

	private String trace(int line) {
		return ThrowableProxyUtil.asString(this.lines.list.get(line).getThrowableProxy());
	}

	@Test
	void refusalThatIsNotLoggedAsAWarningShouldBeSaidAtDebugLevel() {
		this.logger.setLevel(Level.DEBUG);
		this.log.failedForNow("a failed", refusal("one", 422, "Invalid", "spec.selector"));
		this.log.failedForNow("b failed", refusal("two", 422, "Invalid", "spec.selector"));
		assertThat(this.lines.list).hasSize(2);
		assertThat(this.lines.list.get(1).getLevel()).isEqualTo(Level.DEBUG);
		assertThat(this.lines.list.get(1).getFormattedMessage()).isEqualTo("b failed: refused two");
	}

	private static WriteFailedException refusal(String name, int status, String reason, String field) {
		FailedWrite write = new FailedWrite("patch", "deployments.apps", "Deployment", new ObjectKey("web", name),
				status, reason, "", List.of(field));
		return new WriteFailedException("refused " + name, write, true, Map.of(), "{}");
	}

	@Test
	void retriesOfAnOutageAreOneStackTraceAMinuteAndOneLineWhenTheyAreGivenUp() {
		Exception failure = new IllegalStateException("no");
		for (int i = 0; i < 100; i++) {
			this.log.failedForNow("it failed, and is tried again", failure);
			this.log.gaveUp("it gave up", failure);
			this.clock.addAndGet(Duration.ofMillis(500).toNanos());
		}
		assertThat(this.lines.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.ERROR);
		assertThat(this.lines.list.get(0).getThrowableProxy()).isNotNull();
		assertThat(this.lines.list.get(1).getThrowableProxy()).isNull();
		assertThat(this.lines.list.get(1).getFormattedMessage())
			.isEqualTo("it gave up: java.lang.IllegalStateException");
	}

	@Test
	void lastFailureOfAKindThatNobodyWasNotifiedOfComesWithItsStackTrace() {
		this.log.failedForNow("it failed, and is tried again", new IllegalStateException("no"));
		this.log.gaveUp("it gave up", new IllegalArgumentException("no"));
		assertThat(this.lines.list).hasSize(2);
		assertThat(this.lines.list.get(1).getThrowableProxy()).isNotNull();
	}

}
