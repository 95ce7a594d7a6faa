package dev.kubeinformer.spi;

/**
 * Component that waits for its running callbacks when it is stopped. If a callback itself
 * stops the component, the component does not wait for this callback, which it recognises
 * by the thread. So if {@link #isInCallback()} returns {@code true}, an integration must
 * stop the component on the calling thread, and not on another thread.
 */
public interface CallbackAware {

	/**
	 * Returns whether the calling thread runs a callback of a component. If it does, a
	 * stop of the component on this thread does not wait for that callback.
	 * @param component the component
	 * @return {@code true} if the calling thread runs such a callback
	 */
	static boolean isInCallback(Object component) {
		return component instanceof CallbackAware aware && aware.isInCallback();
	}

	/**
	 * Returns whether the calling thread runs a callback of this component.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	boolean isInCallback();

}
