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
 * Holds the informer of one handler, from its first use until the handler is removed.
 * Thread-safe.
 *
 * @param <T> the model class
 */
final class HandlerSource<T extends KubernetesObject> {

	private final String handler;

	private final Informers informers;

	private final InformerSpec<T> spec;

	private final NamespaceOverrides changed;

	/**
	 * Lock that is held while the informer is created, and while its namespaces change.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable InformerLease<T> lease;

	private boolean closed;

	/**
	 * Creates a source without an informer.
	 * @param handler the id of the handler, for messages
	 * @param informers the informers of its cluster
	 * @param spec the spec of its informer
	 * @param changed the informers whose namespaces a handler has changed
	 */
	HandlerSource(String handler, Informers informers, InformerSpec<T> spec, NamespaceOverrides changed) {
		this.handler = handler;
		this.informers = informers;
		this.spec = spec;
		this.changed = changed;
	}

	/**
	 * Returns the informer. The first call obtains it; later calls return the same one.
	 * @return the informer
	 * @throws IllegalStateException on first use, if another handler has changed the
	 * namespaces of the informer
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
		// Check after obtaining the lease: no other handler can change the namespaces of
		// the informer while the lease exists.
		Set<String> others = this.changed.of(asked.informer());
		if (others != null && !others.equals(this.spec.namespaces())) {
			asked.close();
			throw new IllegalStateException(
					("Handler '%s' cannot use the informer '%s', which caches the namespaces %s "
							+ "because another handler changed them; narrow the spec in another way, such as "
							+ "with a selector")
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
			throw new IllegalStateException("The informer of '%s' is no longer in use".formatted(this.spec));
		}
		return known;
	}

	/**
	 * Returns the namespaces that the informer caches, or will cache.
	 * @return the namespaces in alphabetical order; empty for the whole cluster
	 */
	Set<String> namespaces() {
		InformerLease<T> known = this.lease;
		return (known != null) ? known.informer().namespaces() : this.spec.namespaces();
	}

	/**
	 * Changes the cached namespaces.
	 * @param namespaces the namespaces
	 * @throws IllegalArgumentException if the collection is empty, or a name is not valid
	 * @throws IllegalStateException if the informer has other users or caches the whole
	 * cluster, or the handler was removed
	 */
	void namespaces(Collection<String> namespaces) {
		Set<String> wanted = new TreeSet<>(this.spec.withNamespaces(namespaces).namespaces());
		if (wanted.isEmpty()) {
			throw new IllegalArgumentException(
					"Handler '%s' needs at least one namespace; stop it instead".formatted(this.handler));
		}
		InformerLease<T> used = lease();
		this.lock.lock();
		try {
			if (this.closed) {
				// The lease was released, so others may use the informer.
				throw new IllegalStateException("Handler '%s' was unregistered".formatted(this.handler));
			}
			Informer<T> informer = used.informer();
			if (informer.namespaces().equals(wanted)) {
				return;
			}
			if (!this.changed.begin(used, wanted)) {
				throw new IllegalStateException(
						("Cannot change the namespaces of handler '%s', because its informer '%s' is "
								+ "shared with another handler or lister; narrow one of the two in another "
								+ "way, such as with a label selector")
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
		// Add before removing, so that at least one namespace is always cached.
		wanted.forEach(informer::addNamespace);
		gone.forEach(informer::removeNamespace);
	}

	/**
	 * Releases the informer. The informer ends if it has no other users.
	 */
	void close() {
		InformerLease<T> ended;
		this.lock.lock();
		try {
			this.closed = true;
			ended = this.lease;
			// Do not clear the field: the informer may still be asked for its last
			// status.
		}
		finally {
			this.lock.unlock();
		}
		if (ended != null) {
			ended.close();
		}
	}

}
