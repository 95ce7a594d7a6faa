package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;

/**
 * Listener to calls of leader-only methods that were skipped or refused because this
 * replica does not lead. All beans of this type are called, in the thread of the caller.
 * Internal to the starter.
 */
@FunctionalInterface
public interface LeaderSkipListener {

	/**
	 * Called when a method was not entered.
	 * @param method the method, of the class of the bean
	 */
	void skipped(Method method);

}
