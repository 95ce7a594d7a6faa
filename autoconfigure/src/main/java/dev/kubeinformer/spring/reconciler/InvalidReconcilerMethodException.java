package dev.kubeinformer.spring.reconciler;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.BeanMethods;

/**
 * Thrown when an annotated method of a reconciler cannot be called.
 */
public class InvalidReconcilerMethodException extends InvalidReconcilerException {

	private static final long serialVersionUID = 1L;

	static final String RUN = """
			Give the method the return type 'Result' or 'void', and these parameters in any order, where T is the model class of the primaries and C that of objects which they own:
			  one of (T) and (ReconcileRequest<T>)
			  any of Owned<C>, Owned<Metadata<C>> and Reconciliation<T>""";

	static final String WATCHES = """
			Give the method one parameter, the model class of what it watches or Metadata of it, and one of these return types:
			  ObjectKey, Collection<ObjectKey> or Stream<ObjectKey>""";

	private final transient Method method;

	InvalidReconcilerMethodException(AnnotatedBean<Reconciler> bean, Method method, String problem, String action,
			@Nullable Throwable cause) {
		super(bean, "has the method '%s', %s".formatted(BeanMethods.describe(bean, method), problem), action, cause);
		this.method = method;
	}

	InvalidReconcilerMethodException(AnnotatedBean<Reconciler> bean, Method method, String problem, String action) {
		this(bean, method, problem, action, null);
	}

	/**
	 * Returns the method in question.
	 * @return the method
	 */
	public Method getMethod() {
		return this.method;
	}

}
