package dev.kubeinformer.spring.handler.container;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.handler.NamespaceOverrides;

/**
 * The informer of one handler, from when it is needed first until the handler is gone.
 * Safe for use by several threads.
 *
 * @param <T> the model class
 */
final class HandlerSource<T extends KubernetesObject> {

	private final String handler;

	private final Informers informers;

	private final InformerSpec<T> spec;

	private final NamespaceOverrides changed;

	/** Held while the informer is made, and while its namespaces change. */
	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable InformerLease<T> lease;

	private boolean closed;

	/**
	 * Creates a source that has no informer yet.
	 * @param handler the id of the handler, for messages
	 * @param informers the informers of its cluster
	 * @param spec what is cached for it
	 * @param changed the informers that others changed for themselves
	 */
	HandlerSource(String handler, Informers informers, InformerSpec<T> spec, NamespaceOverrides changed) {
		this.handler = handler;
		this.informers = informers;
		this.spec = spec;
		this.changed = changed;
	}

	/**
	 * Returns the informer, which is kept from then on.
	 * @return the informer
	 * @throws IllegalStateException if it is needed first, and caches other namespaces
	 * because of another handler
	 */
	Informer<T> informer() {
		return lease().informer();
	}

	private InformerLease<T> lease() {
		InformerLease<T> known = this.lease;
		if (known != null) {
			return known;
		}
		InformerLease<T> asked = this.informers.lease(this.spec);
		// Its namespaces are not changed for anybody from here on.
		Set<String> others = this.changed.of(asked.informer());
		if (others != null && !others.equals(this.spec.namespaces())) {
			asked.close();
			throw new IllegalStateException(
					("Handler '%s' cannot use the informer '%s', which caches the namespaces %s meanwhile: they "
							+ "were changed for another handler; narrow the spec otherwise, as by a selector")
						.formatted(this.handler, this.spec.id(), new TreeSet<>(others)));
		}
		this.lock.lock();
		try {
			known = this.lease;
			if (known == null && !this.closed) {
				this.lease = asked;
				return asked;
			}
		}
		finally {
			this.lock.unlock();
		}
		asked.close();
		if (known == null) {
			throw new IllegalStateException("The informer of '%s' is not used any more".formatted(this.spec));
		}
		return known;
	}

	/**
	 * Returns the namespaces that are cached now, or will be.
	 * @return the namespaces in alphabetical order; empty for all of the cluster
	 */
	Set<String> namespaces() {
		InformerLease<T> known = this.lease;
		return (known != null) ? known.informer().namespaces() : this.spec.namespaces();
	}

	/**
	 * Changes the namespaces that are cached.
	 * @param namespaces the namespaces
	 * @throws IllegalArgumentException if there is none, or one is no name
	 * @throws IllegalStateException if others use the informer, it caches all of the
	 * cluster, or the handler is gone
	 */
	void namespaces(Collection<String> namespaces) {
		Set<String> wanted = new TreeSet<>(this.spec.withNamespaces(namespaces).namespaces());
		if (wanted.isEmpty()) {
			throw new IllegalArgumentException(
					"Handler '%s' cannot be left without a namespace; stop it instead".formatted(this.handler));
		}
		InformerLease<T> used = lease();
		this.lock.lock();
		try {
			if (this.closed) {
				// Others may use the informer by now.
				throw new IllegalStateException("Handler '%s' was unregistered".formatted(this.handler));
			}
			Informer<T> informer = used.informer();
			if (informer.namespaces().equals(wanted)) {
				return;
			}
			if (!this.changed.begin(used, wanted)) {
				throw new IllegalStateException(
						("The namespaces of handler '%s' cannot be changed, because its informer '%s' is shared with "
								+ "another handler or lister; narrow one of the two otherwise, as by a label selector")
							.formatted(this.handler, informer.id()));
			}
			try {
				change(informer, wanted);
			}
			finally {
				this.changed.end(informer);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void change(Informer<?> informer, Set<String> wanted) {
		Set<String> gone = new TreeSet<>(informer.namespaces());
		gone.removeAll(wanted);
		// One at least is cached at each moment.
		wanted.forEach(informer::addNamespace);
		gone.forEach(informer::removeNamespace);
	}

	/**
	 * Leaves the informer to others. One that nobody else uses ends.
	 */
	void close() {
		InformerLease<T> ended;
		this.lock.lock();
		try {
			this.closed = true;
			ended = this.lease;
			// It stays known, for those who look at the handler a last time.
		}
		finally {
			this.lock.unlock();
		}
		if (ended != null) {
			ended.close();
		}
	}

}
