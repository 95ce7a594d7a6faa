package dev.kubeinformer.spring.autoconfigure.model;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;

/**
 * Transform that changes objects of a class before they are cached, for example to drop
 * unused fields. A bean of this type applies to all informers on the class, in all
 * clusters: those of handlers, reconcilers, injected listers and informers, and
 * {@code Informers}. Several transforms for one class are called in order. The bean
 * method must declare the full generic type, such as {@code InformerTransform<V1Pod>}.
 * <p>
 * {@link dev.kubeinformer.informer.Informer#setTransform} replaces these beans for one
 * informer. An {@link InformerCustomizer} that sets the transforms of the builder
 * replaces all beans.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface InformerTransform<T extends KubernetesObject> {

	/**
	 * Transforms a received object. Called once for each object, but not for deletions.
	 * Called on the thread that reads from the API server, so a slow transform delays the
	 * cache. Each informer has one such thread for each namespace. Namespace, name, UID
	 * and resourceVersion must not change. An exception, {@code null} or a changed
	 * identity affects only this object: it is quarantined, its previous cached version
	 * stays, and the status contains its key.
	 * @param object the object, a private instance that may be modified
	 * @return the object to cache, which may be the same instance and must not be
	 * modified later
	 */
	T transform(T object);

}
