package dev.kubeinformer.spring.autoconfigure.model;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;

/**
 * Callback that changes objects of a class before they are cached, such as to drop what
 * nobody reads. A bean of this type is used by all informers on the class, in all
 * clusters, whoever asks for them: handlers, reconcilers, injected listers and informers,
 * or {@code Informers}. Several for one class are called in order. The bean method must
 * declare the full generic type, such as {@code InformerTransform<V1Pod>}.
 * <p>
 * {@link dev.kubeinformer.informer.Informer#setTransform} replaces it for one informer,
 * and an {@link InformerCustomizer} that sets the transforms of the builder replaces all.
 *
 * @param <T> the model class
 */
@FunctionalInterface
public interface InformerTransform<T extends KubernetesObject> {

	/**
	 * Transforms an object that was received: each once, and never one that was deleted.
	 * It is called by the thread that reads from the API server, one for each informer
	 * and namespace, and holds up the cache. Namespace, name, UID and resourceVersion
	 * must stay. What it throws, {@code null} and another identity are errors of this
	 * object alone: it counts as quarantined, what was cached of it stays, and the status
	 * names its key.
	 * @param object the object, which is private and may be changed
	 * @return the object to be cached, which nobody may change from then on; it may be
	 * the same one
	 */
	T transform(T object);

}
