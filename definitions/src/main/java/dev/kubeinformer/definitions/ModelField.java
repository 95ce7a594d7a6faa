package dev.kubeinformer.definitions;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import com.google.gson.annotations.SerializedName;
import org.jspecify.annotations.Nullable;

/**
 * Field of a model class that Gson writes.
 *
 * @param name the name in JSON
 * @param field the field
 * @param shape the type of the field
 * @param elements the elements that may have annotations: the field, its record component
 * and its getter
 */
record ModelField(String name, Field field, TypeShape shape, List<AnnotatedElement> elements) {

	/**
	 * Lists the fields of a class, those of superclasses first.
	 * @param shape the class
	 * @param path the place of the class, for messages
	 * @return the fields
	 */
	static List<ModelField> of(TypeShape shape, FieldPath path) {
		List<TypeShape> classes = new ArrayList<>();
		for (TypeShape each = shape; each != null; each = each.superclass()) {
			classes.add(0, each);
		}
		Map<String, ModelField> fields = new LinkedHashMap<>();
		for (TypeShape each : classes) {
			for (Field field : each.type().getDeclaredFields()) {
				if (!isWritten(field)) {
					continue;
				}
				SerializedName serialized = field.getAnnotation(SerializedName.class);
				String name = (serialized != null) ? serialized.value() : field.getName();
				TypeShape type = TypeShape.of(field.getAnnotatedType(), each.variables());
				ModelField twin = fields.put(name, new ModelField(name, field, type, elements(field)));
				if (twin != null) {
					throw path.field(name)
						.invalid("is declared by '%s' and by '%s'".formatted(twin.field.getDeclaringClass().getName(),
								each.type().getName()), "rename one of the two by @SerializedName");
				}
			}
		}
		return List.copyOf(fields.values());
	}

	private static boolean isWritten(Field field) {
		// Kotlin adds the last for "by".
		return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
				&& !field.isSynthetic() && !field.getName().endsWith("$delegate");
	}

	private static List<AnnotatedElement> elements(Field field) {
		Class<?> type = field.getDeclaringClass();
		List<AnnotatedElement> elements = new ArrayList<>();
		elements.add(field);
		KotlinModel kotlin = KotlinModel.of(type);
		AnnotatedElement parameter = (kotlin != null) ? kotlin.annotations(field) : null;
		if (parameter != null) {
			elements.add(parameter);
		}
		if (type.isRecord()) {
			Arrays.stream(type.getRecordComponents())
				.filter((component) -> component.getName().equals(field.getName()))
				.flatMap((RecordComponent component) -> Stream.of(component, component.getAccessor()))
				.forEach(elements::add);
			return elements;
		}
		String suffix = field.getName().substring(0, 1).toUpperCase(Locale.ROOT) + field.getName().substring(1);
		for (String name : List.of("get" + suffix, "is" + suffix)) {
			try {
				Method getter = type.getDeclaredMethod(name);
				if (getter.getReturnType() == field.getType()) {
					elements.add(getter);
				}
			}
			catch (NoSuchMethodException ex) {
				// Getters are optional.
			}
		}
		return elements;
	}

	<A extends Annotation> @Nullable A annotation(Class<A> annotation) {
		return this.elements.stream()
			.map((element) -> element.getAnnotation(annotation))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	<A extends Annotation> List<A> annotations(Class<A> annotation) {
		return this.elements.stream()
			.flatMap((element) -> Arrays.stream(element.getAnnotationsByType(annotation)))
			.distinct()
			.toList();
	}

	boolean has(Class<? extends Annotation> annotation) {
		return annotation(annotation) != null;
	}

	/**
	 * Returns all annotations of the field, its type, its record component and its
	 * getter.
	 * @return the annotations, each once
	 */
	List<Annotation> annotations() {
		return Stream
			.concat(this.elements.stream().flatMap((element) -> Arrays.stream(element.getAnnotations())),
					this.shape.annotations().stream())
			.distinct()
			.toList();
	}

}
