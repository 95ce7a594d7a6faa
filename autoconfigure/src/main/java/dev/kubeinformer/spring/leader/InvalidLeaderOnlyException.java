package dev.kubeinformer.spring.leader;

import java.lang.reflect.Method;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Thrown when a bean has a leader-only method that cannot be guarded: its calls would
 * reach it at every replica.
 */
public final class InvalidLeaderOnlyException extends InformerConfigurationException {

	private static final long serialVersionUID = 1L;

	private InvalidLeaderOnlyException(String problem, String action) {
		super(problem, action);
	}

	static InvalidLeaderOnlyException method(String beanName, Method method, String problem) {
		return new InvalidLeaderOnlyException(
				"@LeaderOnly method '%s.%s' of bean '%s' %s, so that its calls do not pass the bean's proxy"
					.formatted(method.getDeclaringClass().getName(), method.getName(), beanName, problem),
				"Make the method one of the bean that is neither private, static nor final. Where that cannot be, "
						+ "inject Leadership and ask isLeader().");
	}

	static InvalidLeaderOnlyException beanMethod(String beanName, Method method) {
		return new InvalidLeaderOnlyException(
				"@LeaderOnly is at the @Bean method '%s.%s' of bean '%s', which each replica calls to create the bean"
					.formatted(method.getDeclaringClass().getName(), method.getName(), beanName),
				"Annotate the class of the bean that the method creates, or methods of it.");
	}

	static InvalidLeaderOnlyException called(String beanName, Method method, Class<?> annotation, String instead) {
		return new InvalidLeaderOnlyException(
				"@LeaderOnly is at the @%s method '%s.%s' of bean '%s', or at its class, so that what a standby skips is lost"
					.formatted(annotation.getSimpleName(), method.getDeclaringClass().getName(), method.getName(),
							beanName),
				"Remove @LeaderOnly there, and set leaderOnly = \"true\" at @%s.".formatted(instead));
	}

	static InvalidLeaderOnlyException notInProxy(String beanName, Method method) {
		return new InvalidLeaderOnlyException(
				"@LeaderOnly method '%s.%s' of bean '%s' is in none of the interfaces of the bean's JDK proxy"
					.formatted(method.getDeclaringClass().getName(), method.getName(), beanName),
				"Add the method to an interface that the proxy implements, or let the bean be proxied by its class "
						+ "(proxyTargetClass = true).");
	}

	static InvalidLeaderOnlyException handler(String beanName, Class<?> type, String what, String annotation) {
		return new InvalidLeaderOnlyException(
				"@LeaderOnly is at the class '%s' of bean '%s', which is %s: what a replica that does not lead skips would count as handled"
					.formatted(type.getName(), beanName, what),
				"Remove @LeaderOnly, and write leaderOnly = \"true\" at its %s instead.".formatted(annotation));
	}

	static InvalidLeaderOnlyException finalClass(String beanName, Class<?> type) {
		return new InvalidLeaderOnlyException(
				"Bean '%s' has @LeaderOnly methods, and its class '%s' is final, so that it cannot be proxied"
					.formatted(beanName, type.getName()),
				"Make the class non-final (in Kotlin: open), or inject Leadership and ask isLeader().");
	}

}
