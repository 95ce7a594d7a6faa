package dev.kubeinformer.internal.client.tls;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Block of PEM. A text is split into blocks by the rules of Go's {@code pem.Decode}: a
 * block starts at the beginning of a line, text between blocks is ignored, and a broken
 * block is skipped.
 *
 * @param type the type, such as {@code CERTIFICATE}
 * @param headers the headers, such as {@code Proc-Type}
 * @param der the content
 */
record PemBlock(String type, Map<String, String> headers, byte[] der) {

	private static final String BEGIN = "-----BEGIN ";

	private static final String END = "\n-----END ";

	private static final String DASHES = "-----";

	private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]");

	/**
	 * Types that can be shown in messages. Other text is not shown: the file may not be
	 * PEM, and the text may be a secret.
	 */
	private static final Pattern SHOWN_TYPE = Pattern.compile("[A-Z0-9 .#]{1,40}");

	/**
	 * Returns the blocks of a text.
	 * @param text the text
	 * @return the blocks, in their order
	 */
	static List<PemBlock> in(String text) {
		List<PemBlock> blocks = new ArrayList<>();
		int from = 0;
		for (int end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
			int trailer = end + END.length();
			int begin = text.lastIndexOf(BEGIN, end - BEGIN.length());
			boolean atLine = begin == from || (begin > from && text.charAt(begin - 1) == '\n');
			PemBlock block = atLine ? parse(text, begin + BEGIN.length(), end, trailer) : null;
			if (block != null) {
				blocks.add(block);
				from = nextLine(text, trailer);
			}
			else {
				from = trailer;
			}
		}
		return blocks;
	}

	private static @Nullable PemBlock parse(String text, int begin, int end, int trailer) {
		String first = line(text, begin);
		if (!first.endsWith(DASHES) || !line(text, trailer).equals(first)) {
			return null;
		}
		Map<String, String> headers = new TreeMap<>();
		int body = nextLine(text, begin);
		for (String line = line(text, body); line.indexOf(':') >= 0; line = line(text, body)) {
			int colon = line.indexOf(':');
			headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
			body = nextLine(text, body);
		}
		String base64 = (body < end) ? BLANKS.matcher(text.substring(body, end)).replaceAll("") : "";
		// Java's decoder accepts missing padding, Go's does not.
		if (base64.length() % 4 != 0 || (!headers.isEmpty() && end < body)) {
			return null;
		}
		try {
			return new PemBlock(first.substring(0, first.length() - DASHES.length()), headers,
					Base64.getDecoder().decode(base64));
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static String line(String text, int from) {
		int end = text.indexOf('\n', from);
		int to = (end >= 0) ? end : text.length();
		while (to > from && " \t\r".indexOf(text.charAt(to - 1)) >= 0) {
			to--;
		}
		return text.substring(from, to);
	}

	private static int nextLine(String text, int from) {
		int end = text.indexOf('\n', from);
		return (end >= 0) ? end + 1 : text.length();
	}

	/**
	 * Returns the reason why a text has no block.
	 * @param text the text
	 * @return the reason, as the end of a sentence
	 */
	static String absence(String text) {
		if (text.isBlank()) {
			return "is empty";
		}
		int begin = text.indexOf(BEGIN);
		if (begin < 0) {
			return "holds no PEM ('-----BEGIN …-----')";
		}
		if (begin > 0 && text.charAt(begin - 1) != '\n') {
			return "holds PEM whose '-----BEGIN' is not at the beginning of a line: a blank or a byte order "
					+ "mark precedes it";
		}
		return "holds PEM that is incomplete or broken";
	}

	/**
	 * Returns whether this block is a certificate.
	 * @return {@code true} for a certificate
	 */
	boolean isCertificate() {
		return this.type.equals("CERTIFICATE");
	}

	/**
	 * Returns whether this block is a private key of any kind.
	 * @return {@code true} for a private key
	 */
	boolean isKey() {
		return this.type.equals("PRIVATE KEY") || this.type.endsWith(" PRIVATE KEY");
	}

	/**
	 * Returns whether a password is needed to read this block.
	 * @return {@code true} if the block is encrypted
	 */
	boolean isEncrypted() {
		return this.type.equals("ENCRYPTED PRIVATE KEY")
				|| this.headers.getOrDefault("Proc-Type", "").contains("ENCRYPTED");
	}

	/**
	 * Returns the types of blocks, for messages.
	 * @param blocks the blocks
	 * @return their types
	 */
	static String types(List<PemBlock> blocks) {
		return blocks.stream()
			.map((block) -> SHOWN_TYPE.matcher(block.type).matches() ? block.type : "something else")
			.distinct()
			.limit(5)
			.toList()
			.toString();
	}

	@Override
	public String toString() {
		return "PemBlock";
	}

}
