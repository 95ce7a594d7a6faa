package dev.kubeinformer.test.internal.http;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the log of the server below the embedded API.
 */
class JettyLoggingTests {

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final Logger jetty = (Logger) LoggerFactory.getLogger("org.eclipse.jetty");

	private final Level before = this.root.getLevel();

	private final Lines lines = new Lines();

	@BeforeEach
	void listen() {
		this.lines.start();
		this.root.addAppender(this.lines);
		this.jetty.setLevel(null);
	}

	@AfterEach
	void restore() {
		this.root.detachAppender(this.lines);
		this.root.setLevel(this.before);
		this.jetty.setLevel(null);
	}

	@Test
	void startAndStopShouldNotBeLogged() {
		this.root.setLevel(Level.INFO);
		useServer();
		assertThat(this.lines.all).isEmpty();
	}

	@Test
	void resetOfTheConfigurationShouldNotChangeThat() {
		this.root.setLevel(Level.INFO);
		EmbeddedKubernetes server = EmbeddedKubernetes.start();
		this.jetty.setLevel(null);
		server.close();
		assertThat(this.lines.all).isEmpty();
	}

	@Test
	void configuredLevelShouldBeKept() {
		this.jetty.setLevel(Level.INFO);
		useServer();
		assertThat(this.jetty.getLevel()).isEqualTo(Level.INFO);
		assertThat(this.lines.all).anyMatch((line) -> line.startsWith("Started "));
	}

	private static void useServer() {
		EmbeddedKubernetes server = EmbeddedKubernetes.start();
		server.restart();
		server.close();
	}

	/** Lines of Jetty. */
	private static final class Lines extends AppenderBase<ILoggingEvent> {

		private final List<String> all = new ArrayList<>();

		@Override
		protected void append(ILoggingEvent event) {
			if (event.getLoggerName().startsWith("org.eclipse.jetty")) {
				this.all.add(event.getFormattedMessage());
			}
		}

	}

}
