package dev.kubeinformer.spring.inject;

import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.informer.Informer;

/**
 * Remembers the informer of each injection point in a hierarchy of application contexts,
 * to find out which beans read which caches. Thread-safe.
 */
public final class InjectedInformers {

	private final Map<Member, Set<Injection>> injections = new ConcurrentHashMap<>();

	private final ThreadLocal<@Nullable Callback> callback = new ThreadLocal<>();

	InjectedInformers() {
	}

	/**
	 * Records an injection. If a callback of a handler or reconciler has requested the
	 * injected object from a provider or a lazy proxy, the callback receives the informer
	 * and may wait for its cache.
	 * @param point the injection point
	 * @param rawType the class whose type argument is the model class
	 * @param informer the informer
	 */
	void injected(DependencyDescriptor point, Class<?> rawType, Informer<?> informer) {
		this.injections.computeIfAbsent(point.getMember(), (member) -> ConcurrentHashMap.newKeySet())
			.add(Injection.of(point, rawType, informer));
		Callback current = this.callback.get();
		if (current != null && isResolvedByUse(point)) {
			current.resolved(informer);
		}
	}

	/**
	 * Returns whether an injection point obtains its object on each use. Other points
	 * obtain their object when their bean is created, on a thread that holds Spring's
	 * lock and must not wait.
	 * @param point the injection point
	 * @return {@code true} for a provider or a lazy proxy
	 */
	private static boolean isResolvedByUse(DependencyDescriptor point) {
		return Injection.isProvider(point.getDeclaredType()) || point.getAnnotation(Lazy.class) != null
				|| (point.getMember() instanceof Constructor<?> constructor
						&& AnnotatedElementUtils.hasAnnotation(constructor, Lazy.class));
	}

	/**
	 * Returns the informers that are injected into a bean or one of its dependencies.
	 * @param beanFactory the factory of the bean
	 * @param beanName the name of the bean
	 * @return the informers that were injected so far
	 */
	public Set<Informer<?>> readBy(ConfigurableListableBeanFactory beanFactory, String beanName) {
		return new BeanDependencies(this.injections).informers(beanFactory, beanName);
	}

	/**
	 * Removes the informers of a removed cluster.
	 * @param cluster the name of the cluster
	 */
	void forget(String cluster) {
		this.injections.values()
			.forEach((injected) -> injected.removeIf((injection) -> injection.informer().cluster().equals(cluster)));
	}

	/**
	 * Returns whether the calling thread runs a callback of a handler or reconciler of
	 * the application.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	public boolean isInCallback() {
		return this.callback.get() != null;
	}

	/**
	 * Runs work of a handler or reconciler on the calling thread.
	 * @param callback the receiver of informers that the work requests from a provider or
	 * a lazy proxy
	 * @param work the work
	 * @throws Exception if the work throws an exception
	 */
	public void inCallback(Callback callback, Work work) throws Exception {
		Callback before = this.callback.get();
		this.callback.set(callback);
		try {
			work.run();
		}
		finally {
			if (before != null) {
				this.callback.set(before);
			}
			else {
				this.callback.remove();
			}
		}
	}

	/**
	 * Callback of a handler or reconciler on the current thread.
	 */
	@FunctionalInterface
	public interface Callback {

		/**
		 * Receives an informer that the callback has requested from a provider or a lazy
		 * proxy.
		 * @param informer the informer
		 */
		void resolved(Informer<?> informer);

	}

	/**
	 * Work that may fail.
	 */
	@FunctionalInterface
	public interface Work {

		/**
		 * Runs the work.
		 * @throws Exception if the work fails
		 */
		void run() throws Exception;

	}

}
