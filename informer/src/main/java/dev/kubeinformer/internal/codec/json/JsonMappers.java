package dev.kubeinformer.internal.codec.json;

import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.model.UnmodifiableModels;
import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Settings for reading the JSON of an application's informers, and the readers of the
 * model classes that were used so far. All codecs share them.
 */
public final class JsonMappers {

	/** Maximum depth of nested values; the limit of Kubernetes' own decoder. */
	private static final int MOST_NESTING = 10_000;

	/** Maximum number of characters of a number; numbers of Kubernetes have 64 bits. */
	private static final int LONGEST_NUMBER = 1_000;

	private static final int LONGEST_NAME = 1024 * 1024;

	/**
	 * Default limit for the bytes of an object; the largest objects in etcd are far
	 * smaller.
	 */
	private static final int LARGEST_OBJECT = 256 * 1024 * 1024;

	/**
	 * Smallest limit for the bytes of an object; the largest value that etcd accepts is
	 * smaller, even as JSON.
	 */
	private static final int SMALLEST_BOUND = 4 * 1024 * 1024;

	/**
	 * Divisor of the maximum heap size. The result is the default limit for the bytes of
	 * an object. Reading an object takes several times its size: as received, as one
	 * array, as characters and as values.
	 */
	private static final int SHARE_OF_HEAP = 16;

	private final boolean keepManagedFields;

	private final int largestObject;

	private final Factory factory;

	private final JsonModels models;

	private final AtomicReference<@Nullable JsonMappers> modifiable = new AtomicReference<>();

	private final AtomicReference<@Nullable JsonMappers> keeping = new AtomicReference<>();

	/**
	 * Creates the mappers.
	 * @param keepManagedFields {@code true} to decode {@code metadata.managedFields};
	 * {@code false} to skip them
	 */
	public JsonMappers(boolean keepManagedFields) {
		this(keepManagedFields, largestObject(Runtime.getRuntime().maxMemory()));
	}

	/**
	 * Creates the mappers.
	 * @param keepManagedFields {@code true} to decode {@code metadata.managedFields};
	 * {@code false} to skip them
	 * @param largestObject the maximum number of bytes of an object or event, in any
	 * encoding
	 */
	public JsonMappers(boolean keepManagedFields, int largestObject) {
		this(new Factory(), keepManagedFields, false, largestObject);
	}

	private JsonMappers(Factory factory, boolean keepManagedFields, boolean modifiable, int largestObject) {
		this.factory = factory;
		this.largestObject = largestObject;
		this.keepManagedFields = keepManagedFields;
		this.models = new JsonModels(keepManagedFields, modifiable);
	}

	private static int largestObject(long heap) {
		return (int) Math.max(SMALLEST_BOUND, Math.min(LARGEST_OBJECT, heap / SHARE_OF_HEAP));
	}

	/**
	 * Returns mappers with the same settings, except that they decode objects whose
	 * collections can be changed.
	 * @return the mappers
	 * @see UnmodifiableModels
	 */
	public JsonMappers modifiable() {
		return Objects.requireNonNull(this.modifiable.updateAndGet((known) -> (known != null) ? known
				: new JsonMappers(this.factory, this.keepManagedFields, true, this.largestObject)));
	}

	/**
	 * Returns mappers with the same settings, except that they decode
	 * {@code metadata.managedFields}.
	 * @return the mappers
	 */
	public JsonMappers keepingManagedFields() {
		return this.keepManagedFields ? this
				: Objects.requireNonNull(this.keeping.updateAndGet((known) -> (known != null) ? known
						: new JsonMappers(this.factory, true, this.models.modifiable(), this.largestObject)));
	}

	JsonParser parser(InputStream json) {
		return this.factory.get().createParser(ObjectReadContext.empty(), json);
	}

	JsonParser parser(byte[] json, int start, int length) {
		return this.factory.get().createParser(ObjectReadContext.empty(), json, start, length);
	}

