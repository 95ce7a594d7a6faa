package dev.kubeinformer.internal.codec.protobuf;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartKind;
import dev.kubeinformer.internal.codec.pool.PartPool;

/**
 * Reads models from protobuf messages. Equal parts of the messages, such as lists of
 * containers, become one instance.
 * <p>
 * Not thread-safe: each reflector has its own reader.
 */
public final class ProtobufReader extends ScalarCursor {

	/** Tag of the key in an entry of a map. */
	private static final int KEY = 1 << 3 | BYTES;

	private static final int VALUE = 2 << 3 | BYTES;

	/** Encoding of an empty value: only the length 0. */
	private static final byte[] EMPTY_VALUE = new byte[1];

	private static final byte[] NOTHING = {};

	private final JsonMappers mappers;

	private final @Nullable PartPool parts;

	private final boolean modifiable;

	private final ModelCollections collections;

	private final ScatteredFields scattered;

	private final Shape single = new Single();

	private final Shape list = new Elements();

	private final Shape map = new Entries();

	/** Tag that was read last. Error messages name the field of this tag. */
	private int tag;

	/** Position after the part whose values were counted last. */
	private int runEnd;

	/**
	 * Creates a reader.
	 * @param mappers the mappers for JSON inside of messages; they also define whether
	 * {@code metadata.managedFields} are kept, and whether collections can be modified
	 * @param known finds equal values that were read before
	 * @param parts finds equal parts that were read before; {@code null} to share no
	 * parts. Not used if the mappers create mutable collections
	 */
	public ProtobufReader(JsonMappers mappers, KnownValues known, @Nullable PartPool parts) {
		super(known);
		this.mappers = mappers;
		this.modifiable = mappers.isModifiable();
		this.collections = new ModelCollections(this.modifiable);
		this.scattered = new ScatteredFields(this, this.collections);
		this.parts = this.modifiable ? null : parts;
	}

	/**
	 * Reads a message.
	 * @param <T> the model class
	 * @param decoder the decoder
	 * @param message the array with the message; it must not be changed meanwhile
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the model
	 * @throws MalformedMessageException if the bytes are not such a message
	 * @throws IndexOutOfBoundsException if there are no such bytes
	 */
	public <T> T read(MessageDecoder<T> decoder, byte[] message, int from, int to) throws MalformedMessageException {
		reset(message, from, to);
		if (this.parts != null) {
			this.parts.object(to - from);
		}
		try {
			return decode(decoder, to);
		}
		finally {
			// Release the array: it may be large, and the next message may come much
			// later.
			reset(NOTHING, 0, 0);
			this.scattered.forget();
		}
	}

	/**
	 * Returns whether objects may share values, such as lists of containers, with other
	 * objects.
	 * @return {@code true} if values may be shared
	 */
	boolean sharesParts() {
		return this.parts != null;
	}

	/**
	 * Forgets the parts of objects, such as lists of containers, that were read before.
	 * Later parts are decoded again, even if they are equal.
	 */
	void forgetParts() {
		if (this.parts != null) {
			this.parts.clear();
		}
	}

	/**
	 * Notes that a list follows, so that the pool of parts may use all of its memory.
	 */
	void listing() {
		if (this.parts != null) {
			this.parts.work();
		}
	}

	/**
	 * Notes that a full list has been read, so that the pool of parts releases memory.
	 */
	void listed() {
		if (this.parts != null) {
			this.parts.rest();
		}
	}

	/**
	 * Returns whether this reader creates mutable collections. If it does, objects share
	 * no values.
	 * @return {@code true} if collections can be modified
	 */
	boolean modifiable() {
		return this.modifiable;
	}

	/**
	 * Returns whether {@code metadata.managedFields} are decoded.
	 * @return {@code true} if they are decoded
	 */
	boolean keepsManagedFields() {
		return this.mappers.keepsManagedFields();
	}

	ModelCollections collections() {
		return this.collections;
	}

	JsonMappers mappers() {
		return this.mappers;
	}

	/**
	 * Reads the tag of the next field of a model. Error messages name this field until
	 * the next tag is read.
	 * @return {@code number << 3 | wireType}; zero at the end of the message
	 * @throws MalformedMessageException if the bytes are not a tag
	 */
	int nextField() throws MalformedMessageException {
		int next = nextTag();
		if (next != 0) {
			this.tag = next;
		}
		return next;
	}

