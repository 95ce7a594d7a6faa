package dev.kubeinformer.internal.status;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

import dev.kubeinformer.internal.failure.LoggedFailure;
import dev.kubeinformer.types.FailedWrite;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Logs the failures of one handler. The first failure of a kind is logged with its stack
 * trace. Failures of this kind in the following minute are only counted, and the next
 * logged line contains their number. So the log of a handler that fails on many objects
 * does not fill the disk. Traces omit responses of the API server to clients of the
 * application, because these may quote an object.
 */
public final class FailureLog {

	private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_KINDS = 50;

	private static final int LONGEST_ANSWER = 64 * 1024;

	private static final int MOST_NAMED = 20;

	/**
	 * Reason or field of a {@code Status} object. A webhook may send any text as the
	 * reason, including names or values from the object, so a reason is accepted only if
	 * it is a single word.
	 */
	private static final Pattern NAMED = Pattern
		.compile("\"(?:reason\"\\s*:\\s*\"([A-Z][A-Za-z]{0,63})|field\"\\s*:\\s*\"([^\"\\\\]{1,200}))\"");

	private static final Pattern INDEX = Pattern.compile("\\[[^\\]]*]");

	private final Logger logger;

	private final LongSupplier nanoTime;

	private final Map<String, Kind> kinds = new HashMap<>();

	public FailureLog(Logger logger, LongSupplier nanoTime) {
		this.logger = logger;
		this.nanoTime = nanoTime;
	}

	/**
	 * Logs a failure that is not retried.
	 * @param what the description of the failed operation
	 * @param cause the exception
	 */
	public void failed(String what, Throwable cause) {
		log(Level.ERROR, kind(cause), what, cause, cause);
	}

	/**
	 * Logs a failure that is retried.
	 * @param what the description of the failed operation
	 * @param cause the exception
	 */
	public void failedForNow(String what, Throwable cause) {
		log(Level.WARN, kind(cause), what, cause, cause);
	}

	/**
	 * Logs the failure of the last attempt. The failures of earlier attempts were logged,
	 * mostly with the same stack trace.
	 * @param what the description of the failed operation
	 * @param cause the exception
	 */
	public void gaveUp(String what, Throwable cause) {
		boolean logged = isLogged(kind(cause));
		log(Level.ERROR, "gave up: " + kind(cause), what + ": " + cause.getClass().getName(), cause,
				logged ? null : cause);
	}

	/**
	 * Logs a problem without its exception, at the same rate as a failure.
	 * @param kind the kind of the problem
	 * @param what the description of the problem
	 */
	public void warn(String kind, String what) {
		long suppressed = count(kind);
		this.logger.atLevel((suppressed < 0) ? Level.DEBUG : Level.WARN)
			.log((suppressed <= 0) ? what : what + ", after " + suppressed + " more of this kind");
	}

	private synchronized boolean isLogged(String name) {
		Kind kind = this.kinds.get(name);
		return kind != null && this.nanoTime.getAsLong() - kind.logged < QUIET;
	}

	private void log(Level level, String kind, String what, Throwable cause, @Nullable Throwable trace) {
		long suppressed = count(kind);
		if (suppressed < 0) {
			WriteFailedException refusal = WriteFailedException.in(cause);
			this.logger.debug("{}: {}", what, (refusal != null) ? refusal.getMessage() : cause.getClass().getName());
			return;
		}
		this.logger.atLevel(level)
			.setCause((trace != null) ? LoggedFailure.of(trace) : null)
			.log((suppressed == 0) ? what : what + ", after " + suppressed + " more failures of this kind");
	}

	/**
	 * Counts a failure.
	 * @param name the kind of the failure
	 * @return the number of failures of this kind since the last logged one; negative if
	 * this one must not be logged
	 */
	private synchronized long count(String name) {
		long now = this.nanoTime.getAsLong();
		Kind kind = this.kinds.get(name);
		if (kind == null) {
			if (this.kinds.size() >= MOST_KINDS) {
				this.kinds.clear();
			}
			this.kinds.put(name, new Kind(now, 0));
			return 0;
		}
		if (now - kind.logged < QUIET) {
			this.kinds.put(name, new Kind(kind.logged, kind.suppressed + 1));
			return -1;
		}
		this.kinds.put(name, new Kind(now, 0));
		return kind.suppressed;
	}

	private static String kind(Throwable cause) {
		StackTraceElement @Nullable [] trace = cause.getStackTrace();
		String place = (trace != null && trace.length > 0) ? "@" + trace[0] : "";
		return cause.getClass().getName() + place + refusal(cause);
	}

	// Group by verb, resource and response: rejected writes come from few places in the
	// code, and a missing permission is a different problem from an invalid object.
	private static String refusal(Throwable cause) {
		WriteFailedException failed = WriteFailedException.in(cause);
		if (failed != null) {
			FailedWrite write = failed.getWrite();
			// Ignore indexes of lists and keys of maps, so that the same problem of many
			// objects is one kind.
			return "#" + write.verb() + " " + write.resource() + " " + INDEX.matcher(write.answer()).replaceAll("[]");
		}
		return (cause instanceof ApiException refusal) ? "#" + refusal.getCode() + named(refusal.getResponseBody())
				: "";
	}

	// An exception of the application's own client contains only the raw response.
	private static String named(@Nullable String body) {
		if (body == null) {
			return "";
		}
		return NAMED.matcher(body.substring(0, Math.min(body.length(), LONGEST_ANSWER)))
			.results()
			.limit(MOST_NAMED)
			.map((found) -> INDEX.matcher((found.group(1) != null) ? found.group(1) : found.group(2)).replaceAll("[]"))
			.distinct()
			.collect(Collectors.joining(",", " ", ""));
	}

	private record Kind(long logged, long suppressed) {

	}

}
