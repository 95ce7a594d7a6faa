package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import com.google.gson.reflect.TypeToken;

/**
 * Type arguments of a model class and of its superclasses. They replace type variables in
 * the types of fields.
 */
final class ModelTypes {

	private final Map<TypeVariable<?>, Type> variables = new HashMap<>();

	/**
	 * Reads the type arguments of a class.
	 * @param model the class, with type arguments if it has type parameters
	 */
	ModelTypes(Type model) {
		Type each = model;
		while (each != null && raw(each) != Object.class) {
			Class<?> raw = raw(each);
			if (each instanceof ParameterizedType generic) {
				TypeVariable<?>[] parameters = raw.getTypeParameters();
				for (int i = 0; i < parameters.length; i++) {
					this.variables.put(parameters[i], resolve(generic.getActualTypeArguments()[i]));
				}
			}
			each = raw.getGenericSuperclass();
		}
	}

	/**
	 * Returns the class of a type.
	 * @param type the type
	 * @return its erasure
	 */
	static Class<?> raw(Type type) {
		return (type instanceof Class<?> known) ? known : TypeToken.get(type).getRawType();
	}

	/**
	 * Replaces the variables and wildcards in a type.
	 * @param type the type of a field
	 * @return the type without them
	 */
	Type resolve(Type type) {
		if (isPlain(type)) {
			return type;
		}
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = Arrays.stream(generic.getActualTypeArguments()).map(this::resolve).toArray(Type[]::new);
			return TypeToken.getParameterized(generic.getRawType(), arguments).getType();
		}
		if (type instanceof GenericArrayType array) {
			Type component = resolve(array.getGenericComponentType());
			return (component instanceof Class<?> known) ? known.arrayType() : TypeToken.getArray(component).getType();
		}
		if (type instanceof WildcardType wildcard) {
			return resolve(wildcard.getUpperBounds()[0]);
		}
		Type known = this.variables.get(type);
		// A bound may refer to its own variable.
		return (known != null) ? known : raw(((TypeVariable<?>) type).getBounds()[0]);
	}

	// Returns whether a type has no variables, as in official models, and need not be
	// rebuilt.
	private static boolean isPlain(Type type) {
		return type instanceof Class || (type instanceof ParameterizedType generic
				&& Arrays.stream(generic.getActualTypeArguments()).allMatch(ModelTypes::isPlain));
	}

}
