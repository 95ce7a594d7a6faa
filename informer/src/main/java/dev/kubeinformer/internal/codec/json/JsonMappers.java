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
 * Settings by which the JSON of an application's informers is read, and the tables of the
 * classes that were read so far. All codecs share them.
 */
public final class JsonMappers {

	/** That of Kubernetes' own decoder. */
	private static final int MOST_NESTING = 10_000;

	/** Numbers of Kubernetes have 64 bits. */
	private static final int LONGEST_NUMBER = 1_000;

	private static final int LONGEST_NAME = 1024 * 1024;

	/** The largest objects of etcd are far below. */
	private static final int LARGEST_OBJECT = 256 * 1024 * 1024;

	/** What etcd takes as a whole is below, in JSON as well. */
	private static final int SMALLEST_BOUND = 4 * 1024 * 1024;

	/**
	 * To read an object takes several times its bytes: as they came, as one array, as
	 * characters and as values.
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
	 * @param keepManagedFields whether {@code metadata.managedFields} are decoded
	 */
	public JsonMappers(boolean keepManagedFields) {
		this(keepManagedFields, largestObject(Runtime.getRuntime().maxMemory()));
	}

	/**
	 * Creates the mappers.
	 * @param keepManagedFields whether {@code metadata.managedFields} are decoded
	 * @param largestObject how many bytes one object or event may have, in any encoding
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
	 * Mappers like these, but objects are decoded to be changed: their collections can be
	 * modified.
	 * @return the mappers
	 * @see UnmodifiableModels
	 */
	public JsonMappers modifiable() {
		return Objects.requireNonNull(this.modifiable.updateAndGet((known) -> (known != null) ? known
				: new JsonMappers(this.factory, this.keepManagedFields, true, this.largestObject)));
	}

	/**
	 * Mappers like these that decode {@code metadata.managedFields}.
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
	 * Returns a parser of one object, which does not see {@code metadata.managedFields}
	 * unless they are decoded. The parsers of a factory share the names that they have
	 * read, and copy all of them to add another. Those of managed fields hold UIDs: each
	 * object would add its own.
	 * @param json the array with the object
	 * @param from index of its first byte
	 * @param to index after its last byte
	 * @return the parser
	 */
	JsonParser objectParser(byte[] json, int from, int to) {
		JsonIdentityScan scan = this.keepManagedFields ? null : new JsonIdentityScan();
		if (scan == null || !scan.findManagedFields(json, from, to)) {
			return parser(json, from, to - from);
		}
		// An empty array takes their place.
		int head = scan.managedFrom() + 1 - from;
		int tail = to - scan.managedTo() + 1;
		byte[] without = new byte[head + tail];
		System.arraycopy(json, from, without, 0, head);
		System.arraycopy(json, scan.managedTo() - 1, without, head, tail);
		return parser(without, 0, without.length);
	}

	/**
	 * Returns whether {@code metadata.managedFields} are decoded.
	 * @return whether they are
	 */
	public boolean keepsManagedFields() {
		return this.keepManagedFields;
	}

	/**
	 * Returns how large an object may be, so that none can take the memory of all others,
	 * even where it is small as long as it is compressed.
	 * @return the number of bytes that one object or event may have, in any encoding
	 */
	public int largestObject() {
		return this.largestObject;
	}

	/**
	 * Returns whether objects are decoded to be changed.
	 * @return whether their collections can be modified
	 */
	public boolean isModifiable() {
		return this.models.modifiable();
	}

	/**
	 * Reads JSON as the values of fields that may hold anything.
	 * @param json the array with the JSON
	 * @param from index of its first byte
	 * @param to index after its last byte
	 * @param known finds values that were there before
	 * @return maps, lists, strings, doubles and truth values; {@code null} for null
	 * @throws MalformedResponseException if it is not JSON
	 */
	public @Nullable Object readUntyped(byte[] json, int from, int to, KnownValues known)
			throws MalformedResponseException {
		try (JsonParser parser = parser(json, from, to - from)) {
			if (parser.nextToken() == null) {
				throw new MalformedResponseException("The value of a field is nothing");
			}
			Object value = new JsonReader(parser, known).readObject(this.models.value(Object.class));
			if (parser.nextToken() != null) {
				throw new MalformedResponseException("The value of a field is more than one");
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
	 * Reads the body of an answer that is not a success.
	 * @param httpStatus the HTTP status
	 * @param body the body, a {@code Status} object or anything else
	 * @return the status
	 */
	public ApiStatus readStatus(int httpStatus, byte[] body) {
		return ApiStatusReader.read(this, body, httpStatus);
	}

	/**
	 * The factory of parsers, made when the first is needed: where all objects come as
	 * protobuf, none is.
	 */
	private static final class Factory {

		private final AtomicReference<@Nullable JsonFactory> made = new AtomicReference<>();

		JsonFactory get() {
			JsonFactory known = this.made.get();
			return (known != null) ? known
					: Objects.requireNonNull(this.made.updateAndGet((other) -> (other != null) ? other : create()));
		}

		private static JsonFactory create() {
			// Strings are bounded by the object that they are in.
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
