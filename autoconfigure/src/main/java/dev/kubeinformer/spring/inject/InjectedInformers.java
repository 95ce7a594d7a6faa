package dev.kubeinformer.spring.inject;

import java.lang.reflect.Constructor;
import java.lang.reflect.Member;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.AnnotatedElementUtils;

import dev.kubeinformer.informer.Informer;

/**
 * The informers that were injected, by injection point, in a hierarchy of application
 * contexts. It is what is known of who reads which cache. May be used by any thread.
 */
public final class InjectedInformers {

	private final Map<Member, Set<Injection>> injections = new ConcurrentHashMap<>();

	private final ThreadLocal<@Nullable Callback> callback = new ThreadLocal<>();

	private volatile Consumer<Informer<?>> onInjection = (informer) -> {
	};

	InjectedInformers() {
	}

	/**
	 * Notes an injection, and waits for the cache where that is asked for.
	 * @param point the injection point
	 * @param rawType the class whose type argument is the model class
	 * @param informer the informer
	 */
	void injected(DependencyDescriptor point, Class<?> rawType, Informer<?> informer) {
		this.injections.computeIfAbsent(point.getMember(), (member) -> ConcurrentHashMap.newKeySet())
			.add(Injection.of(point, rawType, informer));
		Callback current = this.callback.get();
		if (current == null) {
			this.onInjection.accept(informer);
		}
		else if (isResolvedByUse(point)) {
			current.resolved(informer);
		}
	}

	/**
	 * Returns whether the point is resolved each time when it is used. All others are
	 * resolved while a bean is created, by a thread that holds Spring's lock and must not
	 * wait.
	 * @param point the injection point
	 * @return whether it is that of a provider or a lazy proxy
	 */
	private static boolean isResolvedByUse(DependencyDescriptor point) {
		return Injection.isProvider(point.getDeclaredType()) || point.getAnnotation(Lazy.class) != null
				|| (point.getMember() instanceof Constructor<?> constructor
						&& AnnotatedElementUtils.hasAnnotation(constructor, Lazy.class));
	}

	/**
	 * Informers that are injected into a bean or into one that it depends on.
	 * @param beanFactory the factory of the bean
	 * @param beanName the name of the bean
	 * @return the informers as far as their injection points were resolved
	 */
	public Set<Informer<?>> readBy(ConfigurableListableBeanFactory beanFactory, String beanName) {
		return new BeanDependencies(this.injections).informers(beanFactory, beanName);
	}

	/**
	 * Forgets the informers of a cluster that was removed.
	 * @param cluster the name of the cluster
	 */
	void forget(String cluster) {
		this.injections.values()
			.forEach((injected) -> injected.removeIf((injection) -> injection.informer().cluster().equals(cluster)));
	}

	/**
	 * Sets what is called with each informer that is injected outside of the callbacks of
	 * handlers. It takes the place of an earlier one.
	 * @param onInjection is called by the thread that asked for the injection, which it
	 * may hold up
	 */
	public void onInjection(Consumer<Informer<?>> onInjection) {
		this.onInjection = onInjection;
	}

	/**
	 * Does work of a handler on the calling thread.
	 * @param callback what informers are given to that the work resolves by a provider
	 * @param work the work
	 * @throws Exception if the work throws one
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
	 * The callback of a handler that a thread is in.
	 */
	@FunctionalInterface
	public interface Callback {

		/**
		 * Takes an informer that the callback asked a provider or a lazy proxy for.
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
		 * Does the work.
		 * @throws Exception if it fails
		 */
		void run() throws Exception;

	}

}
