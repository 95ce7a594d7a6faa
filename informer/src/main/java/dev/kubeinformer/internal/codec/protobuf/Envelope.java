package dev.kubeinformer.internal.codec.protobuf;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * Envelope in which Kubernetes sends each object: four magic bytes and a
 * {@code runtime.Unknown} message, which contains the object.
 *
 * @param kind the kind of the object; empty if it has none
 * @param contentType the encoding of the content; empty for protobuf
 * @param from the index of the first byte of the object
 * @param to the index after the last byte of the object
 */
record Envelope(String kind, String contentType, int from, int to) {

	static final int TYPE_META = 1;

	static final int RAW = 2;

	static final int CONTENT_ENCODING = 3;

	static final int CONTENT_TYPE = 4;

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	static int length() {
		return MAGIC.length;
	}

	static boolean isAt(byte[] bytes, int from, int to) {
		return to - from >= MAGIC.length && Arrays.equals(bytes, from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
	}

	/**
	 * Opens an envelope.
	 * @param bytes the bytes
	 * @param from the index of the first byte of the envelope
	 * @param to the index after its last byte
	 * @return the envelope
	 * @throws MalformedMessageException if the bytes are not an envelope
	 */
	static Envelope open(byte[] bytes, int from, int to) throws MalformedMessageException {
		if (!isAt(bytes, from, to)) {
			throw new MalformedMessageException("an object is not in an envelope of Kubernetes");
		}
		String kind = "";
		String contentType = "";
		@Nullable Envelope found = null;
		WireFields fields = new WireFields(bytes, from + MAGIC.length, to);
		while (fields.next()) {
			if (fields.isBytes(TYPE_META)) {
				kind = kind(fields.message());
			}
			else if (fields.isBytes(RAW)) {
				found = new Envelope("", "", fields.from(), fields.to());
			}
			else if (fields.isBytes(CONTENT_ENCODING)) {
				refuse(fields);
			}
			else if (fields.isBytes(CONTENT_TYPE)) {
				contentType = fields.text();
			}
		}
		if (found == null) {
			throw new MalformedMessageException("an envelope is empty");
		}
		return new Envelope(kind, contentType, found.from, found.to);
	}

	static String kind(WireFields typeMeta) throws MalformedMessageException {
		String kind = "";
		while (typeMeta.next()) {
			if (typeMeta.isBytes(2)) {
				kind = typeMeta.text();
			}
		}
		return kind;
	}

	private static void refuse(WireFields contentEncoding) throws MalformedMessageException {
		if (contentEncoding.to() > contentEncoding.from()) {
			throw new MalformedMessageException("an object is compressed in its envelope");
		}
	}

}
