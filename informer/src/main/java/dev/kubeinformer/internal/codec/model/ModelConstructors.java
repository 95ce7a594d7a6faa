package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Constructors of a model class.
 *
 * @param plain the constructor without parameters; {@code null} if there is none
 * @param full the constructor with parameters for the values of final fields;
 * {@code null} if there is none or it is not needed
 * @param defaulted the second constructor that Kotlin generates for parameters with
 * default values; {@code null} if there is none. It has additional parameters: bits that
 * select the parameters with default values, and a marker
 * @param fields the field of each parameter of the constructor {@code full}; {@code null}
 * for a parameter without a field
 */
record ModelConstructors(@Nullable Constructor<?> plain, @Nullable Constructor<?> full,
		@Nullable Constructor<?> defaulted, List<@Nullable Field> fields) {

	/** Number of parameters per {@code int} of bits. */
	static final int BITS = 32;

	private static final String KOTLIN = "kotlin.Metadata";

	private static final String MARKER = "kotlin.jvm.internal.DefaultConstructorMarker";

	/**
	 * Finds the constructors of a class. They may be inaccessible.
	 * @param type the class
	 * @param all the fields of the class and its superclasses
	 * @return the constructors
	 */
	static ModelConstructors of(Class<?> type, List<Field> all) {
		Constructor<?> plain = null;
		ModelConstructors best = null;
		Constructor<?>[] constructors = type.getDeclaredConstructors();
		if (constructors.length == 1 && constructors[0].getParameterCount() == 0) {
			return new ModelConstructors(constructors[0], null, null, List.of());
		}
		Arrays.sort(constructors, Comparator.comparing((each) -> -each.getParameterCount()));
		for (Constructor<?> each : constructors) {
			if (each.getParameterCount() == 0) {
				plain = each;
			}
			else if (best == null && !each.isSynthetic()) {
				List<@Nullable Field> fields = fields(each, all);
				best = (fields != null) ? new ModelConstructors(null, each, null, fields) : null;
			}
		}
		if (best == null || (plain != null && best.fields.stream().noneMatch(ModelConstructors::isFinal))) {
			return new ModelConstructors(plain, null, null, List.of());
		}
		return new ModelConstructors(plain, best.full, defaulted(best.full, constructors), best.fields);
	}

	private static @Nullable Constructor<?> defaulted(@Nullable Constructor<?> full, Constructor<?>[] constructors) {
		if (full == null || !isKotlin(full.getDeclaringClass())) {
			return null;
		}
		List<Class<?>> types = new ArrayList<>(List.of(full.getParameterTypes()));
		types.addAll(Collections.nCopies((types.size() + BITS - 1) / BITS, int.class));
		for (Constructor<?> each : constructors) {
			List<Class<?>> taken = List.of(each.getParameterTypes());
			if (each.isSynthetic() && taken.size() == types.size() + 1 && taken.subList(0, types.size()).equals(types)
					&& taken.get(types.size()).getName().equals(MARKER)) {
				return each;
			}
		}
		return null;
	}

	/**
	 * Returns whether a class was compiled by Kotlin.
	 * @param type the class
	 * @return {@code true} if the class has the annotation of Kotlin
	 */
	static boolean isKotlin(Class<?> type) {
		return Arrays.stream(type.getDeclaredAnnotations())
			.anyMatch((each) -> each.annotationType().getName().equals(KOTLIN));
	}

	private static boolean isFinal(@Nullable Field field) {
		return field != null && Modifier.isFinal(field.getModifiers());
	}

	private static @Nullable List<@Nullable Field> fields(Constructor<?> constructor, List<Field> all) {
		Class<?> type = constructor.getDeclaringClass();
		if (type.isRecord()) {
			return ofRecord(constructor, all);
		}
		Parameter[] parameters = constructor.getParameters();
		if (parameters[0].isNamePresent()) {
			return byName(parameters, all);
		}
		// Without names, parameters are matched by their types only if that is
		// unambiguous. Kotlin declares the fields of a data class in the order of its
		// components.
		List<Field> own = Arrays.stream(type.getDeclaredFields()).filter(all::contains).toList();
		return isDataClass(constructor) ? inOrder(parameters, own) : byType(parameters, all);
	}

	private static @Nullable List<@Nullable Field> ofRecord(Constructor<?> constructor, List<Field> all) {
		RecordComponent[] components = constructor.getDeclaringClass().getRecordComponents();
		Class<?>[] types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
		if (!Arrays.equals(types, constructor.getParameterTypes())) {
			return null;
		}
		return Arrays.stream(components).<@Nullable Field>map((each) -> named(each.getName(), all)).toList();
	}

	private static @Nullable List<@Nullable Field> byName(Parameter[] parameters, List<Field> all) {
		Field[] found = new Field[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			Field field = named(parameters[i].getName(), all);
			if (field == null || !parameters[i].getType().isAssignableFrom(field.getType())) {
				return null;
			}
			found[i] = field;
		}
		return List.of(found);
	}

	private static @Nullable Field named(String name, List<Field> all) {
		return all.stream().filter((each) -> each.getName().equals(name)).findFirst().orElse(null);
	}

	private static boolean isDataClass(Constructor<?> constructor) {
		Class<?> type = constructor.getDeclaringClass();
		if (!isKotlin(type)) {
			return false;
		}
		Class<?>[] types = constructor.getParameterTypes();
		for (int i = 0; i < types.length; i++) {
			if (!types[i].equals(component(type, i + 1))) {
				return false;
			}
		}
		return component(type, types.length + 1) == null;
	}

	private static @Nullable Class<?> component(Class<?> type, int number) {
		// The names of internal components end with the name of their module.
		String name = "component" + number;
		return Arrays.stream(type.getDeclaredMethods())
			.filter((each) -> each.getParameterCount() == 0
					&& (each.getName().equals(name) || each.getName().startsWith(name + "$")))
			.<Class<?>>map(Method::getReturnType)
			.findFirst()
			.orElse(null);
	}

	private static @Nullable List<@Nullable Field> inOrder(Parameter[] parameters, List<Field> own) {
		if (own.size() < parameters.length) {
			return null;
		}
		for (int i = 0; i < parameters.length; i++) {
			if (own.get(i).getType() != parameters[i].getType()) {
				return null;
			}
		}
		return List.copyOf(own.subList(0, parameters.length));
	}

	private static @Nullable List<@Nullable Field> byType(Parameter[] parameters, List<Field> all) {
		Set<Class<?>> types = new HashSet<>();
		if (parameters.length != all.size() || !all.stream().allMatch((field) -> types.add(field.getType()))) {
			return null;
		}
		Field[] found = new Field[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			Class<?> type = parameters[i].getType();
			if (!types.remove(type)) {
				return null;
			}
			found[i] = all.stream().filter((each) -> each.getType() == type).findFirst().orElseThrow();
		}
		return List.of(found);
	}

}
