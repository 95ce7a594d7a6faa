package dev.kubeinformer.definitions;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;

/**
 * Decides which fields of a class must have a value.
 */
final class Nullness {

	private static final Set<String> NON_NULL = Set.of("org.jspecify.annotations.NonNull",
			"jakarta.validation.constraints.NotNull", "jakarta.validation.constraints.NotEmpty",
			"jakarta.validation.constraints.NotBlank", "jakarta.annotation.Nonnull");

	private final Class<?> type;

	private final Set<String> official;

	Nullness(Class<?> type) {
		this.type = type;
		this.official = OfficialModels.contains(type) ? OfficialModels.required(type) : Set.of();
	}

	boolean isRequired(ModelField field) {
		if (OfficialModels.contains(this.type)) {
			return this.official.contains(field.name());
		}
		List<Annotation> annotations = field.annotations();
		if (annotations.stream().anyMatch((each) -> NON_NULL.contains(each.annotationType().getName()))) {
			return true;
		}
		KotlinModel kotlin = KotlinModel.of(field.field().getDeclaringClass());
		if (kotlin != null) {
			return kotlin.isRequired(field.field());
		}
		return !isNullable(annotations) && !field.field().getType().isPrimitive()
				&& isMarked(field.field().getDeclaringClass());
	}

	static boolean isNullable(List<Annotation> annotations) {
		return annotations.stream().anyMatch((each) -> each.annotationType().getSimpleName().equals("Nullable"));
	}

	private static boolean isMarked(Class<?> type) {
		for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
			if (each.isAnnotationPresent(NullMarked.class)) {
				return true;
			}
			if (each.isAnnotationPresent(NullUnmarked.class)) {
				return false;
			}
		}
		Package home = type.getPackage();
		return (home != null && isMarked(home)) || isMarked(type.getModule());
	}

	private static boolean isMarked(AnnotatedElement element) {
		return element.isAnnotationPresent(NullMarked.class);
	}

}
