package dev.kubeinformer.spring.handler.method;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.spring.bean.BeanMethods;

/**
 * Method that is called for one type of event.
 *
 * @param method the invocable method of the bean
 * @param signature the parameter list of the method
 * @param condition the condition under which the method is called; {@code null} for none
 */
record HandlerMethod(Method method, Signature signature, @Nullable HandlerCondition condition) {

	void invoke(Object bean, ResourceEvent<?> event) throws Exception {
		if (this.condition != null && !this.condition.matches(event)) {
			return;
		}
		BeanMethods.invoke(this.method, bean, arguments(event));
	}

	private @Nullable Object[] arguments(ResourceEvent<?> event) {
		return switch (this.signature) {
			case OBJECT -> new Object[] { event.object() };
			case EVENT -> new Object[] { event };
			case BEFORE_AND_AFTER -> new @Nullable Object[] { event.oldObject(), event.object() };
			case OBJECT_AND_FINAL_STATE_UNKNOWN -> new Object[] { event.object(), event.finalStateUnknown() };
		};
	}

	/**
	 * Parameter list of a handler method.
	 */
	enum Signature {

		OBJECT, EVENT, BEFORE_AND_AFTER, OBJECT_AND_FINAL_STATE_UNKNOWN

	}

}
