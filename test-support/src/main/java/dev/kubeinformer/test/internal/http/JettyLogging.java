package dev.kubeinformer.test.internal.http;

import java.lang.reflect.Method;
import java.util.logging.Level;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits Jetty's log to warnings, because messages about its start and stop distract in
 * the log of a test. If the logging configuration sets a level for Jetty, this level is
 * kept. SLF4J has no method to set levels, so this class uses the methods of Logback,
 * Log4j 2 and {@code java.util.logging}.
 */
final class JettyLogging {

	private static final String JETTY = "org.eclipse.jetty";

	/**
	 * Logger of {@code java.util.logging}. This field keeps the logger and its level,
	 * because the JDK holds loggers only weakly.
	 */
	private java.util.logging.@Nullable Logger held;

	/**
	 * Limits the log. Repeated before each step of a server, because the start of an
	 * application may reset the logging configuration.
	 */
	void limit() {
		Logger logger = LoggerFactory.getLogger(JETTY);
		String name = logger.getClass().getName();
		try {
			if (name.equals("ch.qos.logback.classic.Logger")) {
				limitLogback(logger);
			}
			else if (name.equals("org.apache.logging.slf4j.Log4jLogger")) {
				limitLog4j(logger.getClass().getClassLoader());
			}
			else if (name.equals("org.slf4j.jul.JDK14LoggerAdapter")) {
				limitJdk();
			}
		}
		catch (ReflectiveOperationException | LinkageError ex) {
			logger.debug("The level of Jetty's log cannot be set", ex);
		}
	}

	private static void limitLogback(Logger logger) throws ReflectiveOperationException {
		Class<?> type = logger.getClass();
		if (type.getMethod("getLevel").invoke(logger) == null) {
			Class<?> level = Class.forName("ch.qos.logback.classic.Level", true, type.getClassLoader());
			type.getMethod("setLevel", level).invoke(logger, level.getField("WARN").get(null));
		}
	}

	private static void limitLog4j(@Nullable ClassLoader loader) throws ReflectiveOperationException {
		Class<?> manager = Class.forName("org.apache.logging.log4j.LogManager", true, loader);
		Object context = manager.getMethod("getContext", boolean.class).invoke(null, false);
		Object configuration = context.getClass().getMethod("getConfiguration").invoke(context);
		Method loggers = configuration.getClass().getMethod("getLoggers");
		if (!((java.util.Map<?, ?>) loggers.invoke(configuration)).containsKey(JETTY)) {
			Class<?> level = Class.forName("org.apache.logging.log4j.Level", true, loader);
			Class.forName("org.apache.logging.log4j.core.config.Configurator", true, loader)
				.getMethod("setLevel", String.class, level)
				.invoke(null, JETTY, level.getField("WARN").get(null));
		}
	}

	private void limitJdk() {
		java.util.logging.Logger logger = java.util.logging.Logger.getLogger(JETTY);
		if (logger.getLevel() == null) {
			logger.setLevel(Level.WARNING);
		}
		this.held = logger;
	}

}
