package dev.kubeinformer.informer;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Temporary use of an informer that others may share. When its last lease is closed, the
 * informer is stopped and removed. It stays permanently if
 * {@link dev.kubeinformer.Informers#informer(InformerSpec)} has returned it. Thread-safe.
 *
 * @param <T> the model class
 * @see dev.kubeinformer.Informers#lease(InformerSpec)
 */
public interface InformerLease<T extends KubernetesObject> extends AutoCloseable {

	/**
	 * Returns the informer. It cannot be started again after its last lease was closed.
	 * @return the informer
	 */
	Informer<T> informer();

	/**
	 * Returns whether the informer currently has other users: another lease exists, or
	 * {@link dev.kubeinformer.Informers#informer(InformerSpec)} has returned it. Other
	 * users see the namespaces that are added or removed.
	 * @return {@code true} if the informer has other users
	 */
	boolean isShared();

	/**
	 * Closes the lease. Closing the last lease waits until the informer has stopped and
	 * its handlers have drained, except when called from one of their callbacks. Further
	 * calls do nothing.
	 */
	@Override
	void close();

}
