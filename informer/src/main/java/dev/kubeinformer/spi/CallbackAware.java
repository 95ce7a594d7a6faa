package dev.kubeinformer.spi;

/**
 * Component whose stop waits for its running callbacks, except for the one that requests
 * the stop. An integration that stops components on other threads must stop this one on
 * the calling thread if {@link #isInCallback()} returns {@code true}.
 */
public interface CallbackAware {

	/**
	 * Returns whether the calling thread runs a callback of a component, which the stop
	 * of that component does not wait for.
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
