package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.google.gson.ExclusionStrategy;
import com.google.gson.FieldAttributes;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Describes a model class: the fields that Gson uses, and how objects of the class are
 * created. If there is a constructor with parameters for the final fields, it is used:
 * later versions of the JDK do not allow setting final fields of existing objects (JEP
 * 500).
 */
public final class ModelClass {

	/** Marker for the value of a field that was not in the input. */
	public static final Object MISSING = new Object();

	private static final Set<Class<?>> VALUES = Set.of(String.class, Integer.class, Long.class, Boolean.class,
			Double.class, OffsetDateTime.class, Quantity.class, IntOrString.class);

	private static final ClassValue<ModelClass> KNOWN = new ClassValue<>() {

		@Override
		protected ModelClass computeValue(Class<?> type) {
			return new ModelClass(type);
		}

	};

	private final Class<?> type;

	private final List<Field> fields;

	private final ModelConstructors constructors;

	/**
	 * Index of the field that each constructor parameter sets; -1 for a parameter without
	 * a field.
	 */
	private final int[] parameters;

	/** Indexes of the fields that the constructor with parameters does not set. */
	private final int[] others;

	private final boolean accessible;

	/** Creates objects without calling a constructor, as Gson does. */
	private volatile @Nullable TypeAdapter<?> allocator;

