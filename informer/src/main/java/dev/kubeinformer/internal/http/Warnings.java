package dev.kubeinformer.internal.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import okhttp3.Response;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Reads the {@code Warning} headers of responses (RFC 7234, section 5.5). kube-apiserver
 * sends warnings with code 299 for deprecated versions and for unknown or duplicate
 * fields. It also sends the warnings of admission webhooks and policies (KEP-1693).
 */
public final class Warnings {

	/**
	 * Maximum length of a text that is shown. The text of a webhook may have any length.
	 */
	private static final int LONGEST = 256;

	/**
	 * Maximum number of warnings that are read. API servers send fewer, because they
	 * limit all of them to 4 KiB.
	 */
	private static final int MOST = 32;

	private static final String MISCELLANEOUS = "299";

	/** Warning: its code, agent, text in quotes, and an optional date in quotes. */
	private static final Pattern VALUE = Pattern
		.compile("\\s*(\\d{3}) +(\\S+) +\"((?:[^\"\\\\]|\\\\.)*+)\"(?: +\"[^\"]*+\")?\\s*(?:,|$)");

	private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

	/**
	 * Warnings of kube-apiserver itself about a Secret: strict field validation, a
	 * deprecated version, a finalizer without a domain, and Go's check of a key pair
	 * ({@code WarningsOnCreate} of pkg/registry/core/secret). None of them contains a
	 * value.
	 */
	private static final Pattern OF_THE_SERVER = Pattern
		.compile("(?:unknown|duplicate) field \"(?:[^\"\\\\]|\\\\.)*+(?:\"|…)"
				+ "|v\\d\\w* Secret(?:List)? is deprecated in v[\\d.]+\\+(?:, unavailable in v[\\d.]+\\+)?"
				+ "(?:; use [\\w./]+ \\w+)?"
				+ "|metadata\\.finalizers: \"[^\"]*\": prefer a domain-qualified finalizer name[ \\w(/)-]*"
				+ "|tls: (?:private key does not match public key|private key type does not match public key type"
				+ "|failed to find any PEM data in (?:certificate|key) input|failed to parse private key)");

	private static final String LEFT_OUT = "a webhook or policy warns; its text may quote the Secret and is left out";

	private Warnings() {
	}

	/**
	 * Passes the warnings of a response to a sink. For a Secret, only kube-apiserver's
	 * own warnings are passed; any other text might quote the Secret, so a fixed note
	 * replaces it.
	 * @param response the response
	 * @param resource the resource of the request, or its path
	 * @param sink the receiver
	 */
	public static void report(Response response, String resource, WarningSink sink) {
		List<String> headers = response.headers("Warning");
		if (!headers.isEmpty()) {
			read(headers).forEach((text) -> sink.warned(resource, isShown(resource, text) ? text : LEFT_OUT));
		}
	}

	private static boolean isShown(String resource, String text) {
		boolean secret = resource.equals("secrets") || resource.contains("/secrets");
		return !secret || OF_THE_SERVER.matcher(text).matches();
	}

	/**
	 * Reads headers. Values that are not warnings with code 299 are ignored, as in
	 * client-go.
	 * @param headers the values of the headers, each with one or more warnings
	 * @return the texts, escaped and shortened
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
