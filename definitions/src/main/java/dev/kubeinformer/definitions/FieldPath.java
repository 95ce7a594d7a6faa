package dev.kubeinformer.definitions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Place of a value in the objects of a class: the path of its field, and the model
 * classes on this path.
 *
 * @param objectClass the class of the objects
 * @param path the path, such as {@code spec.ports[].name}; empty for the object itself
 * @param classes the types of the models from the object to the value
 */
record FieldPath(Class<?> objectClass, String path, List<String> classes) {

	private static final int DEPTH = 60;

	static FieldPath of(Class<?> objectClass) {
		return new FieldPath(objectClass, "", List.of());
	}

	FieldPath field(String name) {
		return new FieldPath(this.objectClass, this.path.isEmpty() ? name : this.path + "." + name, this.classes);
	}

	FieldPath element() {
		return new FieldPath(this.objectClass, this.path + "[]", this.classes);
	}

	FieldPath value() {
		return new FieldPath(this.objectClass, this.path + ".*", this.classes);
	}

	/**
	 * Returns the same place, in which a model class begins. Fields of this class are
	 * then added to the path.
	 * @param type the class
	 * @return the place
	 * @throws InvalidDefinitionException if the class contains itself
	 */
	FieldPath in(TypeShape type) {
		// Type arguments can nest without end, such as in class A<T> { A<List<T>> a; }.
		if (this.classes.contains(type.toString()) || this.classes.size() > DEPTH) {
			throw invalid(
					"contains '%s' in itself, and a definition cannot describe recursion"
						.formatted(type.type().getName()),
					"end it by a Map<String, Object> or @JsonAdapter, or refer to the inner object by name");
		}
		List<String> more = new ArrayList<>(this.classes);
		more.add(type.toString());
		return new FieldPath(this.objectClass, this.path, Collections.unmodifiableList(more));
	}

	boolean isRoot() {
		return this.path.isEmpty();
	}

	InvalidDefinitionException invalid(String problem, String advice) {
		return invalid(problem, advice, null);
	}

	InvalidDefinitionException invalid(String problem, String advice, @Nullable Throwable cause) {
		return new InvalidDefinitionException(this.objectClass, this.path, problem, advice, cause);
	}

}