	private ModelClass(Class<?> type) {
		this.type = type;
		List<Field> all = new ArrayList<>();
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			Arrays.stream(each.getDeclaredFields()).filter(ModelClass::isOfAnObject).forEach(all::add);
		}
		this.constructors = ModelConstructors.of(type, all);
		this.fields = all.stream().filter((each) -> !Modifier.isTransient(each.getModifiers())).toList();
		this.parameters = this.constructors.fields().stream().mapToInt(this.fields::indexOf).toArray();
		Set<Field> filled = new HashSet<>(this.constructors.fields());
		this.others = IntStream.range(0, this.fields.size())
			.filter((index) -> !filled.contains(this.fields.get(index)))
			.toArray();
		this.accessible = Stream
			.concat(Stream.concat(this.fields.stream(), this.constructors.fields().stream()),
					Stream.of(this.constructors.plain(), this.constructors.full(), this.constructors.defaulted()))
			.allMatch((each) -> each == null || each.trySetAccessible());
	}

	private static boolean isOfAnObject(Field field) {
		// The fields of Kotlin's delegates ("by") are not data.
		return !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()
				&& !field.getName().endsWith("$delegate");
	}

	/**
	 * Returns the description of a class, which is computed once.
	 * @param type the class
	 * @return its fields and constructors
	 */
	public static ModelClass of(Class<?> type) {
		return KNOWN.get(type);
	}

	/**
	 * Returns whether a value is a model or an object within a model, and not a plain
	 * value such as a number.
	 * @param value the value, which is not a collection or an array
	 * @return {@code true} if it is a model, or an object in a model
	 */
	static boolean isModel(Object value) {
		Class<?> type = value.getClass();
		return !(value instanceof Enum || value instanceof Number || value instanceof JsonElement) && isOwnClass(type);
	}

	/**
	 * Returns whether values of a class are models or objects within models, and not
	 * plain values such as numbers.
	 * @param type a class other than a collection or an array
	 * @return {@code true} if they are models, or objects in models
	 */
	static boolean isModel(Class<?> type) {
		return !(Enum.class.isAssignableFrom(type) || Number.class.isAssignableFrom(type)
				|| JsonElement.class.isAssignableFrom(type)) && isOwnClass(type);
	}

	private static boolean isOwnClass(Class<?> type) {
		return !VALUES.contains(type) && !type.isArray() && type.getClassLoader() != null
				&& type.getClassLoader() != ClassLoader.getPlatformClassLoader();
	}

	/**
	 * Returns the fields to read. The fields of a class come before the fields of its
	 * superclass.
	 * @return the fields
	 */
	public List<Field> fields() {
		return this.fields;
	}

	/**
	 * Returns whether fields and constructors are accessible. They are inaccessible if
	 * the Java module of the class does not open the package.
	 * @return {@code true} if they are accessible
	 */
	public boolean isAccessible() {
		return this.accessible;
	}

	/**
	 * Returns whether objects are created by a constructor that receives the values of
	 * their fields. Otherwise an object is created first, and its fields are set
	 * afterwards.
	 * @return {@code true} if there is such a constructor
	 */
	public boolean isMadeOfValues() {
		return this.constructors.full() != null;
	}

	/**
	 * Returns whether objects can be created at all.
	 * @return {@code true} if there is a way to create them
	 */
	public boolean canBeMade() {
		// Gson does not instantiate anonymous and local classes.
		return this.constructors.full() != null || this.constructors.plain() != null
				|| !(this.type.isAnonymousClass() || this.type.isLocalClass());
	}

	/**
	 * Returns whether the class declares which of its fields may be null.
	 * @return {@code true} for a Kotlin class
	 */
	public boolean isStrict() {
		return ModelConstructors.isKotlin(this.type);
	}

	/**
	 * Returns a final field that neither a constructor nor reflection can set.
	 * @return the field; {@code null} if there is none
	 */
	public @Nullable Field unfillable() {
		List<Field> finals = Arrays.stream(this.others)
			.mapToObj(this.fields::get)
			.filter((each) -> Modifier.isFinal(each.getModifiers()))
			.toList();
		if (finals.isEmpty()) {
			return null;
		}
		Object example;
		try {
			example = allocate();
		}
		catch (RuntimeException ex) {
			// The constructor fails without values, but may succeed for real objects.
			return null;
		}
		for (Field each : finals) {
			try {
				each.set(example, each.get(example));
			}
			catch (IllegalAccessException ex) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Returns a new object without any values.
	 * @return the object
	 * @throws InvocationTargetException if the constructor fails
	 */
	public Object make() throws InvocationTargetException {
		Constructor<?> plain = this.constructors.plain();
		return (plain != null) ? invoke(plain) : allocate();
	}

	/**
	 * Returns a new object with given values of its fields.
	 * @param values the value of each field, or {@link #MISSING}
	 * @param defaults returns the value of a field that was not in the input
	 * @return the object
	 * @throws InvocationTargetException if the constructor rejects the values
	 */
	public Object make(@Nullable Object[] values, BiFunction<@Nullable Object, Class<?>, @Nullable Object> defaults)
			throws InvocationTargetException {
		Constructor<?> full = Objects.requireNonNull(this.constructors.full());
		@Nullable Object[] arguments = arguments(full, values, defaults);
		Object model;
		try {
			model = invoke(full, arguments);
		}
		catch (InvocationTargetException ex) {
			// Leave missing values null, as Gson does. Records and Kotlin classes declare
			// which values must not be null, so report their failures.
			if (this.type.isRecord() || ModelConstructors.isKotlin(this.type)
					|| !(ex.getCause() instanceof NullPointerException)
					|| Arrays.stream(arguments).noneMatch(Objects::isNull)) {
				throw ex;
			}
			model = allocate();
			for (int i = 0; i < arguments.length; i++) {
				if (this.parameters[i] >= 0) {
					set(this.fields.get(this.parameters[i]), model, arguments[i]);
				}
			}
		}
		for (int other : this.others) {
			Field field = this.fields.get(other);
			Object value = (values[other] != MISSING) ? values[other]
					: defaults.apply(get(field, model), field.getType());
			if (value != get(field, model)) {
				set(field, model, value);
			}
		}
		return model;
	}

	private @Nullable Object[] arguments(Constructor<?> full, @Nullable Object[] values,
			BiFunction<@Nullable Object, Class<?>, @Nullable Object> defaults) throws InvocationTargetException {
		Class<?>[] types = full.getParameterTypes();
		@Nullable Object[] arguments = new Object[types.length];
		BitSet missing = new BitSet();
		for (int i = 0; i < types.length; i++) {
			int index = this.parameters[i];
			Object value = (index >= 0) ? values[index] : MISSING;
			missing.set(i, value == MISSING);
			arguments[i] = (value != MISSING && value != null) ? value : absent(types[i]);
		}
		Object example = missing.isEmpty() ? null : example(arguments, missing);
		if (example != null) {
			missing.stream().forEach((i) -> {
				Field field = this.constructors.fields().get(i);
				Object value = (field != null) ? get(field, example) : null;
				if (this.parameters[i] >= 0) {
					value = defaults.apply(value, types[i]);
				}
				arguments[i] = (value != null) ? value : absent(types[i]);
			});
		}
		return arguments;
	}

	private static @Nullable Object absent(Class<?> type) {
		return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
	}

	private @Nullable Object example(@Nullable Object[] arguments, BitSet missing) throws InvocationTargetException {
		// Let Kotlin's second constructor set the defaults of values that were not read.
		Constructor<?> defaulted = this.constructors.defaulted();
		if (defaulted == null) {
			return (this.constructors.plain() != null) ? make() : null;
		}
		@Nullable Object[] all = Arrays.copyOf(arguments, defaulted.getParameterCount());
		Arrays.fill(all, arguments.length, all.length - 1, 0);
		missing.stream().forEach((i) -> {
			int bits = arguments.length + i / ModelConstructors.BITS;
			all[bits] = (Integer) Objects.requireNonNull(all[bits]) | (1 << (i % ModelConstructors.BITS));
		});
		return invoke(defaulted, all);
	}

	/**
	 * Returns a copy of a model with other values in its fields.
	 * @param model the model
	 * @param change returns the new value of a field; if it has the wrong type, the field
	 * keeps its value
	 * @return a new model
	 */
	Object rebuilt(Object model, BiFunction<Field, @Nullable Object, @Nullable Object> change) {
		@Nullable Object[] values = new Object[this.fields.size()];
		for (int i = 0; i < values.length; i++) {
			Field field = this.fields.get(i);
			Object value = get(field, model);
			Object changed = change.apply(field, value);
			values[i] = (changed == null || field.getType().isPrimitive() || field.getType().isInstance(changed))
					? changed : value;
		}
		try {
			if (isMadeOfValues()) {
				return make(values, (value, type) -> value);
			}
			Object rebuilt = make();
			for (int i = 0; i < values.length; i++) {
				set(this.fields.get(i), rebuilt, values[i]);
			}
			return rebuilt;
		}
		catch (InvocationTargetException ex) {
			throw new IllegalArgumentException("A '%s' cannot be copied".formatted(this.type.getName()), ex);
		}
	}

	private static Object invoke(Constructor<?> constructor, @Nullable Object... arguments)
			throws InvocationTargetException {
		try {
			return constructor.newInstance(arguments);
		}
		catch (InstantiationException | IllegalAccessException ex) {
			throw new IllegalArgumentException("'%s' cannot be called".formatted(constructor), ex);
		}
	}

	private Object allocate() {
		TypeAdapter<?> known = this.allocator;
		if (known == null) {
			known = new GsonBuilder().setExclusionStrategies(new NoFields()).create().getAdapter(this.type);
			this.allocator = known;
		}
		Object model;
		try {
			model = known.fromJsonTree(new JsonObject());
		}
		catch (JsonParseException ex) {
			throw new IllegalArgumentException("A '%s' cannot be made".formatted(this.type.getName()), ex);
		}
		if (model == null) {
			throw new IllegalArgumentException(
					"A '%s' cannot be made: it has no constructor without parameters".formatted(this.type.getName()));
		}
		return model;
	}

	/**
	 * Returns the value of a field.
	 * @param field the accessible field
	 * @param model the model
	 * @return the value
	 */
	public static @Nullable Object get(Field field, Object model) {
		try {
			return field.get(model);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Field '%s' cannot be read".formatted(field), ex);
		}
	}

	/**
	 * Sets a field. A primitive field keeps its value if the new one is null.
	 * @param field the accessible field
	 * @param model the model
	 * @param value the value
	 * @throws IllegalArgumentException if the field does not accept the value; the
	 * message does not quote it
	 */
	public static void set(Field field, Object model, @Nullable Object value) {
		if (value == null && field.getType().isPrimitive()) {
			return;
		}
		try {
			field.set(model, value);
		}
		catch (IllegalAccessException | IllegalArgumentException ex) {
			throw new IllegalArgumentException("Field '%s' cannot be set".formatted(field), ex);
		}
	}

	private static final class NoFields implements ExclusionStrategy {

		@Override
		public boolean shouldSkipField(FieldAttributes field) {
			return true;
		}

		@Override
		public boolean shouldSkipClass(Class<?> type) {
			return false;
		}

	}

}
