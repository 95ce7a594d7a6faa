package dev.kubeinformer.definitions;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Type of a field without type variables and wildcards, with the annotations of the type
 * and of its type arguments.
 *
 * @param type the class
 * @param arguments the type arguments; the component of an array; none of a raw type
 * @param annotations the annotations of the type itself
 */
record TypeShape(Class<?> type, List<TypeShape> arguments, List<Annotation> annotations) {

	static TypeShape of(Class<?> type) {
		return new TypeShape(type, List.of(), List.of());
	}

	/**
	 * Resolves the type of a field.
	 * @param annotated the type
	 * @param variables the types that variables stand for
	 * @return the resolved type
	 */
	static TypeShape of(AnnotatedType annotated, Map<TypeVariable<?>, TypeShape> variables) {
		List<Annotation> annotations = List.of(annotated.getAnnotations());
		if (annotated instanceof AnnotatedArrayType array) {
			TypeShape component = of(array.getAnnotatedGenericComponentType(), variables);
			return new TypeShape(component.type.arrayType(), List.of(component), annotations);
		}
		if (annotated instanceof AnnotatedParameterizedType generic) {
			List<TypeShape> arguments = Arrays.stream(generic.getAnnotatedActualTypeArguments())
				.map((argument) -> of(argument, variables))
				.toList();
			return new TypeShape(erasure(generic.getType()), arguments, annotations);
		}
		if (annotated instanceof AnnotatedWildcardType wildcard) {
			return of(wildcard.getAnnotatedUpperBounds()[0], variables).with(annotations);
		}
		if (annotated instanceof AnnotatedTypeVariable variable) {
			TypeShape known = variables.get((TypeVariable<?>) variable.getType());
			return ((known != null) ? known : of(erasure(variable.getType()))).with(annotations);
		}
		return new TypeShape(erasure(annotated.getType()), List.of(), annotations);
	}

	private TypeShape with(List<Annotation> more) {
		return more.isEmpty() ? this : new TypeShape(this.type, this.arguments,
				Stream.concat(this.annotations.stream(), more.stream()).toList());
	}

	private static Class<?> erasure(Type type) {
		if (type instanceof Class<?> known) {
			return known;
		}
		if (type instanceof ParameterizedType generic) {
			return erasure(generic.getRawType());
		}
		if (type instanceof GenericArrayType array) {
			return erasure(array.getGenericComponentType()).arrayType();
		}
		if (type instanceof WildcardType wildcard) {
			return erasure(wildcard.getUpperBounds()[0]);
		}
		return erasure(((TypeVariable<?>) type).getBounds()[0]);
	}

	/**
	 * Returns the type arguments that a superclass or interface has in this type.
	 * @param supertype the superclass or interface
	 * @return its arguments; {@code null} if this type does not have it
	 */
	@Nullable List<TypeShape> argumentsOf(Class<?> supertype) {
		if (this.type == supertype) {
			return this.arguments;
		}
		Map<TypeVariable<?>, TypeShape> variables = variables();
		return supertypes(this.type).map((each) -> of(each, variables).argumentsOf(supertype))
			.filter((found) -> found != null)
			.findFirst()
			.orElse(null);
	}

	private static Stream<AnnotatedType> supertypes(Class<?> type) {
		AnnotatedType superclass = type.getAnnotatedSuperclass();
		return Stream.concat((superclass != null) ? Stream.of(superclass) : Stream.empty(),
				Arrays.stream(type.getAnnotatedInterfaces()));
	}

	/**
	 * Returns the types that the variables of the class stand for.
	 * @return the types by variable
	 */
	Map<TypeVariable<?>, TypeShape> variables() {
		Map<TypeVariable<?>, TypeShape> variables = new HashMap<>();
		TypeVariable<?>[] parameters = this.type.getTypeParameters();
		for (int i = 0; i < Math.min(parameters.length, this.arguments.size()); i++) {
			variables.put(parameters[i], this.arguments.get(i));
		}
		return variables;
	}

	/**
	 * Returns the superclass with its type arguments.
	 * @return the superclass; {@code null} above {@code Object}
	 */
	@Nullable TypeShape superclass() {
		AnnotatedType superclass = this.type.getAnnotatedSuperclass();
		return (superclass != null && this.type.getSuperclass() != Object.class) ? of(superclass, variables()) : null;
	}

	@Override
	public String toString() {
		return this.type.getName() + (this.arguments.isEmpty() ? "" : this.arguments);
	}

}
