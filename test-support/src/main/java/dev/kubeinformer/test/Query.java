package dev.kubeinformer.test;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a list or watch, checked as kube-apiserver checks them.
 *
 * @param parameters the parameters
 */
record Query(Map<String, String> parameters) {

	private static final String MATCH = "resourceVersionMatch";

	private static final String NOT_OLDER_THAN = "NotOlderThan";

	String text(String name) {
		return this.parameters.getOrDefault(name, "");
	}

	/**
	 * Return a flag; everything but absence, "false" and "0" means yes.
	 */
	boolean flag(String name) {
		return isSet(this.parameters.get(name));
	}

	static boolean isSet(@Nullable String value) {
		return value != null && !"false".equalsIgnoreCase(value) && !"0".equals(value);
	}

	long number(String name) {
		String value = text(name);
		try {
			return (value.isEmpty()) ? 0 : Long.parseLong(value);
		}
		catch (NumberFormatException ex) {
			throw Statuses.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
		}
	}

	/**
	 * Return the limit of a page, 0 for none.
	 */
	int limit() {
		return (int) Math.min(Integer.MAX_VALUE, Math.max(0, number("limit")));
	}

	@Nullable Duration timeout() {
		long seconds = number("timeoutSeconds");
		return (seconds > 0) ? Duration.ofSeconds(seconds) : null;
	}

	boolean hasResourceVersion() {
		return !text("resourceVersion").isEmpty();
	}

	boolean isExact() {
		return "Exact".equals(text(MATCH));
	}

	boolean isNotOlderThan() {
		return NOT_OLDER_THAN.equals(text(MATCH));
	}

	/**
	 * Return the asked revision, 0 if there is none.
	 * @param watch whether it is asked by a watch, which answers an invalid one with 500
	 * instead of 400
	 * @return the revision
	 */
	long resourceVersion(boolean watch) {
		String text = text("resourceVersion");
		try {
			return (text.isEmpty()) ? 0 : Long.parseUnsignedLong(text);
		}
		catch (NumberFormatException ex) {
			String message = "resourceVersion: Invalid value: \"" + text + "\": strconv.ParseUint: parsing \"" + text
					+ "\": invalid syntax";
			throw (watch) ? Statuses.unexpected(message) : Statuses.badRequest("invalid resource version: " + message);
		}
	}

	void checkList() {
		if (this.parameters.containsKey("sendInitialEvents")) {
			throw Statuses.forbiddenOption("sendInitialEvents", "sendInitialEvents is forbidden for list");
		}
		String match = text(MATCH);
		if (match.isEmpty()) {
			return;
		}
		if (!hasResourceVersion()) {
			throw Statuses.forbiddenOption(MATCH,
					"resourceVersionMatch is forbidden unless resourceVersion is provided");
		}
		if (!isExact() && !isNotOlderThan()) {
			throw Statuses.invalidOption(MATCH, "FieldValueNotSupported",
					"Unsupported value: \"" + match + "\": supported values: \"Exact\", \"NotOlderThan\", \"\"");
		}
		if (isExact() && "0".equals(text("resourceVersion"))) {
			throw Statuses.forbiddenOption(MATCH,
					"resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
		}
	}

	void checkWatch() {
		boolean match = !text(MATCH).isEmpty();
		if (this.parameters.containsKey("sendInitialEvents")) {
			if (!isNotOlderThan()) {
				throw Statuses.forbiddenOption(MATCH,
						"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
			}
		}
		else if (match) {
			throw Statuses.forbiddenOption(MATCH,
					"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
		}
	}

}
