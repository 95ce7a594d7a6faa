package dev.kubeinformer.test;

import java.util.Locale;
import java.util.Set;

/**
 * The negotiation of the answer's type, which is JSON or nothing.
 */
final class MediaTypes {

	private static final Set<String> JSON = Set.of("application/json", "application/*", "*/*");

	private MediaTypes() {
	}

	/**
	 * Check that a client takes objects in JSON.
	 * @param accept the Accept header, empty for everything
	 * @throws StatusException 406 if it does not
	 */
	static void checkJson(String accept) {
		for (String range : accept.split(",")) {
			String[] parts = range.toLowerCase(Locale.ROOT).split(";", 2);
			boolean converted = parts.length > 1 && parts[1].replace(" ", "").matches("(.*;)?as=.*");
			if (accept.isBlank() || (JSON.contains(parts[0].trim()) && !converted)) {
				return;
			}
		}
		throw Statuses.notAcceptable("406: Not Acceptable: \"" + accept
				+ "\" is not supported\n\nAvailable representations: application/json, application/json;stream=watch");
	}

}
