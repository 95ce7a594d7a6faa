package dev.kubeinformer.spring.bean;

import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.Scope;

/**
 * Recognizes scopes that depend on the thread: their beans exist only in some threads,
 * such as those of a request, or each thread has its own bean. A thread of a handler or
 * reconciler does not belong to a request, so even a scoped proxy does not find a bean in
 * that thread.
 */
final class ThreadScopes {

	private static final Set<String> CLASSES = Set.of(
			"org.springframework.web.context.request.AbstractRequestAttributesScope",
			"org.springframework.messaging.simp.SimpSessionScope",
			"org.springframework.context.support.SimpleThreadScope",
			"org.springframework.transaction.support.SimpleTransactionScope");

	private ThreadScopes() {
	}

	/**
	 * Returns whether a scope depends on the thread.
	 * @param beanFactory the bean factory
	 * @param name the name of the scope
	 * @return {@code true} if there are threads in which a bean of the scope cannot be
	 * called, or is a different bean
	 */
	static boolean contains(ConfigurableBeanFactory beanFactory, @Nullable String name) {
		if (name == null || name.isEmpty() || name.equals(BeanDefinition.SCOPE_SINGLETON)
				|| name.equals(BeanDefinition.SCOPE_PROTOTYPE)) {
			return false;
		}
		Scope scope = beanFactory.getRegisteredScope(name);
		return scope == null || isListed(scope.getClass()) || !hasConversation(scope);
	}

	private static boolean isListed(@Nullable Class<?> type) {
		return type != null && (CLASSES.contains(type.getName()) || isListed(type.getSuperclass()));
	}

	/**
	 * Returns whether a scope exists in the current thread, which does not belong to a
	 * request. A scope that is bound to other threads, such as those of Spring Batch and
	 * Web Flow, throws an exception when it is asked for its conversation id.
	 * @param scope the scope
	 * @return {@code false} if the scope does not exist in the current thread
	 */
	private static boolean hasConversation(Scope scope) {
		try {
			scope.getConversationId();
			return true;
		}
		catch (IllegalStateException ex) {
			return false;
		}
		catch (RuntimeException ex) {
			// The scope does not support conversation ids, so it is not bound to a
			// thread.
			return true;
		}
	}

}
