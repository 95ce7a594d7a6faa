package dev.kubeinformer.internal.failure;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Replaces an exception of the application's own {@code ApiClient} in the log. The
 * message of such an exception is the raw response with its headers, and may quote the
 * object. The replacement has the class name and the stack trace of the exception, but
 * not this message.
 */
public final class LoggedFailure extends Exception {

	private static final long serialVersionUID = 1L;

	private static final int LONGEST_ANSWER = 64 * 1024;

	private static final int LONGEST_NAME = 200;

	private static final int MOST_FIELDS = 5;

	/**
	 * Messages are searched for the text of a response only if that text has at least
	 * this length. A shorter text could occur in a message by chance.
	 */
	private static final int SHORTEST_ANSWER = 8;

	private static final int DEEPEST = 100;

	/** Format of a reason in a {@code Status}. Any other text may quote the object. */
	private static final Pattern REASON = Pattern.compile("\"reason\"\\s*:\\s*\"([A-Z][A-Za-z]{0,63})\"");

	private static final Pattern FIELD = Pattern
		.compile("\"field\"\\s*:\\s*\"([^\"\\\\]{1,%d})\"".formatted(LONGEST_NAME));

	private LoggedFailure(String text, StackTraceElement @Nullable [] trace) {
		super(text);
		setStackTrace((trace != null) ? trace : new StackTraceElement[0]);
	}

	/**
	 * Returns a form of a failure that is safe to log.
	 * @param failure the failure
	 * @return the failure itself if it does not contain a response; otherwise a copy
	 * without the response
	 */
	public static Throwable of(Throwable failure) {
		Set<Throwable> found = Collections.newSetFromMap(new IdentityHashMap<>());
		collect(failure, found, 0);
		List<ApiException> answers = found.stream()
			.filter(LoggedFailure::hasAnswer)
			.map(ApiException.class::cast)
			.toList();
		return answers.isEmpty() ? failure : copy(failure, answers, found);
	}

	private static void collect(@Nullable Throwable failure, Set<Throwable> found, int depth) {
		if (failure == null || depth > DEEPEST || !found.add(failure)) {
			return;
		}
		collect(failure.getCause(), found, depth + 1);
		for (Throwable suppressed : failure.getSuppressed()) {
			collect(suppressed, found, depth + 1);
		}
	}

	private static boolean hasAnswer(Throwable failure) {
		return failure instanceof ApiException answer && !(failure instanceof WriteFailedException)
				&& (answer.getCode() != 0 || answer.getResponseBody() != null || answer.getResponseHeaders() != null);
	}

	private static Throwable copy(Throwable failure, List<ApiException> answers, Set<Throwable> left) {
		left.remove(failure);
		LoggedFailure copy = new LoggedFailure(text(failure, answers), failure.getStackTrace());
		Throwable cause = failure.getCause();
		// The rest is already in the copy, or nested too deeply.
		if (cause != null && left.contains(cause)) {
			copy.initCause(copy(cause, answers, left));
		}
		for (Throwable suppressed : failure.getSuppressed()) {
			if (left.contains(suppressed)) {
				copy.addSuppressed(copy(suppressed, answers, left));
			}
		}
		return copy;
	}

	private static String text(Throwable failure, List<ApiException> answers) {
		String name = failure.getClass().getName();
		if (hasAnswer(failure)) {
			return name + ": " + said((ApiException) failure);
		}
		String message = failure.getMessage();
		if (message == null) {
			return name;
		}
		// An exception that wraps another one usually includes its message.
		for (ApiException answer : answers) {
			message = replaced(message, answer.getMessage(), said(answer));
			message = replaced(message, answer.getResponseBody(), "…");
		}
		return name + ": " + message;
	}

	private static String replaced(String message, @Nullable String part, String by) {
		return (part != null && part.length() >= SHORTEST_ANSWER) ? message.replace(part, by) : message;
	}

	private static String said(ApiException answer) {
		String body = answer.getResponseBody();
		String read = (body != null) ? body.substring(0, Math.min(body.length(), LONGEST_ANSWER)) : "";
		String reason = REASON.matcher(read).results().findFirst().map((found) -> " " + found.group(1)).orElse("");
		String fields = FIELD.matcher(read)
			.results()
			.map(LoggedFailure::field)
			.distinct()
			.limit(MOST_FIELDS)
			.collect(Collectors.joining(", "));
		return "HTTP " + answer.getCode() + reason + (fields.isEmpty() ? "" : ": " + fields);
	}

	private static String field(MatchResult found) {
		return PrintableText.of(found.group(1), LONGEST_NAME);
	}

	/**
	 * Returns the class of the failure and its safe description.
	 * @return the text
	 */
	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

}
