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
 * The log of one handler's failures. The first of a kind comes with its stack trace;
 * those that follow within a minute are counted, and their number is logged with the next
 * one: a handler that fails on each of many objects must not fill the disk. What an API
 * server answered to a client of the application is in no trace: it may quote the object.
 */
public final class FailureLog {

	private static final long QUIET = TimeUnit.MINUTES.toNanos(1);

	private static final int MOST_KINDS = 50;

	private static final int LONGEST_ANSWER = 64 * 1024;

	private static final int MOST_NAMED = 20;

	/**
	 * Reasons and fields of a {@code Status} object. A reason that is no word is one that
	 * a webhook made up, and may have the name or a value of the object in it.
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
	 * Logs a failure that no further attempt follows.
	 * @param what what failed
	 * @param cause the exception
	 */
	public void failed(String what, Throwable cause) {
		log(Level.ERROR, kind(cause), what, cause, cause);
	}

	/**
	 * Logs a failure after which another attempt is due.
	 * @param what what failed
	 * @param cause the exception
	 */
	public void failedForNow(String what, Throwable cause) {
		log(Level.WARN, kind(cause), what, cause, cause);
	}

	/**
	 * Logs the last failure of several attempts. Those before it were logged already,
	 * mostly with the same stack trace.
	 * @param what what failed
	 * @param cause the exception
	 */
	public void gaveUp(String what, Throwable cause) {
		boolean logged = isLogged(kind(cause));
		log(Level.ERROR, "gave up: " + kind(cause), what + ": " + cause.getClass().getName(), cause,
				logged ? null : cause);
	}

	/**
	 * Logs what has no exception of interest, as often as a failure.
	 * @param kind the kind that it is one of
	 * @param what what is wrong
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
	 * @param name its kind
	 * @return how many were not logged since the last one of its kind that was; negative
	 * if this one is not to be logged either
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

	// Refusals come from few places, and a missing right is not an invalid object.
	private static String refusal(Throwable cause) {
		WriteFailedException failed = WriteFailedException.in(cause);
		if (failed != null) {
			FailedWrite write = failed.getWrite();
			// Not by the index of a list, or the key of a map.
			return "#" + write.verb() + " " + write.resource() + " " + INDEX.matcher(write.answer()).replaceAll("[]");
		}
		return (cause instanceof ApiException refusal) ? "#" + refusal.getCode() + named(refusal.getResponseBody())
				: "";
	}

	// Of a client of the application there is only the answer as it came.
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
