package dev.kubeinformer.client.table;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Request line and headers of a request.
 *
 * @param method the method
 * @param path the target, as it was sent
 * @param lines the lines of the headers
 * @param text all of it
 */
record HttpHead(String method, String path, List<String> lines, String text) {

	private static final int LARGEST = 1 << 16;

	/**
	 * Reads the head of a request.
	 * @param in where it comes from
	 * @return the head; {@code null} if the client hung up
	 * @throws IOException if the client hung up within the head, or sends no HTTP
	 */
	static @Nullable HttpHead read(InputStream in) throws IOException {
		ByteArrayOutputStream head = new ByteArrayOutputStream();
		int ends = 0;
		while (ends < 4) {
			int octet = in.read();
			if (octet < 0 && head.size() == 0) {
				return null;
			}
			if (octet < 0 || head.size() > LARGEST || (head.size() == 0 && !Character.isLetter(octet))) {
				throw new IOException("no HTTP");
			}
			head.write(octet);
			ends = (octet == "\r\n\r\n".charAt(ends)) ? ends + 1 : (octet == '\r') ? 1 : 0;
		}
		String text = head.toString(StandardCharsets.ISO_8859_1);
		List<String> lines = new ArrayList<>(List.of(text.split("\r\n")));
		String[] words = lines.remove(0).split(" ");
		if (words.length != 3) {
			throw new IOException("no HTTP");
		}
		return new HttpHead(words[0], words[1], List.copyOf(lines), text);
	}

	/**
	 * Returns the values of a header.
	 * @param name the name
	 * @return the values, in their order
	 */
	List<String> all(String name) {
		String start = name.toLowerCase(Locale.ROOT) + ":";
		return this.lines.stream()
			.filter((line) -> line.toLowerCase(Locale.ROOT).startsWith(start))
			.map((line) -> line.substring(start.length()).strip())
			.toList();
	}

	/**
	 * Returns the value of a header.
	 * @param name the name
	 * @return the value; {@code null} if it is not there
	 */
	@Nullable String first(String name) {
		List<String> all = all(name);
		return all.isEmpty() ? null : all.get(0);
	}

	void skipBody(InputStream in) throws IOException {
		String length = first("Content-Length");
		if (length != null) {
			in.skipNBytes(Long.parseLong(length));
		}
		else if ("chunked".equalsIgnoreCase(first("Transfer-Encoding"))) {
			long size;
			do {
				size = Long.parseLong(line(in), 16);
				in.skipNBytes(size + 2);
			}
			while (size > 0);
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int octet = in.read(); octet >= 0 && octet != '\n'; octet = in.read()) {
			line.append((char) octet);
		}
		return line.toString().strip();
	}

}
