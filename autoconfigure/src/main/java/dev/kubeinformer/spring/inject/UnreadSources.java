package dev.kubeinformer.spring.inject;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ReflectionUtils;

import dev.kubeinformer.spring.annotation.InformerSource;

/**
 * Finder of {@link InformerSource} annotations that stayed on a field when Lombok, Kotlin
 * or a programmer made a parameter of it.
 */
final class UnreadSources {

	private static final Set<String> INJECTED = Set.of("org.springframework.beans.factory.annotation.Autowired",
			"jakarta.inject.Inject", "jakarta.annotation.Resource");

	private UnreadSources() {
	}

	/**
	 * Finds the field whose annotation a parameter lacks.
	 * @param point where something is injected, without the annotation
	 * @param rawType the class whose type argument is the model class
	 * @param objectClass the model class
	 * @return the field; {@code null} if there is none
	 */
	static @Nullable Field find(DependencyDescriptor point, Class<?> rawType, Class<?> objectClass) {
		if (point.getMethodParameter() == null || (point.getMember() instanceof Method method
				&& AnnotatedElementUtils.hasAnnotation(method, Bean.class))) {
			return null;
		}
		Class<?> owner = point.getMember().getDeclaringClass();
		List<Field> alike = new ArrayList<>();
		ReflectionUtils.doWithFields(owner, (field) -> {
			if (!Modifier.isStatic(field.getModifiers())
					&& Injection.objectClass(ResolvableType.forField(field, owner), rawType) == objectClass) {
				alike.add(field);
			}
		});
		String parameter = point.getDependencyName();
		if (alike.stream().anyMatch((field) -> field.getName().equals(parameter))) {
			alike.removeIf((field) -> !field.getName().equals(parameter));
		}
		return alike.stream().filter(UnreadSources::isUnread).findFirst().orElse(null);
	}

	private static boolean isUnread(Field field) {
		MergedAnnotations annotations = MergedAnnotations.from(field);
		return annotations.isPresent(InformerSource.class) && INJECTED.stream().noneMatch(annotations::isPresent);
	}

}
