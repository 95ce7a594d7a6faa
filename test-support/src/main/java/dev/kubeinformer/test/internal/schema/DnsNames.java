package dev.kubeinformer.test.internal.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Rules for names in the DNS. The methods return the reasons why a text is not a valid
 * name (pkg/util/validation of k8s.io/apimachinery).
 */
final class DnsNames {

	private static final Pattern LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

	private static final Pattern SUBDOMAIN = Pattern
		.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private DnsNames() {
	}

	/**
	 * Returns the reasons why a text is not a valid label of RFC 1035.
	 * @param text the text
	 * @return the reasons, empty if the text is valid
	 */
	static String label(String text) {
		List<String> reasons = new ArrayList<>();
		if (text.length() > 63) {
			reasons.add("must be no more than 63 bytes");
		}
		if (!LABEL.matcher(text).matches()) {
			reasons.add("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
					+ "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
					+ "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
		}
		return String.join(",", reasons);
	}

	/**
	 * Returns the reasons why a text is not a subdomain of RFC 1123.
	 * @param text the text
	 * @return the reasons, empty if the text is valid
	 */
	static String subdomain(String text) {
		List<String> reasons = new ArrayList<>();
		if (text.length() > 253) {
			reasons.add("must be no more than 253 bytes");
		}
		if (!SUBDOMAIN.matcher(text).matches()) {
			reasons
				.add("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
						+ "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
						+ "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
		}
		return String.join(",", reasons);
	}

}
