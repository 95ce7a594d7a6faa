package dev.kubeinformer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * Lines that were logged below some loggers, with their stack traces.
 */
final class RecordedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	private final List<Logger> loggers;

	RecordedLog(String... names) {
		this.loggers = Stream.of(names).map((name) -> (Logger) LoggerFactory.getLogger(name)).toList();
		start();
		this.loggers.forEach((logger) -> logger.addAppender(this));
	}

	void everything() {
		this.loggers.forEach((logger) -> logger.setLevel(Level.TRACE));
	}

	List<String> warnings() {
		return this.events.stream().filter((event) -> event.getLevel() == Level.WARN).map(RecordedLog::text).toList();
	}

	List<String> lines() {
		return this.events.stream().map(RecordedLog::text).toList();
	}

	private static String text(ILoggingEvent event) {
		String trace = (event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy())
				: "";
		return event.getFormattedMessage() + "\n" + trace;
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.events.add(event);
	}

	@Override
	public void close() {
		this.loggers.forEach((logger) -> {
			logger.detachAppender(this);
			logger.setLevel(null);
		});
	}

}