	/**
	 * Reads a nested message.
	 * @param <T> the model class
	 * @param decoder the decoder
	 * @return the model; if an equal message was read before, it may be the model of that
	 * message
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	@SuppressWarnings("unchecked") // The same decoder has returned this value earlier.
	<T> T message(MessageDecoder<T> decoder) throws MalformedMessageException {
		return (T) part(decoder, this.single, 0);
	}

	/**
	 * Reads a part of an object, such as a list of containers, or finds an equal part
	 * that was read before. Each method of the pool is called at only one place here, so
	 * that the compiler inlines it once.
	 * @param decoder the reader of a value
	 * @param shape the shape of the part: a single value, a list or a map
	 * @param tag the tag of the field, for a list or a map
	 * @return the part
	 * @throws MalformedMessageException if a value cannot be read
	 */
	private Object part(ValueReader<?> decoder, Shape shape, int tag) throws MalformedMessageException {
		PartPool pool = this.parts;
		int count = shape.count(tag);
		int end = this.runEnd;
		int from = this.position;
		int length = end - from;
		PartKind kind = (pool != null && decoder != ScalarReader.BYTES) ? pool.kind(decoder, shape.number) : null;
		int hash = 0;
		if (pool != null && kind != null) {
			if (pool.isWorth(kind, this.bytes, from, length)) {
				hash = pool.hash(this.bytes, from, length);
				Object known = pool.find(kind, hash, this.bytes, from, length);
				if (known != null) {
					this.position = end;
					return known;
				}
			}
			else {
				kind = null;
			}
		}
		int arraysBefore = arraysRead();
		Object part = shape.decode(decoder, count, end);
		// Do not share parts with arrays: overwriting one, such as a password, must not
		// change other objects.
		if (pool != null && kind != null && arraysRead() == arraysBefore) {
			pool.add(kind, hash, this.bytes, from, length, part);
		}
		return part;
	}

	private <T> T decode(MessageDecoder<T> decoder, int end) throws MalformedMessageException {
		int outerLimit = this.limit;
		int outerTag = this.tag;
		enter();
		this.limit = end;
		this.tag = 0;
		try {
			T model = decoder.decode(this);
			this.depth--;
			widen(outerLimit);
			this.tag = outerTag;
			return model;
		}
		catch (MalformedMessageException ex) {
			MalformedMessageException named = ex.within(decoder.fieldName(this.tag >>> 3));
			this.tag = outerTag;
			throw named;
		}
	}

	/**
	 * Reads a nested message whose fields belong to the model of the enclosing message.
	 * @param <T> the model class
	 * @param decoder the decoder
	 * @param model the model
	 * @throws MalformedMessageException if the bytes are not such a message
	 */
	<T> void inline(InlineDecoder<T> decoder, T model) throws MalformedMessageException {
		int outerLimit = narrow();
		int outerTag = this.tag;
		enter();
		this.tag = 0;
		try {
			decoder.decode(this, model);
			this.depth--;
			widen(outerLimit);
			this.tag = outerTag;
		}
		catch (MalformedMessageException ex) {
			MalformedMessageException named = ex.within(decoder.fieldName(this.tag >>> 3));
			this.tag = outerTag;
			throw named;
		}
	}

	/**
	 * Reads a repeated field. Its elements usually follow each other.
	 * @param <E> the element type
	 * @param tag the tag of the field, which was already read
	 * @param before the elements that were read before; {@code null} if there are none
	 * @param element the reader of an element
	 * @return the list
	 * @throws MalformedMessageException if an element cannot be read
	 */
	@SuppressWarnings("unchecked") // The same decoder has returned this value earlier.
	<E> List<E> list(int tag, @Nullable List<E> before, ValueReader<E> element) throws MalformedMessageException {
		if (before != null && !before.isEmpty()) {
			return this.scattered.list(tag, before, element);
		}
		return (List<E>) part(element, this.list, tag);
	}

	<E> E element(ValueReader<E> element, int index) throws MalformedMessageException {
		try {
			return element.read(this);
		}
		catch (MalformedMessageException ex) {
			throw ex.within("[" + index + "]");
		}
	}

