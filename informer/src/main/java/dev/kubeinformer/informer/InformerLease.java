package dev.kubeinformer.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * The use of an informer for a time, by one of perhaps many who share it. The informer is
 * stopped and removed when the last lease of it is closed, unless
 * {@link dev.kubeinformer.Informers#informer(InformerSpec)} was asked for it too, which
 * keeps it for ever. Safe for use by several threads.
 *
 * @param <T> the model class
 * @see dev.kubeinformer.Informers#lease(InformerSpec)
 */
public interface InformerLease<T extends KubernetesObject> extends AutoCloseable {

	/**
	 * Returns the informer. After the last lease of it was closed it cannot be started
	 * again.
	 * @return the informer
	 */
	Informer<T> informer();

	/**
	 * Returns whether others use the informer too, at this moment: whether there is
	 * another lease of it, or {@link dev.kubeinformer.Informers#informer(InformerSpec)}
	 * was asked for it. Adding or removing a namespace is felt by them.
	 * @return whether it is shared
	 */
	boolean isShared();

	/**
	 * Ends the use. The last one to do so waits until the informer has stopped and its
	 * handlers have drained, unless in one of their callbacks. Further calls do nothing.
	 */
	@Override
	void close();

}
