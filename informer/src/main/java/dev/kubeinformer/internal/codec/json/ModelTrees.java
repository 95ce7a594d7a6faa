package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Array;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Creates JSON trees of models: maps, lists, strings, numbers and booleans. They are
 * equal to the output of the official client: null fields and null entries of maps are
 * omitted, times have microseconds, and Gson's adapters are used. The entries of maps are
 * sorted, so that equal models have equal trees. There are three differences.
 * <ul>
 * <li>Times of other zones are converted to UTC; the official client only changes the
 * suffix.</li>
 * <li>Whole numbers of untyped fields, which are doubles in the models, have no fraction:
 * a schema with {@code type: integer} would reject a value that the server itself
 * sent.</li>
 * <li>Empty collections of official models are omitted. A new model has an empty
 * collection in each such field. If this collection were applied, server-side apply would
 * take the field from another manager and empty it.</li>
 * </ul>
 */
final class ModelTrees {

	/** Largest number up to which a double can represent every whole number. */
	private static final double LARGEST_WHOLE = 1L << 53;

	private final Map<Class<?>, TreeWriter> writers = new ConcurrentHashMap<>();

	private final GsonTrees gson = new GsonTrees();

	/**
	 * Returns the tree of a model or of a value in a model.
	 * @param value the model
	 * @return the tree, which the caller may change; {@code null} for null
	 * @throws IllegalArgumentException if a value in it cannot be expressed in JSON
	 */
	@Nullable Object of(@Nullable Object value) {
		if (value == null || value instanceof String || value instanceof Boolean || value instanceof Integer
				|| value instanceof Long) {
			return value;
		}
		if (value instanceof Number number) {
			return number(number);
		}
		if (value instanceof Map<?, ?> map) {
			return ofMap(map);
		}
		return (value instanceof Collection<?> collection) ? ofCollection(collection) : ofOther(value);
	}

	/**
	 * Returns the writer of fields of a type. There is a class for each kind of type, not
	 * only {@link #of}, because models contain models: HotSpot would compile all kinds
	 * into each other.
	 * @param type the declared type
	 * @return the writer of values of this type, which must not be null
	 */
	TreeWriter writerOf(Class<?> type) {
		if (type == String.class || type == Boolean.class || type == Integer.class || type == Long.class) {
			return new Same();
		}
		if (Map.class.isAssignableFrom(type)) {
			return new MapTree();
		}
		if (Collection.class.isAssignableFrom(type)) {
			return new CollectionTree();
		}
		return (type == Object.class) ? new UntypedTree() : new AnyTree();
	}

	private List<@Nullable Object> ofCollection(Collection<?> collection) {
		List<@Nullable Object> list = new ArrayList<>(collection.size());
		for (Object each : collection) {
			list.add(untyped(each));
		}
		if (isShuffled(collection)) {
			list.sort(Comparator.comparing(String::valueOf));
		}
		return list;
	}

	// The order in a Set.of differs between processes, so equal models would have
	// different trees.
	private static boolean isShuffled(Collection<?> collection) {
		return collection instanceof Set<?> && collection.size() > 1
				&& collection.getClass().getName().startsWith("java.util.ImmutableCollections");
	}

	private @Nullable Object ofOther(Object value) {
		if (value instanceof OffsetDateTime time) {
			return text(time);
		}
		if (value instanceof Quantity quantity) {
			return quantity.toSuffixedString();
		}
		if (value instanceof IntOrString number) {
			return number.isInteger() ? number.getIntValue() : number.getStrValue();
		}
		if (value instanceof byte[] bytes) {
			return Base64.getEncoder().encodeToString(bytes);
		}
		if (value instanceof JsonElement json) {
			return ofGson(json);
		}
		if (value instanceof DynamicKubernetesObject dynamic) {
			return ofGson(dynamic.getRaw());
		}
		if (value.getClass().isArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			for (int i = 0; i < Array.getLength(value); i++) {
				list.add(of(Array.get(value, i)));
			}
			return list;
		}
		return writer(value.getClass()).write(value);
	}

	private TreeWriter writer(Class<?> type) {
		TreeWriter known = this.writers.get(type);
		// newWriter must not look up other writers: a class may contain objects of the
		// same class, and a recursive computeIfAbsent fails.
		return (known != null) ? known : this.writers.computeIfAbsent(type, this::newWriter);
	}

