package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import dev.kubeinformer.internal.codec.MalformedResponseException;

/**
 * Positions of the field values of a JSON object that is nested too deeply for a parser.
 * One value can be read without the others.
 */
final class ShallowJson {

	private final byte[] json;

	private final int end;

	private int position;

	private ShallowJson(byte[] json, int start, int end) {
		this.json = json;
		this.position = start;
		this.end = end;
	}

	/**
	 * Determines the positions of an object's field values.
	 * @param json the array with the object
	 * @param start the index of the first byte
	 * @param end the index after the last byte
	 * @return the positions of the values by field name; the names are as written in the
	 * JSON, with their escapes
	 * @throws MalformedResponseException if the object is cut off, or is not an object
	 */
	static Map<String, Extent> fields(byte[] json, int start, int end) throws MalformedResponseException {
		return new ShallowJson(json, start, end).fields();
	}

	private String text(Extent string) {
		return new String(this.json, string.start() + 1, string.end() - string.start() - 2, StandardCharsets.UTF_8);
	}

	private Map<String, Extent> fields() throws MalformedResponseException {
		Map<String, Extent> fields = new HashMap<>();
		expect('{');
		for (byte next = peek(); next != '}'; next = peek()) {
			if (!fields.isEmpty()) {
				expect(',');
			}
			if (peek() != '"') {
				throw new MalformedResponseException("An object is not JSON");
			}
			String name = text(value());
			expect(':');
			fields.put(name, value());
		}
		this.position++;
		while (this.position < this.end) {
			if (!isSpace(this.json[this.position++])) {
				throw new MalformedResponseException("An object is followed by other text");
			}
		}
		return fields;
	}

	private Extent value() throws MalformedResponseException {
		byte first = peek();
		int start = this.position;
		if (first == '{' || first == '[') {
			this.position = new JsonExtent().end(this.json, start, this.end);
		}
		else if (first == '"') {
			this.position = endOfString(start + 1);
		}
		else {
			while (this.position < this.end && !isDelimiter(this.json[this.position])) {
				this.position++;
			}
		}
		if (this.position <= start) {
			throw new MalformedResponseException("An object is cut off");
		}
		return new Extent(start, this.position);
	}

	private int endOfString(int from) {
		for (int i = from; i < this.end; i++) {
			if (this.json[i] == '\\') {
				i++;
			}
			else if (this.json[i] == '"') {
				return i + 1;
			}
		}
		return -1;
	}

	private void expect(char token) throws MalformedResponseException {
		if (peek() != token) {
			throw new MalformedResponseException("An object is not JSON");
		}
		this.position++;
	}

	private byte peek() throws MalformedResponseException {
		while (this.position < this.end && isSpace(this.json[this.position])) {
			this.position++;
		}
		if (this.position >= this.end) {
			throw new MalformedResponseException("An object is cut off");
		}
		return this.json[this.position];
	}

	private static boolean isDelimiter(byte next) {
		return next == ',' || next == '}' || next == ']' || next == ':' || isSpace(next);
	}

	private static boolean isSpace(byte next) {
		return next == ' ' || next == '\n' || next == '\r' || next == '\t';
	}

	/**
	 * Position of a value.
	 *
	 * @param start the index of the first byte
	 * @param end the index after the last byte
	 */
	record Extent(int start, int end) {

	}

}
