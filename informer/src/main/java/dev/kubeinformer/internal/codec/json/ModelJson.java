package dev.kubeinformer.internal.codec.json;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.StatusCause;
import dev.kubeinformer.internal.codec.model.MetadataForm;
import dev.kubeinformer.internal.codec.model.TypeMeta;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.ResourceType;

/**
 * Writes single objects as the JSON of requests, and reads them from the JSON of
 * responses. Safe for use by several threads.
 */
public final class ModelJson {

	/** Number of strings that are remembered from earlier objects. */
	private static final int STRINGS = 1024;

	/**
	 * JSON of the operation {@code Update} in managed fields. It is missing in most
	 * applied objects.
	 */
	private static final byte[] UPDATE = "\"Update\"".getBytes(StandardCharsets.UTF_8);

	private final JsonMappers mappers;

	private final ModelTrees trees = new ModelTrees();

	private final Map<ResourceType<?>, TypeMeta> typeMetas = new ConcurrentHashMap<>();

	/** Idle caches of values; each is used by one thread at a time. */
	private final Queue<KnownValues> known = new ConcurrentLinkedQueue<>();

	/**
	 * Creates the reader and writer.
	 * @param mappers the mappers of the informers
	 */
	public ModelJson(JsonMappers mappers) {
		this.mappers = mappers;
	}

	/**
	 * Returns the size limit of an object.
	 * @return the maximum number of bytes
	 */
	public int largestObject() {
		return this.mappers.largestObject();
	}

	/**
	 * Returns the mappers, for documents other than objects.
	 * @return the mappers
	 */
	public JsonMappers mappers() {
		return this.mappers;
	}

	/**
	 * Returns the tree of a model.
	 * @param model the model
	 * @return the values by the names of their fields; maps, lists, strings, numbers and
	 * booleans. The caller may change the tree
	 * @throws IllegalArgumentException if the model, or a value in it, cannot be
	 * expressed in JSON
	 */
	@SuppressWarnings("unchecked") // The tree has another class only if the model is not
									// a JSON object.
	public Map<String, @Nullable Object> tree(Object model) {
		Object tree = this.trees.of(model);
		if (!(tree instanceof Map<?, ?>)) {
			throw new IllegalArgumentException("A '%s' is not a JSON object".formatted(model.getClass().getName()));
		}
		return (Map<String, @Nullable Object>) tree;
	}

	/**
	 * Writes a tree.
	 * @param tree the tree; nulls are written
	 * @return the JSON in UTF-8
	 */
	public byte[] write(Object tree) {
		return new JsonText().write(tree);
	}

	/**
	 * Reads an object. Its collections cannot be modified, because callers may share it.
	 * @param <T> the model class
	 * @param type the resource
	 * @param json the object
	 * @return the object
	 * @throws MalformedResponseException if it is not an object of this resource
	 */
	public <T extends KubernetesObject> T read(ResourceType<T> type, byte[] json) throws MalformedResponseException {
		KnownValues values = Objects.requireNonNullElseGet(this.known.poll(), () -> new KnownValues(STRINGS));
		try (JsonParser parser = this.mappers.objectParser(json, 0, json.length)) {
			parser.nextToken();
			JsonValue model = model(type);
			T value = type.objectClass().cast(new JsonReader(parser, values).readObject(model));
			DecodedObject<T> decoded = this.typeMetas.computeIfAbsent(type, TypeMeta::new).identify(value);
			if (decoded.object() == null) {
				throw new MalformedResponseException("The response is not a '%s': %s".formatted(type.name(),
						Objects.requireNonNullElse(decoded.problem(), "")));
			}
			return decoded.object();
		}
		catch (FieldMismatchException | JacksonException | StackOverflowError ex) {
			throw new MalformedResponseException(
					"The response is not a '%s': %s".formatted(type.name(), DecodeProblem.describe(ex)), ex);
		}
		finally {
			this.known.add(values);
		}
	}

	private JsonValue model(ResourceType<?> type) {
		if (type.isMetadata()) {
			return new MetadataValue(new MetadataForm(type), this.mappers.models().value(V1ObjectMeta.class));
		}
		return type.isDynamic() ? new DynamicObject(this.mappers.keepsManagedFields())
				: this.mappers.models().value(type.objectClass());
	}

	/**
	 * Reads only the identity and the version of an object. If the JSON is a
	 * {@code Status}, this method reads the object's identity from the details of the
	 * status.
	 * @param json the object
	 * @return the metadata; {@code null} if the JSON is neither an object nor a
	 * {@code Status} about one
	 */
	public @Nullable WrittenMetadata readMetadata(byte[] json) {
		try (JsonParser parser = this.mappers.objectParser(json, 0, json.length)) {
			return WrittenMetadataReader.read(parser);
		}
		catch (JacksonException | DateTimeException ex) {
			// The write has succeeded, whatever the response is.
			return null;
		}
	}

	/**
	 * Reads the field managers of an object.
	 * @param json the object
	 * @return the entries of {@code metadata.managedFields}; empty if the text
	 * {@code Update} is missing in them, so that no entry belongs to an update
	 * @throws MalformedResponseException if it is not JSON
	 */
	public List<?> readManagedFields(byte[] json) throws MalformedResponseException {
		JsonIdentityScan scan = new JsonIdentityScan();
		if (!scan.findManagedFields(json, 0, json.length)
				|| !contains(json, scan.managedFrom(), scan.managedTo(), UPDATE)) {
			return List.of();
		}
		return (this.mappers.readUntyped(json, scan.managedFrom(), scan.managedTo(),
				new KnownValues(64)) instanceof List<?> entries) ? entries : List.of();
	}

	private static boolean contains(byte[] bytes, int from, int to, byte[] part) {
		for (int start = from; start <= to - part.length; start++) {
			if (bytes[start] == part[0] && Arrays.equals(bytes, start, start + part.length, part, 0, part.length)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Reads JSON of an unknown structure.
	 * @param json the JSON
	 * @return maps, lists, strings, doubles and booleans; {@code null} for null
	 * @throws MalformedResponseException if it is not JSON
	 */
	public @Nullable Object readUntyped(byte[] json) throws MalformedResponseException {
		return this.mappers.readUntyped(json, 0, json.length, new KnownValues(64));
	}

	/**
	 * Reads the body of an unsuccessful response.
	 * @param httpStatus the HTTP status
	 * @param body the body, a {@code Status} object or anything else
	 * @return the status
	 */
	public ApiStatus readStatus(int httpStatus, byte[] body) {
		return this.mappers.readStatus(httpStatus, body);
	}

	/**
	 * Reads the causes of a rejection.
	 * @param body the body, a {@code Status} object or anything else
	 * @return the causes; empty if the body names none
	 */
	public List<StatusCause> readCauses(byte[] body) {
		List<StatusCause> read = new ArrayList<>();
		try {
			if (readUntyped(body) instanceof Map<?, ?> status && status.get("details") instanceof Map<?, ?> details
					&& details.get("causes") instanceof List<?> causes) {
				for (Object cause : causes) {
					if (cause instanceof Map<?, ?> map) {
						read.add(new StatusCause(text(map, "reason"), text(map, "field"), text(map, "message")));
					}
				}
			}
		}
		catch (MalformedResponseException ex) {
			// The response came from a proxy and not from a Kubernetes server.
			return List.of();
		}
		return read;
	}

	private static String text(Map<?, ?> map, String name) {
		return (map.get(name) instanceof String text) ? text : "";
	}

}
