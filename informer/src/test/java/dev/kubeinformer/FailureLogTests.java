package dev.kubeinformer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

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
