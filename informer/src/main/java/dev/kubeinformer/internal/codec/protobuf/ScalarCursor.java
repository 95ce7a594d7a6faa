package dev.kubeinformer.internal.codec.protobuf;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Cursor that reads the values of fields other than messages. Equal values become one
 * instance. If a value is omitted in JSON, methods with "omitted" in their name return
 * {@code null}.
 */
public class ScalarCursor extends MessageCursor {

	private final KnownValues known;

	/** Number of arrays that were read. */
	private int arrays;

	/**
	 * Creates a cursor without a message.
	 * @param known finds equal values that were read before
	 */
	ScalarCursor(KnownValues known) {
		this.known = known;
	}

	final KnownValues known() {
		return this.known;
	}

	/**
	 * Returns the number of arrays that were read.
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
	 * Reads a boolean.
	 * @return the value
	 * @throws MalformedMessageException if the value is not a boolean
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