	private TreeWriter newWriter(Class<?> type) {
		if (Enum.class.isAssignableFrom(type) || type.isAnnotationPresent(JsonAdapter.class)
				|| type.getName().startsWith("java.")) {
			return (value) -> ofGson(this.gson.tree(value, type));
		}
		return new ModelFields(type, this, this.gson);
	}

	private Map<String, @Nullable Object> ofMap(Map<?, ?> map) {
		SortedMap<String, @Nullable Object> sorted = new TreeMap<>();
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			Object value = entry.getValue();
			if (value != null) {
				sorted.put((entry.getKey() instanceof String name) ? name : String.valueOf(of(entry.getKey())),
						untyped(value));
			}
		}
		return sorted;
	}

	/**
	 * Returns the tree of a collection's element, or of the value of an untyped field.
	 * @param value the value
	 * @return the tree
	 */
	private @Nullable Object untyped(@Nullable Object value) {
		if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < LARGEST_WHOLE) {
			return number.longValue();
		}
		return of(value);
	}

	private static Number number(Number number) {
		double value = number.doubleValue();
		if (!Double.isFinite(value) && (number instanceof Double || number instanceof Float)) {
			throw new IllegalArgumentException("'%s' is not a JSON number".formatted(number));
		}
		return number;
	}

	/**
	 * Converts a Gson tree.
	 * @param json the Gson tree
	 * @return the tree; {@code null} for null
	 */
	@Nullable Object ofGson(JsonElement json) {
		if (json.isJsonObject()) {
			Map<String, @Nullable Object> map = new LinkedHashMap<>();
			json.getAsJsonObject().entrySet().forEach((entry) -> {
				Object value = ofGson(entry.getValue());
				if (value != null) {
					map.put(entry.getKey(), value);
				}
			});
			return map;
		}
		if (json.isJsonArray()) {
			List<@Nullable Object> list = new ArrayList<>();
			json.getAsJsonArray().forEach((each) -> list.add(ofGson(each)));
			return list;
		}
		return json.isJsonNull() ? null : ofPrimitive(json.getAsJsonPrimitive());
	}

	private static Object ofPrimitive(JsonPrimitive json) {
		if (json.isBoolean()) {
			return json.getAsBoolean();
		}
		return json.isNumber() ? json.getAsBigDecimal() : json.getAsString();
	}

	private static String text(OffsetDateTime time) {
		OffsetDateTime utc = time.withOffsetSameInstant(ZoneOffset.UTC);
		int year = utc.getYear();
		if (year < 0 || year > 9999) {
			throw new IllegalArgumentException(
					"The year '%d' cannot be expressed in a Kubernetes time".formatted(year));
		}
		// DateTimeFormatter is slow.
		StringBuilder text = new StringBuilder(27);
		digits(text, year, 1000).append('-');
		digits(text, utc.getMonthValue(), 10).append('-');
		digits(text, utc.getDayOfMonth(), 10).append('T');
		digits(text, utc.getHour(), 10).append(':');
		digits(text, utc.getMinute(), 10).append(':');
		digits(text, utc.getSecond(), 10).append('.');
		return digits(text, utc.getNano() / 1000, 100_000).append('Z').toString();
	}

	private static StringBuilder digits(StringBuilder text, int number, int highest) {
		for (int place = highest; place > 0; place /= 10) {
			text.append((char) ('0' + number / place % 10));
		}
		return text;
	}

	/** Writer of values that are their own trees. */
	private static final class Same implements TreeWriter {

		@Override
		public Object write(Object value) {
			return value;
		}

	}

	private final class MapTree implements TreeWriter {

		@Override
		public Object write(Object value) {
			return ofMap((Map<?, ?>) value);
		}

	}

	private final class CollectionTree implements TreeWriter {

		@Override
		public Object write(Object value) {
			return ofCollection((Collection<?>) value);
		}

	}

	private final class UntypedTree implements TreeWriter {

		@Override
		public @Nullable Object write(Object value) {
			return untyped(value);
		}

	}

	private final class AnyTree implements TreeWriter {

		@Override
		public @Nullable Object write(Object value) {
			return of(value);
		}

	}

	/**
	 * Creates the trees of the objects of one class, or of the values of fields of one
	 * declared type.
	 */
	@FunctionalInterface
	interface TreeWriter {

		@Nullable Object write(Object value);

	}

}
