package dev.kubeinformer.spring.reconciler.method;

import dev.kubeinformer.spring.bean.ConditionFailedException;

/**
 * Thrown when the condition of a {@code @Reconcile} method cannot be evaluated for an
 * update. It names the kind of the failure and has no cause, for the message of that may
 * quote the object and would reach the log.
 */
public class ReconcilerConditionException extends ConditionFailedException {

	private static final long serialVersionUID = 1L;

	ReconcilerConditionException(String condition, Exception failure) {
		super(condition, failure);
	}

}
