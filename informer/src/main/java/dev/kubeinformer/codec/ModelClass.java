package dev.kubeinformer.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a class of models, as Gson sees them.
 *
 * @param type the class
 * @param constructor the constructor without parameters; {@code null} if there is none
 * @param values the fields whose values never change themselves
 * @param structures the fields that hold models, collections or anything
 */
record ModelClass(Class<?> type, @Nullable Constructor<?> constructor, List<Field> values, List<Field> structures) {

	private static final Set<Class<?>> VALUES = Set.of(String.class, Integer.class, Long.class, Boolean.class,
			Double.class, OffsetDateTime.class, Quantity.class, IntOrString.class);

	private static final ClassValue<ModelClass> KNOWN = new ClassValue<>() {

		@Override
		protected ModelClass computeValue(Class<?> type) {
			return read(type);
		}

	};

	static ModelClass of(Object model) {
		return KNOWN.get(model.getClass());
	}

	/**
	 * Whether a value that is neither a collection nor a record nor an array has fields
	 * that may be changed, as far as models go.
	 * @param value the value
	 * @return whether it is a model, or a part of one
	 */
	static boolean isModel(Object value) {
		Class<?> type = value.getClass();
		return !(value instanceof Enum) && !VALUES.contains(type) && !type.isArray() && type.getClassLoader() != null
				&& type.getClassLoader() != ClassLoader.getPlatformClassLoader();
	}

	private static ModelClass read(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			for (Field field : each.getDeclaredFields()) {
				if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0 && !field.isSynthetic()) {
					field.setAccessible(true);
					fields.add(field);
				}
			}
		}
		Map<Boolean, List<Field>> byKind = fields.stream()
			.collect(Collectors
				.partitioningBy((field) -> field.getType().isPrimitive() || VALUES.contains(field.getType())));
		return new ModelClass(type, constructor(type), List.copyOf(byKind.get(true)), List.copyOf(byKind.get(false)));
	}

	private static @Nullable Constructor<?> constructor(Class<?> type) {
		try {
			Constructor<?> constructor = type.getDeclaredConstructor();
			constructor.setAccessible(true);
			return constructor;
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

	Object instantiate() {
		if (this.constructor == null) {
			throw new IllegalArgumentException(
					"'%s' has no constructor without parameters, and cannot be copied".formatted(this.type.getName()));
		}
		try {
			return this.constructor.newInstance();
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalArgumentException("'%s' cannot be copied".formatted(this.type.getName()), ex);
		}
	}

	static @Nullable Object get(Field field, Object model) {
		try {
			return field.get(model);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Field '%s' cannot be read".formatted(field), ex);
		}
	}

	static void set(Field field, Object model, @Nullable Object value) {
		try {
			field.set(model, value);
		}
		catch (IllegalAccessException | IllegalArgumentException ex) {
			throw new IllegalArgumentException("Field '%s' cannot be copied".formatted(field), ex);
		}
	}

	/**
	 * A record with other components.
	 * @param record the record
	 * @param change gives the new components; those that do not fit are left out
	 * @return the new record
	 */
	static Record rebuilt(Record record, UnaryOperator<@Nullable Object> change) {
		RecordComponent[] components = record.getClass().getRecordComponents();
		Class<?>[] types = new Class<?>[components.length];
		@Nullable Object[] values = new Object[components.length];
		try {
			for (int i = 0; i < components.length; i++) {
				types[i] = components[i].getType();
				components[i].getAccessor().setAccessible(true);
				Object value = components[i].getAccessor().invoke(record);
				Object changed = change.apply(value);
				values[i] = types[i].isInstance(changed) ? changed : value;
			}
			Constructor<? extends Record> constructor = record.getClass().getDeclaredConstructor(types);
			constructor.setAccessible(true);
			return constructor.newInstance(values);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalArgumentException("A '%s' cannot be copied".formatted(record.getClass().getName()), ex);
		}
	}

}