	/**
	 * Returns a parser of one object. It skips {@code metadata.managedFields} if these
	 * mappers do not decode them. Names in managed fields contain UIDs, so each object
	 * would add names to the table that all parsers share, and each addition copies this
	 * table.
	 * @param json the array with the object
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the parser
	 */
	JsonParser objectParser(byte[] json, int from, int to) {
		JsonIdentityScan scan = this.keepManagedFields ? null : new JsonIdentityScan();
		if (scan == null || !scan.findManagedFields(json, from, to)) {
			return parser(json, from, to - from);
		}
		// Replace the managed fields by an empty array.
		int head = scan.managedFrom() + 1 - from;
		int tail = to - scan.managedTo() + 1;
		byte[] without = new byte[head + tail];
		System.arraycopy(json, from, without, 0, head);
		System.arraycopy(json, scan.managedTo() - 1, without, head, tail);
		return parser(without, 0, without.length);
	}

	/**
	 * Returns whether {@code metadata.managedFields} are decoded.
	 * @return {@code true} if they are decoded
	 */
	public boolean keepsManagedFields() {
		return this.keepManagedFields;
	}

	/**
	 * Returns the size limit of an object. Without a limit, one object could take all the
	 * memory, because its compressed form may be small.
	 * @return the maximum number of bytes of an object or event, in any encoding
	 */
	public int largestObject() {
		return this.largestObject;
	}

	/**
	 * Returns whether decoded objects are mutable.
	 * @return {@code true} if their collections can be modified
	 */
	public boolean isModifiable() {
		return this.models.modifiable();
	}

	/**
	 * Reads JSON as untyped values, as in a field of type {@code Object}.
	 * @param json the array with the JSON
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @param known finds equal values that were read before
	 * @return maps, lists, strings, doubles and booleans; {@code null} for null
	 * @throws MalformedResponseException if the bytes are not JSON
	 */
	public @Nullable Object readUntyped(byte[] json, int from, int to, KnownValues known)
			throws MalformedResponseException {
		try (JsonParser parser = parser(json, from, to - from)) {
			if (parser.nextToken() == null) {
				throw new MalformedResponseException("The value of a field is empty");
			}
			Object value = new JsonReader(parser, known).readObject(this.models.value(Object.class));
			if (parser.nextToken() != null) {
				throw new MalformedResponseException("The value of a field is more than one JSON value");
			}
			return value;
		}
		catch (JacksonException | FieldMismatchException ex) {
			throw new MalformedResponseException("The value of a field is not JSON", ex);
		}
	}

	/**
	 * Returns the readers of models.
	 * @return the readers
	 */
	JsonModels models() {
		return this.models;
	}

	/**
	 * Reads the body of an unsuccessful response.
	 * @param httpStatus the HTTP status
	 * @param body the body, a {@code Status} object or anything else
	 * @return the status
	 */
	public ApiStatus readStatus(int httpStatus, byte[] body) {
		return ApiStatusReader.read(this, body, httpStatus);
	}

	/**
	 * Factory of parsers, created for the first object that arrives as JSON.
	 */
	private static final class Factory {

		private final AtomicReference<@Nullable JsonFactory> made = new AtomicReference<>();

		JsonFactory get() {
			JsonFactory known = this.made.get();
			return (known != null) ? known
					: Objects.requireNonNull(this.made.updateAndGet((other) -> (other != null) ? other : create()));
		}

		private static JsonFactory create() {
			// The limit of the object also limits its strings.
			StreamReadConstraints constraints = StreamReadConstraints.builder()
				.maxStringLength(Integer.MAX_VALUE)
				.maxNameLength(LONGEST_NAME)
				.maxNumberLength(LONGEST_NUMBER)
				.maxNestingDepth(MOST_NESTING)
				.build();
			return JsonFactory.builder().streamReadConstraints(constraints).build();
		}

	}

}
