package dev.kubeinformer.internal.codec.model;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Models with something in every field.
 */
public final class FilledModels {

	private FilledModels() {
	}

	/**
	 * Returns a model of which every field has a value, unless that would be endless.
	 * @param <T> the class
	 * @param type the class
	 * @param around the classes of the models that it is in
	 * @return the model
	 * @throws Exception if it cannot be made
	 */
	public static <T> T filled(Class<T> type, Set<Class<?>> around) throws Exception {
		T model = type.getDeclaredConstructor().newInstance();
		Set<Class<?>> inside = new HashSet<>(around);
		inside.add(type);
		for (Field field : fields(type)) {
			Object value = value(field.getGenericType(), inside);
			if (value != null) {
				field.set(model, value);
			}
		}
		return model;
	}

	private static @Nullable Object value(Type type, Set<Class<?>> around) throws Exception {
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			Object content = value(arguments[arguments.length - 1], around);
			if (content == null) {
				return null;
			}
			return (generic.getRawType() == Map.class) ? Map.of("key", content)
					: (generic.getRawType() == Set.class) ? Set.of(content) : List.of(content);
		}
		Map<Class<?>, Object> simple = Map.of(String.class, "text", Integer.class, 7, Long.class, 8L, Boolean.class,
				true, Double.class, 1.5, OffsetDateTime.class, OffsetDateTime.parse("2026-01-02T03:04:05.678901Z"),
				Quantity.class, Quantity.fromString("1500m"), IntOrString.class, new IntOrString(80), Object.class,
				Map.of("free", List.of("form", 2.0)), byte[].class, new byte[] { 1, 2, 3 });
		Object value = simple.get(type);
		return (value != null || around.contains(type)) ? value : filled((Class<?>) type, around);
	}

	static List<Field> fields(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
			Stream.of(each.getDeclaredFields())
				.filter((field) -> (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
				.peek((field) -> field.setAccessible(true))
				.forEach(fields::add);
		}
		return fields;
	}

}
