package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON of one tree. The writer of a library is not used: it can do more than
 * request bodies need, and the JIT compiler would have to compile all of its code.
 */
final class JsonText {

	private static final byte[] HEXADECIMAL = "0123456789ABCDEF".getBytes(StandardCharsets.ISO_8859_1);

	private byte[] json = new byte[1024];

	private int length;

	/**
	 * Writes a tree.
	 * @param tree maps, lists, strings, numbers and booleans; nulls are written
	 * @return the JSON in UTF-8
	 * @throws IllegalArgumentException if a string contains an unpaired surrogate
	 */
	byte[] write(@Nullable Object tree) {
		value(tree);
		return Arrays.copyOf(this.json, this.length);
	}

	private void value(@Nullable Object value) {
		if (value instanceof String text) {
			string(text);
		}
		else if (value instanceof Map<?, ?> map) {
			object(map);
		}
		else if (value instanceof List<?> list) {
			array(list);
		}
		else {
			ascii((value instanceof Number || value instanceof Boolean) ? value.toString() : "null");
		}
	}

	private void object(Map<?, ?> map) {
		char next = '{';
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			name(next, (String) entry.getKey());
			value(entry.getValue());
			next = ',';
		}
		end('{', next, '}');
	}

	private void array(List<?> list) {
		char next = '[';
		for (Object each : list) {
			put(next);
			value(each);
			next = ',';
		}
		end('[', next, ']');
	}

	private void name(char before, String name) {
		// Reserve space once: for ASCII characters, the quotes, the character before them
		// and the colon.
		reserve(name.length() + 4);
		this.json[this.length++] = (byte) before;
		quoted(name);
		put(':');
	}

	private void end(char begin, char next, char end) {
		reserve(2);
		if (next == begin) {
			this.json[this.length++] = (byte) begin;
		}
		this.json[this.length++] = (byte) end;
	}

	private void ascii(String text) {
		reserve(text.length());
		for (int i = 0; i < text.length(); i++) {
			this.json[this.length++] = (byte) text.charAt(i);
		}
	}

	private void string(String text) {
		reserve(text.length() + 2);
		quoted(text);
	}

	// The caller has reserved space for the quotes, and for the text as ASCII.
	private void quoted(String text) {
		this.json[this.length++] = '"';
		int plain = plain(text);
		if (plain < text.length()) {
			special(text, plain);
		}
		put('"');
	}

	/**
	 * Writes the leading characters that need no escape.
	 * @param text the string
	 * @return the number of written characters
	 */
	private int plain(String text) {
		int count = text.length();
		byte[] bytes = this.json;
		int at = this.length;
		int i = 0;
		for (; i < count; i++) {
			char next = text.charAt(i);
			if (next < ' ' || next > '~' || next == '"' || next == '\\') {
				break;
			}
			bytes[at + i] = (byte) next;
		}
		this.length = at + i;
		return i;
	}

	private void special(String text, int from) {
		for (int i = from; i < text.length(); i++) {
			char next = text.charAt(i);
			if (next == '"' || next == '\\') {
				put('\\');
				put(next);
			}
			else if (next < ' ') {
				escape(next);
			}
			else if (next < 0x80) {
				put(next);
			}
			else if (Character.isSurrogate(next)) {
				i++;
				supplementary(next, (i < text.length()) ? text.charAt(i) : 0);
			}
			else {
				encode(next);
			}
		}
	}

	private void escape(char control) {
		switch (control) {
			case '\n' -> ascii("\\n");
			case '\t' -> ascii("\\t");
			case '\r' -> ascii("\\r");
			case '\b' -> ascii("\\b");
			case '\f' -> ascii("\\f");
			default -> {
				ascii("\\u00");
				put((char) HEXADECIMAL[control >> 4]);
				put((char) HEXADECIMAL[control & 0xF]);
			}
		}
	}

	private void encode(char next) {
		if (next < 0x800) {
			put((char) (0xC0 | next >> 6));
		}
		else {
			put((char) (0xE0 | next >> 12));
			put((char) (0x80 | next >> 6 & 0x3F));
		}
		put((char) (0x80 | next & 0x3F));
	}

	private void supplementary(char high, char low) {
		if (!Character.isSurrogatePair(high, low)) {
			throw new IllegalArgumentException("A string contains an unpaired surrogate, which UTF-8 cannot encode");
		}
		int codePoint = Character.toCodePoint(high, low);
		put((char) (0xF0 | codePoint >> 18));
		put((char) (0x80 | codePoint >> 12 & 0x3F));
		put((char) (0x80 | codePoint >> 6 & 0x3F));
		put((char) (0x80 | codePoint & 0x3F));
	}

	private void put(char next) {
		reserve(1);
		this.json[this.length++] = (byte) next;
	}

	private void reserve(int bytes) {
		if (bytes > this.json.length - this.length) {
			// If the sum overflows an int, it also exceeds the longest possible array.
			int least = Math.addExact(this.length, bytes);
			this.json = Arrays.copyOf(this.json, Math.max(least, (int) Math.min(2L * this.json.length, 1 << 30)));
		}
	}

}
