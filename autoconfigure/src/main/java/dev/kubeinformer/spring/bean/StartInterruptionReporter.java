package dev.kubeinformer.spring.bean;

import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Prevents Spring Boot from reporting a start as failed if the application was stopped
 * during this start. The end of the start has already been logged.
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
