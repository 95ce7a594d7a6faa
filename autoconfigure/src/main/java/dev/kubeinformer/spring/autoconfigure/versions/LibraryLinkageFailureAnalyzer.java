package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Failure analyzer for a missing class or method of a library that informers use. It
 * explains that the class path has the wrong version of the library. It precedes the
 * analyzer of Spring Boot, which does not know the versions.
 */
class LibraryLinkageFailureAnalyzer extends AbstractFailureAnalyzer<LinkageError> implements Ordered {

	private static final List<String> CALLERS = List.of("dev.kubeinformer.", "io.kubernetes.client.", "okhttp3.",
			"okio.");

	@Override
	public int getOrder() {
		return 0;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LinkageError cause) {
		StackTraceElement[] trace = cause.getStackTrace();
		BuildLines lines = lines(String.valueOf(cause.getMessage()).replace('/', '.'));
		if (!isMissing(cause) || lines == null || trace.length == 0
				|| CALLERS.stream().noneMatch(trace[0].getClassName()::startsWith)) {
			return null;
		}
		ClassPathLibraries found = ClassPathLibraries.read(LibraryLinkageFailureAnalyzer.class.getClassLoader());
		return new FailureAnalysis(
				"The versions of libraries do not fit together: %s.%s calls something that does not exist: %s: %s%n%nThe class path has %s"
					.formatted(trace[0].getClassName(), trace[0].getMethodName(), cause.getClass().getSimpleName(),
							cause.getMessage(), found.describe()),
				VersionRules.origin(found, lines) + "\n\n" + lines.text(), cause);
	}

	private static boolean isMissing(LinkageError error) {
		return error instanceof IncompatibleClassChangeError || (error instanceof NoClassDefFoundError
				&& !String.valueOf(error.getMessage()).startsWith("Could not initialize"));
	}

	private static @Nullable BuildLines lines(String message) {
		if (message.contains("okhttp3.") || message.contains("okio.")) {
			return BuildLines.OKHTTP;
		}
		return message.contains("io.kubernetes.client.") ? BuildLines.CLIENT_JAVA : null;
	}

}
