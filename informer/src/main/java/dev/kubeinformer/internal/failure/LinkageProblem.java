package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Describes incompatible versions of the libraries that the HTTP client uses, such as
 * OkHttp and Okio. This is not a network failure, and a retry cannot succeed.
 *
 * @param error the error of the JVM
 * @param message the missing class or member, the jar that should contain it, and the jar
 * that needs it
 * @param advice the remedy
 */
public record LinkageProblem(LinkageError error, String message, String advice) {

	private static final List<String> LIBRARIES = List.of("okhttp3.", "okio.", "io.kubernetes.client.", "kotlin.");

	/** Class names with packages, as in messages of the JVM. */
	private static final Pattern CLASS = Pattern.compile("\\b(?:[a-z_][a-z0-9_]*[./])+[A-Z][A-Za-z0-9_$]*");

	private static final int DEEPEST = 8;

	private static final String ADVICE = "Use matching versions of OkHttp, Okio and client-java, as the starter declares them; remove a "
			+ "version that is set for one of them alone, such as com.squareup.okhttp3:okhttp 4 next to "
			+ "okhttp-jvm 5. 'mvn dependency:tree "
			+ "-Dincludes=com.squareup.okhttp3,com.squareup.okio,io.kubernetes' shows their origin";

	/**
	 * Checks whether the libraries are compatible, without network access.
	 * @return the problem; {@code null} if there is none
	 */
	public static @Nullable LinkageProblem probe() {
		try {
			HttpStackProbe.run();
			return null;
		}
		catch (IOException | RuntimeException | LinkageError ex) {
			return of(ex);
		}
	}

	/**
	 * Finds out whether incompatible libraries have caused a failure.
	 * @param failure the failure
	 * @return the problem; {@code null} if the failure has another cause
	 */
	public static @Nullable LinkageProblem of(Throwable failure) {
		LinkageError error = find(failure, 0);
		if (error == null) {
			return null;
		}
		Set<String> classes = new LinkedHashSet<>();
		StackTraceElement[] trace = error.getStackTrace();
		if (trace.length > 0) {
			classes.add(trace[0].getClassName());
		}
		Matcher named = CLASS.matcher(String.valueOf(error.getMessage()));
		while (named.find()) {
			classes.add(named.group().replace('/', '.'));
		}
		return classes.stream().anyMatch(LinkageProblem::isOfLibrary)
				? new LinkageProblem(error, describe(error, classes), ADVICE) : null;
	}

	private static @Nullable LinkageError find(@Nullable Throwable failure, int depth) {
		if (failure == null || failure instanceof LinkageError || depth == DEEPEST) {
			return (failure instanceof LinkageError error) ? error : null;
		}
		// OkHttp wraps errors that occur in its own threads in exceptions.
		for (Throwable suppressed : failure.getSuppressed()) {
			LinkageError error = find(suppressed, depth + 1);
			if (error != null) {
				return error;
			}
		}
		return find(failure.getCause(), depth + 1);
	}

	private static boolean isOfLibrary(String className) {
		return LIBRARIES.stream().anyMatch(className::startsWith);
	}

	private static String describe(LinkageError error, Set<String> classes) {
		String places = classes.stream()
			.flatMap((name) -> places(name).stream().map((jar) -> "%s is in '%s'".formatted(name, jar)))
			.collect(Collectors.joining(", "));
		Set<String> clients = copies("okhttp3/OkHttpClient.class");
		return "libraries of the HTTP client are incompatible: %s: %s%s%s".formatted(error.getClass().getSimpleName(),
				error.getMessage(), places.isEmpty() ? "" : " (" + places + ")",
				(clients.size() > 1) ? "; okhttp3.OkHttpClient is in each of " + clients : "");
	}

	private static Set<String> places(String className) {
		try {
			CodeSource source = Class.forName(className, false, LinkageProblem.class.getClassLoader())
				.getProtectionDomain()
				.getCodeSource();
			return (source != null && source.getLocation() != null) ? Set.of(jar(source.getLocation().toString()))
					: Set.of();
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return Set.of();
		}
	}

	private static Set<String> copies(String resource) {
		Set<String> jars = new TreeSet<>();
		try {
			for (URL copy : Collections.list(LinkageProblem.class.getClassLoader().getResources(resource))) {
				String location = copy.toString();
				jars.add("'" + jar(location.substring(0, location.length() - resource.length())) + "'");
			}
		}
		catch (IOException ex) {
			// Skip a jar that cannot be determined.
		}
		return jars;
	}

	// Handles nested jars of Spring Boot, too:
	// jar:nested:/app.jar/!BOOT-INF/lib/okio.jar!/
	private static String jar(String location) {
		String path = location.replaceAll("!?/+$", "");
		return path.substring(path.lastIndexOf('/') + 1);
	}

}
