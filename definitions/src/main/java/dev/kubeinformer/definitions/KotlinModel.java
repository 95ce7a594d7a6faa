package dev.kubeinformer.definitions;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KCallable;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.KProperty1;
import kotlin.reflect.full.KClasses;
import kotlin.reflect.jvm.KCallablesJvm;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.jspecify.annotations.Nullable;

/**
 * Kotlin class of a model. It is read with kotlin-reflect, which is an optional
 * dependency.
 */
final class KotlinModel {

	private static final int DEPTH = 20;

	private final KClass<?> type;

	private final @Nullable KFunction<?> constructor;

	private KotlinModel(Class<?> type) {
		this.type = JvmClassMappingKt.getKotlinClass(type);
		this.constructor = KClasses.getPrimaryConstructor(this.type);
	}

	/**
	 * Reads a class.
	 * @param type the class
	 * @return the class; {@code null} if it is not a Kotlin class, or if kotlin-reflect
	 * is absent
	 */
	static @Nullable KotlinModel of(Class<?> type) {
		for (var annotation : type.getDeclaredAnnotations()) {
			if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
				return isPresent() ? new KotlinModel(type) : null;
			}
		}
		return null;
	}

	private static boolean isPresent() {
		try {
			Class.forName("kotlin.reflect.full.KClasses", false, KotlinModel.class.getClassLoader());
			return true;
		}
		catch (ClassNotFoundException ex) {
			return false;
		}
	}

	/**
	 * Returns whether a field must have a value: the type of its property is not
	 * nullable, and nothing initialises it.
	 * @param field a field of the class
	 * @return {@code true} if an object cannot be made without a value
	 */
	boolean isRequired(Field field) {
		KProperty1<?, ?> property = property(field);
		if (property == null || property.getReturnType().isMarkedNullable()) {
			return false;
		}
		KParameter parameter = parameter(field);
		return (parameter != null) ? !parameter.isOptional() : property.isLateinit();
	}

	/**
	 * Returns the parameter of the primary constructor that sets a field. Kotlin puts
	 * annotations of a property there.
	 * @param field a field of the class
	 * @return the parameter; {@code null} if there is none
	 */
	@Nullable AnnotatedElement annotations(Field field) {
		KParameter parameter = parameter(field);
		Constructor<?> java = (this.constructor != null) ? ReflectJvmMapping.getJavaConstructor(this.constructor)
				: null;
		return (parameter != null && java != null) ? java.getParameters()[parameter.getIndex()] : null;
	}

	private @Nullable KParameter parameter(Field field) {
		if (this.constructor == null) {
			return null;
		}
		return this.constructor.getParameters()
			.stream()
			.filter((parameter) -> field.getName().equals(parameter.getName()))
			.findFirst()
			.orElse(null);
	}

	private @Nullable KProperty1<?, ?> property(Field field) {
		for (KProperty1<?, ?> property : KClasses.getDeclaredMemberProperties(this.type)) {
			if (field.getName().equals(property.getName())) {
				return property;
			}
		}
		return null;
	}

	/**
	 * Creates an object whose optional parameters have their defaults, and all others a
	 * placeholder.
	 * @param variant a number that the placeholders depend on
	 * @return the object; {@code null} if there is no placeholder, or if the class does
	 * not accept it
	 */
	@Nullable Object create(int variant) {
		try {
			return create(this.constructor, variant, 0);
		}
		catch (RuntimeException | ReflectiveOperationException ex) {
			return null;
		}
	}

	private static Object create(@Nullable KFunction<?> constructor, int variant, int depth)
			throws ReflectiveOperationException {
		if (constructor == null || depth > DEPTH) {
			throw new InstantiationException("There is no constructor");
		}
		Map<KParameter, @Nullable Object> arguments = new HashMap<>();
		for (KParameter parameter : constructor.getParameters()) {
			if (!parameter.isOptional()) {
				arguments.put(parameter, parameter.getType().isMarkedNullable() ? null : placeholder(
						(KClass<?>) Objects.requireNonNull(parameter.getType().getClassifier()), variant, depth));
			}
		}
		KCallablesJvm.setAccessible((KCallable<?>) constructor, true);
		return Objects.requireNonNull(constructor.callBy(arguments));
	}

	private static Object placeholder(KClass<?> type, int variant, int depth) throws ReflectiveOperationException {
		Class<?> java = JvmClassMappingKt.getJavaObjectType(type);
		if (java == String.class) {
			return String.valueOf((char) ('a' + variant));
		}
		if (java == Integer.class || java == Long.class || java == Double.class) {
			return (java == Integer.class) ? (Object) (variant + 1)
					: (java == Long.class) ? (Object) (variant + 1L) : (Object) (variant + 1.0);
		}
		if (java == Boolean.class) {
			return variant > 0;
		}
		if (java.isEnum()) {
			Object[] constants = Objects.requireNonNull(java.getEnumConstants());
			return constants[variant % constants.length];
		}
		if (Collection.class.isAssignableFrom(java) && java.isAssignableFrom(List.class)) {
			return List.of();
		}
		if (java == Map.class) {
			return Map.of();
		}
		KFunction<?> constructor = KClasses.getPrimaryConstructor(type);
		return (constructor != null) ? create(constructor, variant, depth + 1)
				: java.getDeclaredConstructor().newInstance();
	}

}
