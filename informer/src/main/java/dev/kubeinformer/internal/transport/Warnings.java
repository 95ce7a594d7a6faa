package dev.kubeinformer.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import okhttp3.Response;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Reader of the {@code Warning} headers of answers (RFC 7234, section 5.5).
 * kube-apiserver sends such of the code 299 for deprecated versions, unknown or duplicate
 * fields and what admission has to say (KEP-1693).
 */
final class Warnings {

	/** Longest text that is shown. Webhooks write what they like. */
	private static final int LONGEST = 256;

	/** More than any API server sends: it shortens all of them to 4 KiB. */
	private static final int MOST = 32;

	private static final String MISCELLANEOUS = "299";

	/** Code, agent, text in quotes, and a date in quotes that may follow. */
	private static final Pattern VALUE = Pattern
		.compile("\\s*(\\d{3}) +(\\S+) +\"((?:[^\"\\\\]|\\\\.)*+)\"(?: +\"[^\"]*+\")?\\s*(?:,|$)");

	private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

	private Warnings() {
	}

	/**
	 * Hands the warnings of an answer on.
	 * @param response the answer
	 * @param resource the resource of the request
	 * @param sink the receiver
	 */
	static void report(Response response, String resource, WarningSink sink) {
		List<String> headers = response.headers("Warning");
		if (!headers.isEmpty()) {
			read(headers).forEach((text) -> sink.warned(resource, text));
		}
	}

	/**
	 * Reads headers. What is no warning of the code 299 is left out, as by client-go.
	 * @param headers the values, each with one warning or several
	 * @return the texts, escaped and cut
	 */
	static List<String> read(List<String> headers) {
		List<String> texts = new ArrayList<>();
		for (String header : headers) {
			Matcher matcher = VALUE.matcher(header);
			while (texts.size() < MOST && matcher.lookingAt()) {
				String text = ESCAPED.matcher(matcher.group(3)).replaceAll("$1");
				if (matcher.group(1).equals(MISCELLANEOUS) && !text.isBlank()) {
					texts.add(PrintableText.of(text, LONGEST));
				}
				matcher.region(matcher.end(), header.length());
			}
		}
		return texts;
	}

}
