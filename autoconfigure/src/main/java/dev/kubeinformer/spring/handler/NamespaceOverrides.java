package dev.kubeinformer.spring.handler;

import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;

/**
 * Informers whose namespaces were changed for their only handler, in a hierarchy of
 * application contexts. Thread-safe.
 */
public final class NamespaceOverrides {

	/** Lock that is held only for a moment, never while waiting. */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Namespaces that these informers cache since the change, or will cache; guarded by
	 * the lock.
	 */
	private final Map<Informer<?>, Set<String>> changed = new WeakHashMap<>();

	/**
	 * Records an upcoming change, which later users of the informer can see.
	 * @param lease the lease of the informer
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
	 * Records the result of a change.
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
