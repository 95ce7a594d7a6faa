package dev.kubeinformer.spring.bean;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Checks annotations of methods. An application can compose its own annotations from
 * those of the starter, so a method can have the same annotation of the starter several
 * times. Internal to the starter.
 */
public final class ComposedAnnotations {

	/** Remedy for a method with several annotations of one type. */
	public static final String KEEP_ONE = "Keep one of them, or annotate the method itself, which takes precedence.";

	private ComposedAnnotations() {
	}

	/**
	 * Checks whether a method has several annotations of one type that differ in their
	 * attributes and are equally near in the hierarchy of annotations. Spring would use
	 * only the first one.
	 * @param method the method
	 * @param type the type of the annotation
	 * @return the problem, as a relative clause; {@code null} if there is none
	 */
	public static @Nullable String divided(Method method, Class<? extends Annotation> type) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		MergedAnnotation<?> nearest = annotations.get(type);
		List<? extends MergedAnnotation<?>> equallyNear = annotations.stream(type)
			.filter((each) -> each.getDistance() == nearest.getDistance()
					&& each.getAggregateIndex() == nearest.getAggregateIndex())
			.toList();
		if (equallyNear.size() <= 1 || equallyNear.stream().map(MergedAnnotation::synthesize).distinct().count() == 1) {
			return null;
		}
		return "which has several @%s annotations with different attributes, by %s".formatted(type.getSimpleName(),
				equallyNear.stream()
					.map(MergedAnnotation::getRoot)
					.map((root) -> "@" + root.getType().getSimpleName())
					.distinct()
					.collect(Collectors.joining(" and ")));
	}

}
