package dev.kubeinformer.internal.codec.json;

/**
 * Search for the end of a JSON object or array by its brackets and strings alone, in
 * bytes that arrive piece by piece. It takes no memory however deep they are nested,
 * unlike a parser, and does not check whether what is in between is JSON.
 */
final class JsonExtent {

	private int depth;

	private boolean inString;

	private boolean escaped;

	/**
	 * Looks at the next bytes.
	 * @param json the array with the bytes; the very first one begins the value
	 * @param from index of the first byte
	 * @param to index after the last one
	 * @return the index after the value; negative if it does not end here
	 */
	int end(byte[] json, int from, int to) {
		for (int i = from; i < to; i++) {
			byte next = json[i];
			if (this.inString) {
				this.inString = this.escaped || next != '"';
				this.escaped = !this.escaped && next == '\\';
			}
			else if (next == '"') {
				this.inString = true;
			}
			else if (next == '{' || next == '[') {
				this.depth++;
			}
			else if ((next == '}' || next == ']') && --this.depth == 0) {
				return i + 1;
			}
		}
		return -1;
	}

}
