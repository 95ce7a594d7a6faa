package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.settings.ModelType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Reads the signature of a method that maps objects to keys of primaries.
 *
 * @param methods the finder of invocable methods
 */
record MapMethodReader(BeanMethods methods) {

	private static final String ALLOWED = """
			Give the method one parameter, the model class of what it watches or Metadata of it, and one of these return types:
			  ObjectKey, Collection<ObjectKey> or Stream<ObjectKey>""";

	/**
	 * Reads a method.
	 * @param bean the bean
	 * @param method the method
	 * @param annotation the annotation of the method
	 * @return the method
	 * @throws InvalidReconcilerException if the signature is not valid
	 */
	MapMethod read(AnnotatedBean<Reconciler> bean, Method method, Watches annotation) {
		RunMethodReader.refuseLater(bean, method, ALLOWED);
		if (!isKeys(bean.returned(method))) {
			throw InvalidReconcilerException.ofMethod(bean, method, "which does not return keys of what it concerns",
					ALLOWED);
		}
		ModelType model = (method.getParameterCount() == 1) ? ModelType.of(bean.parameter(method, 0)) : null;
		if (model == null || model.isOpen()) {
			throw InvalidReconcilerException.ofMethod(bean, method, "whose parameters do not say what it watches",
					ALLOWED);
		}
		return new MapMethod(RunMethodReader.invocable(this.methods, bean, method), model, annotation);
	}

	private static boolean isKeys(ResolvableType returned) {
		return returned.toClass() == ObjectKey.class || isKeys(returned.as(Collection.class).getGeneric(0).resolve())
				|| isKeys(returned.as(Stream.class).getGeneric(0).resolve());
	}

	private static boolean isKeys(@Nullable Class<?> element) {
		return element == ObjectKey.class;
	}

}
