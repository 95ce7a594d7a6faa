package dev.kubeinformer.spring.reconciler;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.resource.ResourceType;

/**
 * Maker of what stands between a work queue and the bean that reconciles its keys, for
 * what is to happen around each run. Of several, those that come first in order are the
 * outer ones.
 */
public interface ReconcilerDecorator {

	/**
	 * Decorates what calls a reconciler.
	 * @param <T> the model class of the primary
	 * @param function calls the reconciler
	 * @param id the id of the reconciler
	 * @param type the resource of the primary
	 * @param cleanup whether the function is the cleanup of objects that are being
	 * deleted
	 * @return what is called instead
	 */
	<T extends KubernetesObject> ReconcileFunction<T> decorate(ReconcileFunction<T> function, String id,
			ResourceType<T> type, boolean cleanup);

}
