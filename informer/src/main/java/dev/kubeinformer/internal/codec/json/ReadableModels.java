package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.ModelClass;
import dev.kubeinformer.resource.UnreadableClassException;

/**
 * Checks whether objects of a class can be read, before the first object arrives. Without
 * this check, the application would start and the objects would be missing from the
 * cache.
 */
public final class ReadableModels {

	private static final String OFFICIAL = V1ObjectMeta.class.getPackageName();

	private final Class<?> objectClass;

	private final GsonValues gson = new GsonValues(true);

	private final Set<Type> seen = new HashSet<>();

	private ReadableModels(Class<?> objectClass) {
		this.objectClass = objectClass;
	}

	/**
	 * Checks a class and all classes that its fields refer to.
	 * @param objectClass the class
	 * @throws UnreadableClassException if objects of it cannot be read
	 */
	public static void check(Class<?> objectClass) {
		if (!isOfficial(objectClass)) {
			new ReadableModels(objectClass).check(objectClass, null);
		}
	}

	private static boolean isOfficial(Class<?> type) {
		return type.getPackageName().equals(OFFICIAL);
	}

	private void check(Type type, @Nullable Field field) {
		if (!this.seen.add(type)) {
			return;
		}
		ValueType found = ValueType.of(type);
		switch (found.kind()) {
			case LIST, SET, MAP -> check(found.content(), field);
			case MODEL -> checkModel(type, found.raw(), field);
			case GSON -> checkGson(type, field);
			case ABSTRACT -> throw unreadable(field, "is of '%s', which is abstract".formatted(found.raw().getName()),
					"Use a class that can be instantiated, or annotate the field with Gson's @JsonAdapter.");
			case PLAIN, ENUM -> {
			}
		}
	}

	private void checkModel(Type type, Class<?> raw, @Nullable Field from) {
		if (isOfficial(raw)) {
			return;
		}
		ModelClass model = ModelClass.of(raw);
		if (!model.isAccessible()) {
			throw unreadable(from, "is of '%s', whose module does not open its package".formatted(raw.getName()),
					"Open it in the module-info: opens %s;".formatted(raw.getPackageName()));
		}
		if (!model.canBeMade()) {
			throw unreadable(from, "is of '%s', which is a class inside of a method".formatted(raw.getName()),
					"Move it out, or give it a constructor without parameters.");
		}
		Field unfillable = model.unfillable();
		if (unfillable != null) {
			throw unreadable(unfillable, "is final, and this JDK does not let it be set",
					"Give '%s' a constructor that takes what its final fields hold, or run with "
						.formatted(raw.getName()) + "--enable-final-field-mutation=ALL-UNNAMED.");
		}
		ModelTypes types = new ModelTypes(type);
		Map<String, Field> names = new HashMap<>();
		for (Field field : model.fields()) {
			for (String name : JsonModel.names(field)) {
				Field other = names.put(name, field);
				if (other != null) {
					throw unreadable(field,
							"has the name '%s' in JSON, as has the field '%s' of '%s'".formatted(name, other.getName(),
									other.getDeclaringClass().getName()),
							"Give one of them another name by @SerializedName, or make it transient.");
				}
			}
			checkField(field, types.resolve(field.getGenericType()));
		}
	}

	private void checkField(Field field, Type type) {
		JsonAdapter annotation = field.getAnnotation(JsonAdapter.class);
		try {
			if (annotation == null || this.gson.value(field, type, annotation) == null) {
				check(type, field);
			}
		}
		catch (UnreadableClassException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw unreadable(field, "cannot be read: " + ex.getMessage(), "Correct its @JsonAdapter.");
		}
	}

	private void checkGson(Type type, @Nullable Field field) {
		if (type instanceof ParameterizedType generic) {
			for (Type argument : generic.getActualTypeArguments()) {
				check(argument, field);
			}
		}
		else if (type instanceof GenericArrayType array) {
			check(array.getGenericComponentType(), field);
		}
		else if (type instanceof Class<?> raw && raw.isArray()) {
			check(raw.getComponentType(), field);
		}
		try {
			this.gson.value(type);
		}
		catch (IllegalArgumentException ex) {
			throw unreadable(field, "is of '%s', which Gson cannot read".formatted(type.getTypeName()),
					"Use a type that Gson reads, or annotate the field with Gson's @JsonAdapter.");
		}
	}

	private UnreadableClassException unreadable(@Nullable Field field, String problem, String advice) {
		String what = (field != null)
				? "the field '%s' of '%s'".formatted(field.getName(), field.getDeclaringClass().getName()) : "it";
		return new UnreadableClassException(this.objectClass, "%s %s.".formatted(what, problem), advice);
	}

}
