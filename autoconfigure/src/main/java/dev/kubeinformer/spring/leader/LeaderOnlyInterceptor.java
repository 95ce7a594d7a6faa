package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;

import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.spring.annotation.LeaderOnly;

/**
 * Guards leader-only methods. On a standby, skips calls of {@code void} methods and
 * rejects calls of all other methods.
 */
final class LeaderOnlyInterceptor implements MethodInterceptor {

	private static final Logger logger = LoggerFactory.getLogger(LeaderOnly.class);

	private final Supplier<LeaderOnlyCalls> calls;

	private final Iterable<LeaderSkipListener> listeners;

	/**
	 * Creates a guard. Neither argument is used before the first call of a method.
	 * @param calls the supplier of the running calls
	 * @param listeners the listeners that are notified of skipped and rejected calls
	 */
	LeaderOnlyInterceptor(Supplier<LeaderOnlyCalls> calls, Iterable<LeaderSkipListener> listeners) {
		this.calls = calls;
		this.listeners = listeners;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		LeaderOnlyCalls calls = this.calls.get();
		if (!calls.enter()) {
			return skip(invocation);
		}
		try {
			return invocation.proceed();
		}
		finally {
			calls.exit();
		}
	}

	private @Nullable Object skip(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Method method = (target != null)
				? AopUtils.getMostSpecificMethod(invocation.getMethod(), AopUtils.getTargetClass(target))
				: invocation.getMethod();
		this.listeners.forEach((listener) -> listener.skipped(method));
		String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
		if (method.getReturnType() != void.class) {
			throw new NotLeaderException(("Method '%s' is leader-only, and this replica does not lead; check "
					+ "Leadership.isLeader() before the call, or call the leader")
				.formatted(name));
		}
		logger.debug("Method '{}' is skipped: this replica does not lead", name);
		return null;
	}

}
