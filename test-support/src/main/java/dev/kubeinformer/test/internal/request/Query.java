package dev.kubeinformer.test.internal.request;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Query parameters of a list or watch, checked as by kube-apiserver.
 *
 * @param parameters the parameters
 */
public record Query(Map<String, String> parameters) {

	private static final String MATCH = "resourceVersionMatch";

	private static final String RESOURCE_VERSION = "resourceVersion";

	private static final String INITIAL_EVENTS = "sendInitialEvents";

	private static final String NOT_OLDER_THAN = "NotOlderThan";

	public String text(String name) {
		return this.parameters.getOrDefault(name, "");
	}

	/**
	 * Returns a flag. It is {@code false} if the parameter is absent, "false" or "0"; any
	 * other value means {@code true}.
	 */
	public boolean flag(String name) {
		return isSet(this.parameters.get(name));
	}

	static boolean isSet(@Nullable String value) {
		return value != null && !"false".equalsIgnoreCase(value) && !"0".equals(value);
	}

	public long number(String name) {
		String value = text(name);
		try {
			return (value.isEmpty()) ? 0 : Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw Statuses.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
		}
	}

	/**
	 * Returns the maximum number of objects of a page, 0 for no limit.
	 */
	public int limit() {
		return (int) Math.min(Integer.MAX_VALUE, Math.max(0, number("limit")));
	}

	public @Nullable Duration timeout() {
		long seconds = number("timeoutSeconds");
		return (seconds > 0) ? Duration.ofSeconds(seconds) : null;
	}

	public boolean hasResourceVersion() {
		return !text(RESOURCE_VERSION).isEmpty();
	}

	public boolean isExact() {
		return "Exact".equals(text(MATCH));
	}

	public boolean isNotOlderThan() {
		return NOT_OLDER_THAN.equals(text(MATCH));
	}

	/**
	 * Returns the requested resourceVersion, 0 if there is none.
	 * @param list {@code true} for a list, which rejects an invalid resourceVersion with
	 * 400; {@code false} for a get or watch, which rejects it with 500
	 * @return the resourceVersion
	 */
	public long resourceVersion(boolean list) {
		String text = text(RESOURCE_VERSION);
		try {
			return (text.isEmpty()) ? 0 : Long.parseUnsignedLong(text);
		}
		catch (NumberFormatException ex) {
			String message = "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
					+ "\": invalid syntax";
			throw (list) ? Statuses.badRequest("invalid resource version: " + message) : Statuses.unexpected(message);
		}
	}

	public void checkList() {
		// A list does not use a timeout, but its parameters are still validated.
		number("timeoutSeconds");
		OptionErrors errors = new OptionErrors();
		String match = text(MATCH);
		if (!match.isEmpty()) {
			if (!hasResourceVersion()) {
				errors.forbid(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
			}
			checkContinue(errors);
			if (!isExact() && !isNotOlderThan()) {
				errors.notSupported(MATCH, match, "\"Exact\", \"NotOlderThan\", \"\"");
			}
			if (isExact() && "0".equals(text(RESOURCE_VERSION))) {
				errors.forbid(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
			}
		}
		if (this.parameters.containsKey(INITIAL_EVENTS)) {
			errors.forbid(INITIAL_EVENTS, "sendInitialEvents is forbidden for list");
		}
		errors.check();
	}

	public void checkWatch() {
		OptionErrors errors = new OptionErrors();
		boolean initialEvents = this.parameters.containsKey(INITIAL_EVENTS);
		String match = text(MATCH);
		if (initialEvents && !isNotOlderThan()) {
			errors.forbid(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
		}
		if (!initialEvents && !match.isEmpty()) {
			errors.forbid(MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
		}
		if (!match.isEmpty() && !isNotOlderThan()) {
			errors.notSupported(MATCH, match, "\"NotOlderThan\"");
		}
		checkContinue(errors);
		errors.check();
	}

	private void checkContinue(OptionErrors errors) {
		if (!text("continue").isEmpty()) {
			errors.forbid(MATCH, "resourceVersionMatch is forbidden when continue is provided");
		}
	}

}
