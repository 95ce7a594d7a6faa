package dev.kubeinformer.spring.reconciler.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.ReconcileRequest;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.annotation.Owns;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.AsyncMethods;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.settings.ModelType;

/**
 * Reads the signature of a method that reconciles or cleans up.
 *
 * @param methods the finder of invocable methods
 */
record RunMethodReader(BeanMethods methods) {

	private static final String ALLOWED = """
			Give the method the return type 'Result' or 'void', and these parameters in any order, where T is the model class of the primaries and C that of objects which they own:
			  one of (T) and (ReconcileRequest<T>)
			  any of Owned<C>, Owned<Metadata<C>> and Reconciliation<T>""";

	/**
	 * Reads a method.
	 * @param bean the bean
	 * @param method the method
	 * @param parameters the collection to which the declarations in the parameters are
	 * added
	 * @return the method
	 * @throws InvalidReconcilerException if the signature is not valid
	 */
	RunMethod read(AnnotatedBean<Reconciler> bean, Method method, Parameters parameters) {
		refuseLater(bean, method, ALLOWED);
		if (method.getReturnType() != void.class && method.getReturnType() != Result.class) {
			throw InvalidReconcilerException.ofMethod(bean, method,
					"whose return type is '%s'; there is 'void', and '%s'".formatted(method.getReturnType().getName(),
							Result.class.getName()),
					ALLOWED);
		}
		List<RunArgument> arguments = new ArrayList<>();
		int objects = 0;
		for (int i = 0; i < method.getParameterCount(); i++) {
			RunArgument argument = argument(bean, method, i, parameters);
			arguments.add(argument);
			objects += (argument == RunArgument.OBJECT || argument == RunArgument.REQUEST) ? 1 : 0;
		}
		if (objects != 1) {
			throw InvalidReconcilerException.ofMethod(bean, method,
					(objects == 0) ? "which takes neither the object nor a request for it"
							: "which takes more than one object or request",
					ALLOWED);
		}
		return new RunMethod(invocable(this.methods, bean, method), List.copyOf(arguments));
	}

	private RunArgument argument(AnnotatedBean<Reconciler> bean, Method method, int index, Parameters parameters) {
		ResolvableType type = bean.parameter(method, index);
		Class<?> raw = type.toClass();
		if (raw == Owned.class) {
			ModelType owned = owned(bean, method, type);
			Owns annotation = AnnotatedElementUtils.getMergedAnnotation(method.getParameters()[index], Owns.class);
			if (annotation != null && annotation.metadataOnly()) {
				throw InvalidReconcilerException.ofMethod(bean, method,
						"whose @Owns says 'metadataOnly' on a parameter of '%s'".formatted(simple(type)),
						"Leave it out, and write the parameter as 'Owned<Metadata<%s>>'."
							.formatted(owned.objectClass().getSimpleName()));
			}
			if (annotation != null && annotation.value() != KubernetesObject.class
					&& annotation.value() != owned.objectClass()) {
				throw InvalidReconcilerException.ofMethod(
						bean, method, "whose @Owns names '%s' on a parameter of '%s'"
							.formatted(annotation.value().getName(), simple(type)),
						"Leave the class out: that of a parameter is its type argument.");
			}
			parameters.owned.add(new OwnedDeclaration(owned, annotation,
					"Parameter %d of '%s' of %s".formatted(index, method.getName(), bean)));
			return RunArgument.owned(owned);
		}
		if (raw == Reconciliation.class || raw == ReconcileRequest.class) {
			parameters.addPrimary(type.getGeneric(0).resolve());
			return (raw == Reconciliation.class) ? RunArgument.RUN : RunArgument.REQUEST;
		}
		if (KubernetesObject.class.isAssignableFrom(raw)) {
			parameters.addPrimary(raw);
			return RunArgument.OBJECT;
		}
		throw InvalidReconcilerException.ofMethod(bean, method,
				"whose parameter %d is of type '%s'".formatted(index, raw.getName()), ALLOWED);
	}

	/**
	 * Rejects a method whose work would continue after its return.
	 * @param bean the bean
	 * @param method the method
	 * @param allowed the allowed signatures
	 * @throws InvalidReconcilerException if the work would continue
	 */
	static void refuseLater(AnnotatedBean<Reconciler> bean, Method method, String allowed) {
		String later = AsyncMethods.later(method);
		if (later != null) {
			throw InvalidReconcilerException.ofMethod(bean, method, "which cannot be called: " + later, allowed);
		}
	}

	private static ModelType owned(AnnotatedBean<Reconciler> bean, Method method, ResolvableType type) {
		ModelType owned = ModelType.of(type.getGeneric(0));
		if (owned == null || owned.isOpen()) {
			throw InvalidReconcilerException.ofMethod(bean, method,
					"whose parameter '%s' has no model class".formatted(simple(type)),
					"Name the model class, such as Owned<V1Deployment> or Owned<Metadata<V1Deployment>>; "
							+ "a class of your own needs @KubernetesResource.");
		}
		return owned;
	}

	private static String simple(ResolvableType type) {
		return type.getType().getTypeName().replaceAll("[\\w.]+[.$](\\w+)", "$1");
	}

	/**
	 * Returns the method through which callers can invoke a method of the bean's class.
	 * @param methods the finder of invocable methods
	 * @param bean the bean
	 * @param method the method of the bean's class
	 * @return the method
	 * @throws InvalidReconcilerException if the bean's proxy does not have the method
	 */
	static Method invocable(BeanMethods methods, AnnotatedBean<Reconciler> bean, Method method) {
		try {
			return methods.invocable(bean, method);
		}
		catch (IllegalStateException ex) {
			throw InvalidReconcilerException.ofMethod(bean, method, "which the bean's proxy does not have",
					BeanMethods.NOT_IN_PROXY, ex);
		}
	}

	/**
	 * Declarations in the parameters of a reconciler's methods.
	 *
	 * @param primaries the classes of primaries, including supertypes
	 * @param owned the declarations of owned objects
	 */
	record Parameters(Set<Class<?>> primaries, List<OwnedDeclaration> owned) {

		private void addPrimary(@Nullable Class<?> type) {
			if (type != null && KubernetesObject.class.isAssignableFrom(type)) {
				this.primaries.add(type);
			}
		}

	}

}
