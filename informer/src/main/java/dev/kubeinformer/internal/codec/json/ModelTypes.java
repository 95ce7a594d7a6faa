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
 * Types that the type variables in a class of models and in its superclasses stand for.
 */
final class ModelTypes {

	private final Map<TypeVariable<?>, Type> variables = new HashMap<>();

	/**
	 * Looks at a class.
	 * @param model the class, with the types for its parameters if it has some
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
	 * Returns a type without variables and wildcards.
	 * @param type the type, as a field has it
	 * @return what they stand for
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
		// A bound may name its own variable.
		return (known != null) ? known : raw(((TypeVariable<?>) type).getBounds()[0]);
	}

	// Those of the official models. Nothing is built for them.
	private static boolean isPlain(Type type) {
		return type instanceof Class || (type instanceof ParameterizedType generic
				&& Arrays.stream(generic.getActualTypeArguments()).allMatch(ModelTypes::isPlain));
	}

}
