package dev.kubeinformer.spring.handler;

import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;

/**
 * Remembers the informers whose namespaces a handler has changed at run time, in a
 * hierarchy of application contexts. Such a change is allowed only if the handler is the
 * only user of its informer. Thread-safe.
 */
public final class NamespaceOverrides {

	/** Lock that is never held during a wait. */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Namespaces of each informer that a handler has changed. They are the namespaces
	 * after the change, even while the change is in progress. Guarded by the lock.
	 */
	private final Map<Informer<?>, Set<String>> changed = new WeakHashMap<>();

	/**
	 * Records that a change begins, so that later users of the informer know of it.
	 * @param lease the {@link InformerLease} of the handler that changes the namespaces
	 * @param wanted the namespaces
	 * @return {@code true} if the change is allowed; {@code false} if the informer has
	 * other users
	 */
	public boolean begin(InformerLease<?> lease, Set<String> wanted) {
		this.lock.lock();
		try {
			if (lease.isShared()) {
				return false;
			}
			this.changed.put(lease.informer(), Set.copyOf(wanted));
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Records that a change has ended, whether it succeeded or failed.
	 * @param informer the informer
	 */
	public void end(Informer<?> informer) {
		Set<String> now = Set.copyOf(informer.namespaces());
		this.lock.lock();
		try {
			this.changed.put(informer, now);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the namespaces that an informer caches because a handler changed them.
	 * @param informer the informer
	 * @return the namespaces; {@code null} if no handler changed them
	 */
	public @Nullable Set<String> of(Informer<?> informer) {
		this.lock.lock();
		try {
			return this.changed.get(informer);
		}
		finally {
			this.lock.unlock();
		}
	}

}
