package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.settings.ModelType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Method of a bean that maps an object to keys of primaries.
 *
 * @param method the invocable method of the bean
 * @param model the model of the objects
 * @param annotation the annotation
 */
public record MapMethod(Method method, ModelType model, Watches annotation) {

	public Stream<ObjectKey> keys(Object bean, KubernetesObject object) throws Exception {
		Object returned = BeanMethods.invoke(this.method, bean, object);
		if (returned == null) {
			return Stream.empty();
		}
		if (returned instanceof Collection<?> collection) {
			return collection.stream().filter(Objects::nonNull).map(ObjectKey.class::cast);
		}
		return (returned instanceof Stream<?> stream) ? stream.filter(Objects::nonNull).map(ObjectKey.class::cast)
				: Stream.of((ObjectKey) returned);
	}

}
