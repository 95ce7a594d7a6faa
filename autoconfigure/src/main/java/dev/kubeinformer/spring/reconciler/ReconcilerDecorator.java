package dev.kubeinformer.spring.reconciler;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.resource.ResourceType;

/**
 * Decorates the call of a reconciler bean, to run code around each run. Of several
 * decorators, the one with the lowest order is the outermost.
 */
public interface ReconcilerDecorator {

	/**
	 * Decorates a reconciler.
	 * @param <T> the model class of the primary
	 * @param function the function to decorate
	 * @param id the id of the reconciler
	 * @param type the resource of the primary
	 * @param cleanup {@code true} if the function cleans up objects that are being
	 * deleted
	 * @return the decorated function
	 */
	<T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
			ResourceType<T> type, boolean cleanup);

}
