package dev.kubeinformer.internal.client.tls;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Reads DER (X.690) value by value. It supports the types that occur in private keys.
 */
final class DerReader {

	static final int INTEGER = 0x02;

	static final int OCTETS = 0x04;

	static final int OBJECT_ID = 0x06;

	static final int SEQUENCE = 0x30;

	private final byte[] der;

	private int position;

	DerReader(byte[] der) {
		this.der = der;
	}

	/**
	 * Returns the tag of the next value.
	 * @return the tag; -1 at the end
	 */
	int tag() {
		return (this.position < this.der.length) ? this.der[this.position] & 0xff : -1;
	}

	/**
	 * Reads the next value.
	 * @param tag the expected tag
	 * @return the content of the value
	 * @throws UnusableKeyException if the next value has another tag, or is incomplete
	 */
	byte[] read(int tag) throws UnusableKeyException {
		if (tag() != tag) {
			throw UnusableKeyException.broken();
		}
		this.position++;
		int length = length();
		if (length < 0 || length > this.der.length - this.position) {
			throw UnusableKeyException.broken();
		}
		byte[] content = Arrays.copyOfRange(this.der, this.position, this.position + length);
		this.position += length;
		return content;
	}

	private int length() throws UnusableKeyException {
		int first = octet();
		if (first < 0x80) {
			return first;
		}
		int length = 0;
		for (int octets = first & 0x7f; octets > 0; octets--) {
			if (length > 0xffff) {
				throw UnusableKeyException.broken();
			}
			length = (length << 8) | octet();
		}
		return length;
	}

	private int octet() throws UnusableKeyException {
		if (this.position == this.der.length) {
			throw UnusableKeyException.broken();
		}
		return this.der[this.position++] & 0xff;
	}

	/**
	 * Reads a value that contains other values.
	 * @param tag the expected tag
	 * @return the reader of the nested values
	 * @throws UnusableKeyException if the next value has another tag, or is incomplete
	 */
	DerReader enter(int tag) throws UnusableKeyException {
		return new DerReader(read(tag));
	}

	/**
	 * Reads an integer.
	 * @return its value
	 * @throws UnusableKeyException if the next value has another tag, or is incomplete
	 */
	BigInteger integer() throws UnusableKeyException {
		byte[] content = read(INTEGER);
		if (content.length == 0) {
			throw UnusableKeyException.broken();
		}
		return new BigInteger(content);
	}

	/**
	 * Reads an object identifier.
	 * @return its text form
	 * @throws UnusableKeyException if the next value has another tag, or is incomplete
	 */
	String objectId() throws UnusableKeyException {
		StringBuilder text = new StringBuilder();
		long value = 0;
		for (byte octet : read(OBJECT_ID)) {
			if (value > 1 << 24) {
				throw UnusableKeyException.broken();
			}
			value = (value << 7) | (octet & 0x7f);
			if (octet >= 0) {
				if (text.isEmpty()) {
					long first = Math.min(value / 40, 2);
					text.append(first).append('.').append(value - first * 40);
				}
				else {
					text.append('.').append(value);
				}
				value = 0;
			}
		}
		return text.toString();
	}

}
