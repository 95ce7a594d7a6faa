package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which warnings of the API server are logged.
 */
class WarningLogTests {

	private final Logger logger = new LoggerContext().getLogger("warnings");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final AtomicLong nanos = new AtomicLong(-5);

	private final WarningLog log = new WarningLog(this.logger, () -> "Reconciler 'a'", this.nanos::get);

	@BeforeEach
	void listen() {
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	private List<String> warned() {
		return this.lines.list.stream()
			.filter((line) -> line.getLevel() == Level.WARN)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

	@Test
	void eachDistinctOneIsLoggedOnceForEachResource() {
		for (int i = 0; i < 3; i++) {
			this.log.warned("pods", "old");
			this.log.warned("secrets", "old");
			this.log.warned("pods", "unknown");
			this.nanos.addAndGet(Duration.ofDays(1).toNanos());
		}
		assertThat(warned()).containsExactly(
				"Reconciler 'a' got a warning from the API server about its request for 'pods': old",
				"Reconciler 'a' got a warning from the API server about its request for 'secrets': old",
				"Reconciler 'a' got a warning from the API server about its request for 'pods': unknown");
		assertThat(this.lines.list).hasSize(9);
	}

	@Test
	void whoeverMakesUpNewOnesFillsNeitherMemoryNorLog() {
		for (int i = 0; i < 10_000; i++) {
			this.log.warned("pods", "warning " + i);
		}
		assertThat(warned()).hasSize(WarningLog.MOST + 1)
			.last()
			.asString()
			.contains("more than 100 different warnings");
		this.log.warned("pods", "warning 0");
		assertThat(warned()).hasSize(WarningLog.MOST + 1);
		this.nanos.addAndGet(Duration.ofHours(1).toNanos());
		this.log.warned("pods", "another");
		this.log.warned("pods", "another");
		assertThat(warned()).hasSize(WarningLog.MOST + 2).last().asString().endsWith("'pods': another");
	}

}
