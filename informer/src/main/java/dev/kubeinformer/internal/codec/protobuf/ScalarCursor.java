package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Cursor that reads the values of fields that are no messages, equal ones as one
 * instance. Its methods with "omitted" return {@code null} for what JSON omits.
 */
public class ScalarCursor extends MessageCursor {

	private final KnownValues known;

	/** How many arrays were read. */
	private int arrays;

	/**
	 * Creates a cursor on nothing.
	 * @param known finds values that were there before
	 */
	ScalarCursor(KnownValues known) {
		this.known = known;
	}

	final KnownValues known() {
		return this.known;
	}

	/**
	 * Returns how many arrays were read so far.
	 * @return the number
	 */
	final int arraysRead() {
		return this.arrays;
	}

	/**
	 * Reads a string.
	 * @return the string
	 * @throws MalformedMessageException if it is cut off
	 */
	public final String string() throws MalformedMessageException {
		int length = length();
		int from = move(length);
		return this.known.string(this.bytes, from, from + length);
	}

	final @Nullable String omittedString() throws MalformedMessageException {
		String string = string();
		return string.isEmpty() ? null : string;
	}

	@Override
	final byte[] bytes() throws MalformedMessageException {
		this.arrays++;
		return super.bytes();
	}

	final byte @Nullable [] omittedBytes() throws MalformedMessageException {
		byte[] read = bytes();
		return (read.length > 0) ? read : null;
	}

	/**
	 * Reads a truth value.
	 * @return the value
	 * @throws MalformedMessageException if it is none
	 */
	public final Boolean bool() throws MalformedMessageException {
		return varint64() != 0;
	}

	final @Nullable Boolean omittedBool() throws MalformedMessageException {
		return (varint64() != 0) ? Boolean.TRUE : null;
	}

	final Integer int32() throws MalformedMessageException {
		return this.known.boxed(varint32());
	}

	final @Nullable Integer omittedInt32() throws MalformedMessageException {
		int value = varint32();
		return (value != 0) ? this.known.boxed(value) : null;
	}

	final Long int64() throws MalformedMessageException {
		return this.known.boxed(varint64());
	}

	final @Nullable Long omittedInt64() throws MalformedMessageException {
		long value = varint64();
		return (value != 0) ? this.known.boxed(value) : null;
	}

	final Double float64() throws MalformedMessageException {
		return Double.longBitsToDouble(fixed64());
	}

	final @Nullable Double omittedFloat64() throws MalformedMessageException {
		double value = Double.longBitsToDouble(fixed64());
		return (value != 0) ? value : null;
	}

}
