package dev.kubeinformer.spring.handler.method;

import dev.kubeinformer.spring.bean.ConditionFailedException;

/**
 * Thrown to the error handler when the condition of a handler's method cannot be
 * evaluated for an event. It contains the class of the failure but no cause, because the
 * cause's message may quote the object and would be logged.
 */
public class HandlerConditionException extends ConditionFailedException {

	private static final long serialVersionUID = 1L;

	HandlerConditionException(String condition, Exception failure) {
		super(condition, failure);
	}

}
