package dev.kubeinformer.benchmark.compare.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Part of protobuf's encoding that is needed to put messages into others. See the
 * envelope {@code Unknown} of
 * <a href= "https://kubernetes.io/docs/reference/using-api/api-concepts/">API
 * concepts</a>.
 */
final class Protobuf {

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private static final int LENGTH_DELIMITED = 2;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	Protobuf field(int number, byte[] value) {
		header(number, value.length);
		return raw(value);
	}

	Protobuf field(int number, String value) {
		return field(number, value.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Adds the tag and the length of a field, whose bytes follow.
	 * @param number the number of the field
	 * @param length the length of its value
	 * @return this
	 */
	Protobuf header(int number, long length) {
		varint((long) number << 3 | LENGTH_DELIMITED);
		varint(length);
		return this;
	}

	Protobuf raw(byte[] value) {
		this.bytes.writeBytes(value);
		return this;
	}

	Protobuf raw(byte[] value, int from, int to) {
		this.bytes.write(value, from, to - from);
		return this;
	}

	private void varint(long value) {
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			this.bytes.write((int) (rest & 0x7F | 0x80));
			rest >>>= 7;
		}
		this.bytes.write((int) rest);
	}

	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

	/**
	 * Returns the beginning of an envelope, up to the message.
	 * @param kind the kind
	 * @param length the length of the message that follows
	 * @return the bytes
	 */
	static byte[] envelope(String kind, long length) {
		byte[] type = new Protobuf().field(1, "v1").field(2, kind).toByteArray();
		return new Protobuf().raw(MAGIC).field(1, type).header(2, length).toByteArray();
	}

	/**
	 * Extracts the message from an envelope.
	 * @param envelope the envelope
	 * @return the message
	 */
	static byte[] message(byte[] envelope) {
		Fields fields = new Fields(envelope, MAGIC.length, envelope.length);
		while (fields.next()) {
			if (fields.number() == 2) {
				return fields.value();
			}
		}
		throw new IllegalArgumentException("An envelope without a message");
	}

	/** Fields of a message, one after another. */
	static final class Fields {

		private final byte[] message;

		private final int end;

		private int position;

		private int number;

		private int begin;

		private int valueBegin;

		Fields(byte[] message) {
			this(message, 0, message.length);
		}

		Fields(byte[] message, int from, int to) {
			this.message = message;
			this.position = from;
			this.end = to;
		}

		boolean next() {
			if (this.position >= this.end) {
				return false;
			}
			this.begin = this.position;
			int tag = (int) varint();
			this.number = tag >>> 3;
			switch (tag & 7) {
				case 0 -> {
					this.valueBegin = this.position;
					varint();
				}
				case 1 -> skip(8);
				case LENGTH_DELIMITED -> {
					int length = (int) varint();
					skip(length);
				}
				case 5 -> skip(4);
				default -> throw new IllegalArgumentException("Wire type " + (tag & 7) + " at " + this.begin);
			}
			return true;
		}

		private void skip(int length) {
			if (length < 0 || length > this.end - this.position) {
				throw new IllegalArgumentException("A field of " + length + " bytes at " + this.begin);
			}
			this.valueBegin = this.position;
			this.position += length;
		}

		private long varint() {
			long value = 0;
			for (int shift = 0; shift < 64; shift += 7) {
				byte next = this.message[this.position++];
				value |= (long) (next & 0x7F) << shift;
				if (next >= 0) {
					return value;
				}
			}
			throw new IllegalArgumentException("A number without end at " + this.begin);
		}

		int number() {
			return this.number;
		}

		byte[] value() {
			return Arrays.copyOfRange(this.message, this.valueBegin, this.position);
		}

		/**
		 * Returns the whole field with its tag.
		 * @return the bytes
		 */
		byte[] field() {
			return Arrays.copyOfRange(this.message, this.begin, this.position);
		}

	}

}