	/**
	 * Reads a field that is a map.
	 * @param <V> the value type
	 * @param tag the tag of the field, which was already read
	 * @param before the entries that were read before; {@code null} if there are none
	 * @param value the reader of a value
	 * @return the map
	 * @throws MalformedMessageException if an entry cannot be read
	 */
	@SuppressWarnings("unchecked") // The same decoder has returned this value earlier.
	<V> Map<String, V> map(int tag, @Nullable Map<String, V> before, ValueReader<V> value)
			throws MalformedMessageException {
		if (before != null && !before.isEmpty()) {
			return this.scattered.map(tag, before, value);
		}
		return (Map<String, V>) part(value, this.map, tag);
	}

	void entry(ValueReader<?> value, @Nullable Object[] keysAndValues, int index) throws MalformedMessageException {
		int outerLimit = narrow();
		keysAndValues[index] = "";
		keysAndValues[index + 1] = null;
		for (int next = nextTag(); next != 0; next = nextTag()) {
			switch (next) {
				case KEY -> keysAndValues[index] = string();
				case VALUE -> keysAndValues[index + 1] = value.read(this);
				default -> skip(next);
			}
		}
		if (keysAndValues[index + 1] == null) {
			keysAndValues[index + 1] = absent(value);
		}
		widen(outerLimit);
	}

	// Reads the value of an entry from zero bytes, because an encoder may omit an empty
	// value.
	private Object absent(ValueReader<?> value) throws MalformedMessageException {
		byte[] outerBytes = this.bytes;
		int outerPosition = this.position;
		int outerLimit = this.limit;
		this.bytes = EMPTY_VALUE;
		this.position = 0;
		this.limit = 1;
		Object absent = value.read(this);
		this.bytes = outerBytes;
		this.position = outerPosition;
		widen(outerLimit);
		return absent;
	}

	/**
	 * Counts the elements of a field that follow each other without another field in
	 * between.
	 * @param tag the tag of the field, which was already read
	 * @return the number of elements, including the current one
	 * @throws MalformedMessageException if one of them is cut off
	 */
	private int count(int tag) throws MalformedMessageException {
		int start = this.position;
		int count = 0;
		do {
			skip(tag);
			count++;
			this.runEnd = this.position;
		}
		while (nextTag() == tag);
		this.position = start;
		return count;
	}

	/**
	 * Shape of a part. There is a class for each shape, not a method with a switch,
	 * because a part contains parts: HotSpot would compile all shapes into each other,
	 * and the start of an application would wait for that.
	 */
	private abstract class Shape {

		/** Number of the shape in {@link PartKind}. */
		final int number;

		Shape(int number) {
			this.number = number;
		}

		/**
		 * Sets {@link #runEnd}, moves to the first byte of the part, and counts its
		 * values.
		 * @param tag the tag of the field
		 * @return the number of values
		 * @throws MalformedMessageException if one of them is cut off
		 */
		int count(int tag) throws MalformedMessageException {
			return ProtobufReader.this.count(tag);
		}

		abstract Object decode(ValueReader<?> decoder, int count, int end) throws MalformedMessageException;

	}

	private final class Single extends Shape {

		Single() {
			super(PartKind.SINGLE);
		}

		@Override
		int count(int tag) throws MalformedMessageException {
			int length = length();
			ProtobufReader.this.runEnd = ProtobufReader.this.position + length;
			return 1;
		}

		@Override
		Object decode(ValueReader<?> decoder, int count, int end) throws MalformedMessageException {
			return ProtobufReader.this.decode((MessageDecoder<?>) decoder, end);
		}

	}

	private final class Elements extends Shape {

		Elements() {
			super(PartKind.LIST);
		}

		@Override
		Object decode(ValueReader<?> decoder, int count, int end) throws MalformedMessageException {
			Object[] elements = new Object[count];
			for (int i = 0; i < count; i++) {
				if (i > 0) {
					nextTag();
				}
				elements[i] = element(decoder, i);
			}
			return ProtobufReader.this.collections.list(elements);
		}

	}

	private final class Entries extends Shape {

		Entries() {
			super(PartKind.MAP);
		}

		@Override
		Object decode(ValueReader<?> decoder, int count, int end) throws MalformedMessageException {
			@Nullable Object[] keysAndValues = new Object[2 * count];
			for (int i = 0; i < count; i++) {
				if (i > 0) {
					nextTag();
				}
				entry(decoder, keysAndValues, 2 * i);
			}
			return ProtobufReader.this.collections.map(keysAndValues);
		}

	}

}
