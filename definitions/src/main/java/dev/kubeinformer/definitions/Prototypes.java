package dev.kubeinformer.definitions;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;

import org.jspecify.annotations.Nullable;

/**
 * Creates objects of model classes, to find the initial values of their fields.
 */
final class Prototypes {

	private Prototypes() {
	}

	/**
	 * Creates an object by the constructor without parameters, as Gson does, or with the
	 * defaults of a constructor of Kotlin.
	 * @param type the class
	 * @param variant a number for placeholders; if a value differs between two variants,
	 * it is not an initial value
	 * @param path the place of the class
	 * @return the object; {@code null} if the class does not have the constructor
	 */
	static @Nullable Object create(Class<?> type, int variant, FieldPath path) {
		if (type.isRecord() || Modifier.isAbstract(type.getModifiers())) {
			return null;
		}
		try {
			Constructor<?> constructor = type.getDeclaredConstructor();
			constructor.setAccessible(true);
			return constructor.newInstance();
		}
		catch (NoSuchMethodException ex) {
			KotlinModel kotlin = KotlinModel.of(type);
			return (kotlin != null) ? kotlin.create(variant) : null;
		}
		catch (InvocationTargetException ex) {
			throw path.invalid("is of '%s', whose constructor threw %s".formatted(type.getName(), ex.getCause()),
					"let the constructor without parameters succeed, because Gson calls it, too", ex.getCause());
		}
		catch (ReflectiveOperationException | RuntimeException ex) {
			throw path.invalid("is of '%s', which cannot be created".formatted(type.getName()),
					"open its module to Gson", ex);
		}
	}

	/**
	 * Returns whether an object has a value in a field. Zero in a field of a primitive
	 * type does not count, because each such field has this value at first.
	 * @param field the field
	 * @param instance the object
	 * @return {@code true} if the field was initialised
	 */
	static boolean isSet(ModelField field, Object instance) {
		try {
			field.field().setAccessible(true);
			Object value = field.field().get(instance);
			if (value instanceof Character character && field.field().getType().isPrimitive()) {
				return character != 0;
			}
			return value != null && !(field.field().getType().isPrimitive()
					&& (value.equals(false) || (value instanceof Number number && number.doubleValue() == 0)));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("Field '%s' cannot be read".formatted(field.field()), ex);
		}
	}

}
