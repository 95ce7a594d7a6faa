package dev.kubeinformer.spring.reconciler;

import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;

/**
 * Thrown when the id of a reconciler is taken.
 */
public class DuplicateReconcilerIdException extends InvalidReconcilerException {

	private static final long serialVersionUID = 1L;

	DuplicateReconcilerIdException(AnnotatedBean<Reconciler> bean, String id, String takenBy) {
		super(bean, "has the id '%s', which is taken by %s; case, '-' and '_' do not count".formatted(id, takenBy),
				"Give the reconciler another id: @Reconciler(id = \"...\"). "
						+ "Reconcilers, handlers and informers are found by one id each; informers have the name of their resource.");
	}

}
