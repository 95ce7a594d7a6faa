package dev.kubeinformer.spring.reconciler.method;

import dev.kubeinformer.spring.bean.ConditionFailedException;

/**
 * Thrown when the condition of a {@code @Reconcile} method cannot be evaluated for an
 * update. It contains the class of the failure but no cause, because the cause's message
 * may quote the object and would be logged.
 */
public class ReconcilerConditionException extends ConditionFailedException {

	private static final long serialVersionUID = 1L;

	ReconcilerConditionException(String condition, Exception failure) {
		super(condition, failure);
	}

}
