package dev.kubeinformer.internal.client.credential;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/** Log of the credentials. */
final class TestLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger(Credential.class);

	private final List<String> lines = new CopyOnWriteArrayList<>();

	TestLog() {
		start();
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
		this.logger.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
	}

	List<String> lines() {
		return this.lines;
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		this.logger.setAdditive(true);
		this.logger.setLevel(null);
	}

}
