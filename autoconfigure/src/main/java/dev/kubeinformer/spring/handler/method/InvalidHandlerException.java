package dev.kubeinformer.spring.handler.method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a bean annotated with {@code @InformerHandler} cannot be a handler.
 */
public class InvalidHandlerException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String beanName;

	public InvalidHandlerException(AnnotatedBean<InformerHandler> bean, String problem, String action) {
		this(bean, problem, action, null);
	}

	public InvalidHandlerException(AnnotatedBean<InformerHandler> bean, String problem, String action,
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
