package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;

/**
 * Listener to calls of leader-only methods that were skipped or rejected because this
 * replica does not lead. All beans of this type are called, on the thread of the caller.
 * Internal to the starter.
 */
@FunctionalInterface
public interface LeaderSkipListener {

	/**
	 * Called when a call was skipped or rejected.
	 * @param method the method of the bean's class
	 */
	void skipped(Method method);

}
