package dev.kubeinformer.spring.reconciler;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a bean annotated with {@code @Reconciler} cannot be a reconciler.
 */
public class InvalidReconcilerException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String beanName;

	InvalidReconcilerException(AnnotatedBean<Reconciler> bean, String problem, String action) {
		this(bean, problem, action, null);
	}

	InvalidReconcilerException(AnnotatedBean<Reconciler> bean, String problem, String action,
			@Nullable Throwable cause) {
		super("%s %s".formatted(bean, problem), action, cause);
		this.beanName = bean.name();
	}

	/**
	 * Returns the name of the bean.
	 * @return the name
	 */
	public String getBeanName() {
		return this.beanName;
	}

}
