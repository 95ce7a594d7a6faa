package dev.kubeinformer.spring.inject;

import java.lang.reflect.Field;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;
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
import dev.kubeinformer.spring.settings.Setting;

/**
 * Finder of the informer that an injection point asks for: the resource by its generic
 * type, the rest by {@link InformerSource}.
 */
final class InjectedSource {

	private final Informers informers;

	private final InformerSpecs specs;

	private final AnnotationValues values;

	private final InjectedInformers injected;

	InjectedSource(Informers informers, InformerSpecs specs, AnnotationValues values, InjectedInformers injected) {
		this.informers = informers;
		this.specs = specs;
		this.values = values;
		this.injected = injected;
	}

	/**
	 * Finds the informer.
	 * @param point where something is injected
	 * @param rawType the class whose type argument is the model class
	 * @return the informer
	 */
	Informer<?> informer(DependencyDescriptor point, Class<?> rawType) {
		Informer<?> informer = resolve(point, rawType, objectClass(point, rawType));
		this.injected.injected(point, rawType, informer);
		return informer;
	}

	private <T extends KubernetesObject> Informer<T> resolve(DependencyDescriptor point, Class<?> rawType,
			Class<T> objectClass) {
		InformerSpec<T> spec = this.specs.create(describe(point), ResourceType.of(objectClass),
				settings(point, rawType, objectClass));
		return this.informers.informer(spec);
	}

	private static Class<? extends KubernetesObject> objectClass(DependencyDescriptor point, Class<?> rawType) {
		Class<? extends KubernetesObject> objectClass = Injection.objectClass(point.getResolvableType(), rawType);
		if (objectClass == null) {
			throw new UnresolvableResourceTypeException(describe(point), point.getResolvableType().toString());
		}
		return objectClass;
	}

	private InformerSettings settings(DependencyDescriptor point, Class<?> rawType, Class<?> objectClass) {
		InformerSource source = source(point);
		if (source == null) {
			Field unread = UnreadSources.find(point, rawType, objectClass);
			if (unread != null) {
				throw new UnreadInformerSourceException(unread, StringUtils.uncapitalize(describe(point)));
			}
			return InformerSettings.none();
		}
		String where = "@InformerSource on " + StringUtils.uncapitalize(describe(point));
		return this.values.read(where, AnnotationUtils.getAnnotationAttributes(source), Setting.SELECTION);
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
