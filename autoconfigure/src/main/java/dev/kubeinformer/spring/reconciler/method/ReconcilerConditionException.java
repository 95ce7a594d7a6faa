package dev.kubeinformer.spring.reconciler.method;

import dev.kubeinformer.spring.bean.ConditionFailedException;

/**
 * Thrown when the condition of a {@code @Reconcile} method cannot be evaluated for an
 * update. The exception names the class of the failure, but does not have the failure as
 * its cause: the message of the failure may quote the object and would be logged.
 */
public class ReconcilerConditionException extends ConditionFailedException {

	private static final long serialVersionUID = 1L;

	ReconcilerConditionException(String condition, Exception failure) {
		super(condition, failure);
	}

}
