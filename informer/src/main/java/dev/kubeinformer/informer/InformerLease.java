package dev.kubeinformer.informer;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.Informers;

/**
 * The use of an informer for a time, by one of perhaps many who share it. The informer is
 * stopped and removed when the last lease of it is closed, unless
 * {@link Informers#informer(InformerSpec)} was asked for it too, which keeps it for ever.
 * Safe for use by several threads.
 *
 * @param <T> the model class
 * @see Informers#lease(InformerSpec)
 */
public final class InformerLease<T extends KubernetesObject> implements AutoCloseable {

	private final Informer<T> informer;

	private final BooleanSupplier shared;

	private final Runnable end;

	private final AtomicBoolean closed = new AtomicBoolean();

	public InformerLease(Informer<T> informer, BooleanSupplier shared, Runnable end) {
		this.informer = informer;
		this.shared = shared;
		this.end = end;
	}

	/**
	 * Returns the informer. After the last lease of it was closed it cannot be started
	 * again.
	 * @return the informer
	 */
	public Informer<T> informer() {
		return this.informer;
	}

	/**
	 * Returns whether others use the informer too, at this moment: whether there is
	 * another lease of it, or {@link Informers#informer(InformerSpec)} was asked for it.
	 * Adding or removing a namespace is felt by them.
	 * @return whether it is shared
	 */
	public boolean isShared() {
		return this.shared.getAsBoolean();
	}

	/**
	 * Ends the use. The last one to do so waits until the informer has stopped and its
	 * handlers have drained, unless in one of their callbacks. Further calls do nothing.
	 */
	@Override
	public void close() {
		if (this.closed.compareAndSet(false, true)) {
			this.end.run();
		}
	}

}
