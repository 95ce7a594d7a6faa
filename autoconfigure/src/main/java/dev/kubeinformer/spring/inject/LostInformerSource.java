package dev.kubeinformer.spring.inject;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Finds {@link InformerSource} annotations on fields that Spring does not inject, because
 * it injects a constructor parameter instead. Lombok and Kotlin generate such
 * constructors without copying the annotation.
 */
final class LostInformerSource {

	private static final Set<String> INJECTED = Set.of("org.springframework.beans.factory.annotation.Autowired",
			"jakarta.inject.Inject", "jakarta.annotation.Resource");

	private LostInformerSource() {
	}

	/**
	 * Rejects a parameter that lacks the annotation of its field, because the informer
	 * would be created without the selection in the annotation.
	 * @param point the injection point without the annotation
	 * @param rawType the class whose type argument is the model class
	 * @param model the model
	 * @throws InformerConfigurationException if such a field exists
	 */
	static void refuse(DependencyDescriptor point, Class<?> rawType, ModelType model) {
		Field field = find(point, rawType, model);
		if (field != null) {
			throw new InformerConfigurationException(
					"@InformerSource on field '%s' of '%s' is not read, because Spring does not inject the field. It injects %s, which has no @InformerSource, so that more would be watched than was asked for, or nothing"
						.formatted(field.getName(), field.getDeclaringClass().getName(),
								StringUtils.uncapitalize(InjectedSource.describe(point))),
					"Put @InformerSource on the parameter. Where Lombok writes the constructor, add to lombok.config: "
							+ "'lombok.copyableAnnotations += %s'. In Kotlin write '@param:InformerSource'."
								.formatted(InformerSource.class.getName()));
		}
	}

	private static @Nullable Field find(DependencyDescriptor point, Class<?> rawType, ModelType model) {
		MethodParameter parameter = point.getMethodParameter();
		if (parameter == null || (point.getMember() instanceof Method method
				&& AnnotatedElementUtils.hasAnnotation(method, Bean.class))) {
			return null;
		}
		Class<?> owner = point.getMember().getDeclaringClass();
		List<Field> alike = new ArrayList<>();
		ReflectionUtils.doWithFields(owner, (field) -> {
			if (!Modifier.isStatic(field.getModifiers())
					&& model.equals(Injection.model(ResolvableType.forField(field, owner), rawType))) {
				alike.add(field);
			}
		});
		String name = point.getDependencyName();
		if (alike.stream().anyMatch((field) -> field.getName().equals(name))) {
			alike.removeIf((field) -> !field.getName().equals(name));
		}
		return alike.stream().filter((field) -> isUnread(field, parameter.getExecutable())).findFirst().orElse(null);
	}

	private static boolean isUnread(Field field, Executable filling) {
		MergedAnnotations annotations = MergedAnnotations.from(field);
		return annotations.isPresent(InformerSource.class) && INJECTED.stream().noneMatch(annotations::isPresent)
				&& !isRepeated(field, filling);
	}

	/**
	 * Returns whether a parameter has the same annotation as a field, as in records.
	 * @param field the field
	 * @param filling the constructor or method that sets the field
	 * @return {@code true} if a parameter has the annotation
	 */
	private static boolean isRepeated(Field field, Executable filling) {
		InformerSource source = AnnotatedElementUtils.getMergedAnnotation(field, InformerSource.class);
		return source != null && Stream.of(filling.getParameters())
			.anyMatch((parameter) -> source
				.equals(AnnotatedElementUtils.getMergedAnnotation(parameter, InformerSource.class)));
	}

}
