package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;

/**
 * Listener that is notified when a call of a leader-only method was skipped or rejected
 * because this replica does not lead. All beans of this type are called, on the thread of
 * the caller. Internal to the starter.
 */
@FunctionalInterface
public interface LeaderSkipListener {

	/**
	 * Called when a call was skipped or rejected.
	 * @param method the method of the bean's class
	 */
	void skipped(Method method);

}
