package dev.kubeinformer.spring.handler.container;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import dev.kubeinformer.handler.ExhaustedHandler;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;

/**
 * Finds the {@link InformerErrorHandler} of a handler. It is the bean that the settings
 * of the handler name, otherwise the only or primary bean of this type.
 *
 * @param beanFactory the beans of the context
 */
record ErrorHandlers(ConfigurableListableBeanFactory beanFactory) {

	/**
	 * Finds the error handler of a handler bean. The bean of the error handler is created
	 * when an event is exhausted for the first time.
	 * @param bean the handler
	 * @param id the id of the handler
	 * @param name the name of the error handler; {@code null} if the settings do not name
	 * one
	 * @return the supplier of the error handler, or of {@code null} if there is none
	 */
	Supplier<@Nullable InformerErrorHandler> find(AnnotatedBean<InformerHandler> bean, String id,
			@Nullable String name) {
		if (name == null) {
			return () -> this.beanFactory.getBeanProvider(InformerErrorHandler.class).getIfUnique();
		}
		if (!this.beanFactory.containsBean(name) || !this.beanFactory.isTypeMatch(name, InformerErrorHandler.class)) {
			throw new InvalidHandlerException(bean,
					"names the error handler '%s', which is not a bean of type 'InformerErrorHandler'".formatted(name),
					action(id));
		}
		return () -> this.beanFactory.getBean(name, InformerErrorHandler.class);
	}

	/**
	 * Returns the error handler for exhausted events of a registered handler. It first
	 * calls the callback in the handler's options, then the only or primary bean.
	 * @param first the callback in the options
	 * @return the supplier of the error handler
	 */
	Supplier<@Nullable InformerErrorHandler> after(ExhaustedHandler first) {
		return () -> (event, failure, handler) -> {
			first.exhausted(event, failure);
			InformerErrorHandler bean = this.beanFactory.getBeanProvider(InformerErrorHandler.class).getIfUnique();
			if (bean != null) {
				bean.handle(event, failure, handler);
			}
		};
	}

	private String action(String id) {
		List<String> names = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory,
				InformerErrorHandler.class, true, false));
		return names.isEmpty() ? "Add a bean of that type: the application has none."
				: "Correct 'errorHandler' of its @InformerHandler, or 'kubernetes.informers.handlers.%s.error-handler', to one of '%s'."
					.formatted(id, String.join("', '", names));
	}

}
