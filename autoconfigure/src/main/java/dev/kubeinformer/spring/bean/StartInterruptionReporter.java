package dev.kubeinformer.spring.bean;

import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reporter of starts that a stop of the application has ended. Such a start is not a
 * failure, and {@link StartWait} has logged its end.
 */
final class StartInterruptionReporter implements SpringBootExceptionReporter {

	// Boot passes the context to the constructor.
	StartInterruptionReporter(ConfigurableApplicationContext context) {
	}

	@Override
	public boolean reportException(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof StartInterruptedException)) {
			cause = cause.getCause();
		}
		return cause != null;
	}

}
