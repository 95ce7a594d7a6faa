package dev.kubeinformer.spi;

/**
 * Component whose stop waits until its running callbacks have ended. It does not wait for
 * a callback that itself requests the stop, and recognises such a callback by its thread.
 * So if {@link #isInCallback()} returns {@code true}, an integration must stop the
 * component on the calling thread, and not on another thread.
 */
public interface CallbackAware {

	/**
	 * Returns whether the calling thread runs a callback of a component. A stop of the
	 * component on this thread does not wait for that callback.
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
