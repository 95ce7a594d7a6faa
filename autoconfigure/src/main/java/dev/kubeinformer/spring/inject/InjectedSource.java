package dev.kubeinformer.spring.inject;

import java.lang.reflect.Modifier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.StringUtils;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.Informers;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;

/**
 * Finder of the informer that an injection point asks for: the resource by its generic
 * type, the rest by {@link InformerSource}.
 */
final class InjectedSource {

	private final Informers informers;

	private final InformerSpecs specs;

	private final AnnotationValues values;

	InjectedSource(Informers informers, InformerSpecs specs, AnnotationValues values) {
		this.informers = informers;
		this.specs = specs;
		this.values = values;
	}

	/**
	 * Finds the informer.
	 * @param point where something is injected
	 * @param rawType the class whose type argument is the model class
	 * @return the informer
	 */
	Informer<?> informer(DependencyDescriptor point, Class<?> rawType) {
		return resolve(point, objectClass(point, rawType));
	}

	private <T extends KubernetesObject> Informer<T> resolve(DependencyDescriptor point, Class<T> objectClass) {
		InformerSpec<T> spec = this.specs.create(describe(point), ResourceType.of(objectClass), settings(point));
		return this.informers.informer(spec);
	}

	private static Class<? extends KubernetesObject> objectClass(DependencyDescriptor point, Class<?> rawType) {
		ResolvableType type = point.getResolvableType();
		ResolvableType match = type.as(rawType);
		while (match == ResolvableType.NONE && type.hasGenerics()) {
			// the element of a collection or the value of a map
			type = type.getGeneric(type.getGenerics().length - 1);
			match = type.as(rawType);
		}
		Class<?> objectClass = match.getGeneric(0).resolve();
		if (objectClass == null || Modifier.isAbstract(objectClass.getModifiers())
				|| !KubernetesObject.class.isAssignableFrom(objectClass)) {
			throw new UnresolvableResourceTypeException(describe(point), type.toString());
		}
		return objectClass.asSubclass(KubernetesObject.class);
	}

	private InformerSettings settings(DependencyDescriptor point) {
		InformerSource source = source(point);
		if (source == null) {
			return InformerSettings.none();
		}
		String where = "@InformerSource on " + StringUtils.uncapitalize(describe(point));
		return InformerSettings.source(this.values.namespaces(where, source.namespaces()),
				this.values.labelSelector(where, source.labelSelector()),
				this.values.fieldSelector(where, source.fieldSelector()));
	}

	private static @Nullable InformerSource source(DependencyDescriptor point) {
		MergedAnnotation<InformerSource> annotation = MergedAnnotations.from(point.getAnnotations())
			.get(InformerSource.class);
		return annotation.isPresent() ? annotation.synthesize() : null;
	}

	private static String describe(DependencyDescriptor point) {
		String owner = point.getMember().getDeclaringClass().getName();
		MethodParameter parameter = point.getMethodParameter();
		if (parameter == null) {
			return "Field '%s' of '%s'".formatted(point.getMember().getName(), owner);
		}
		return (parameter.getMethod() != null)
				? "Parameter %d of method '%s' of '%s'".formatted(parameter.getParameterIndex(),
						point.getMember().getName(), owner)
				: "Parameter %d of the constructor of '%s'".formatted(parameter.getParameterIndex(), owner);
	}

}
