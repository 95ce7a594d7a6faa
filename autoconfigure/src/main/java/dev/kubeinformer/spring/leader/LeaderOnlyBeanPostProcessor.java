package dev.kubeinformer.spring.leader;

import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Creates the proxies that guard leader-only methods. The guard runs before all other
 * advice except {@code @Async}, because the leadership must be checked when the method
 * runs.
 */
final class LeaderOnlyBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {

	private static final long serialVersionUID = 1L;

	private final transient LeaderOnlyMethods methods = new LeaderOnlyMethods();

	LeaderOnlyBeanPostProcessor(LeaderOnlyInterceptor interceptor) {
		this.advisor = new DefaultPointcutAdvisor(this.methods, interceptor);
		setBeforeExistingAdvisors(true);
		setProxyTargetClass(true);
		// Run after other proxy creators, but before the post-processors of @Scheduled
		// and @Async, which then use the guarded bean.
		setOrder(Ordered.LOWEST_PRECEDENCE - 1);
	}

	@Override
	public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
		if (isEligible(beanClass)) {
			check(beanClass, beanName, Proxy.isProxyClass(beanClass) || beanClass.isInterface());
		}
		return super.determineBeanType(beanClass, beanName);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = AopUtils.getTargetClass(bean);
		if (bean instanceof AopInfrastructureBean || !isEligible(type)) {
			return bean;
		}
		check(type, beanName, AopUtils.isAopProxy(bean) || Proxy.isProxyClass(type));
		Object proxy = super.postProcessAfterInitialization(bean, beanName);
		this.methods.checkProxy(beanName, type, proxy);
		if (proxy instanceof Advised advised && !advised.isFrozen()) {
			moveInsideOfAsync(advised);
		}
		return proxy;
	}

	@Override
	protected boolean isEligible(Class<?> targetClass) {
		return LeaderOnlyMethods.isCandidate(targetClass) && super.isEligible(targetClass);
	}

	private void check(Class<?> type, String beanName, boolean proxied) {
		Class<?> user = ClassUtils.getUserClass(type);
		this.methods.checkHandler(beanName, user, (annotation) -> isAnnotated(user, beanName, annotation));
		this.methods.check(beanName, user);
		if (!proxied && Modifier.isFinal(user.getModifiers())) {
			throw new InformerConfigurationException(
					"Bean '%s' has @LeaderOnly methods, and its class '%s' is final, so that it cannot be proxied"
						.formatted(beanName, user.getName()),
					"Make the class non-final (in Kotlin: open), or inject Leadership and call isLeader().");
		}
	}

	private boolean isAnnotated(Class<?> type, String beanName, Class<? extends Annotation> annotation) {
		// The annotation may be on the bean method.
		return AnnotatedElementUtils.hasAnnotation(type, annotation)
				|| (this.beanFactory != null && this.beanFactory.containsLocalBean(beanName)
						&& this.beanFactory.findAnnotationOnBean(beanName, annotation, false) != null);
	}

	/**
	 * Moves the guard behind the advice of {@code @Async}. The proxy already has that
	 * advice if the post-processor of {@code @Async} has run earlier.
	 * @param advised the proxy
	 */
	private void moveInsideOfAsync(Advised advised) {
		Advisor guard = this.advisor;
		Advisor[] advisors = advised.getAdvisors();
		int last = -1;
		for (int i = 0; i < advisors.length; i++) {
			if (advisors[i].getAdvice() instanceof AsyncExecutionInterceptor) {
				last = i;
			}
		}
		if (last > 0 && guard != null && advised.indexOf(guard) < last) {
			advised.removeAdvisor(guard);
			advised.addAdvisor(last, guard);
		}
	}

}
