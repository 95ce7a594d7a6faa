package dev.kubeinformer.spring.handler;

import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;

/**
 * The informers whose namespaces were changed for the one handler that uses them, in a
 * hierarchy of application contexts. Safe for use by several threads.
 */
public final class NamespaceOverrides {

	/** Held for a moment only: nothing is waited for meanwhile. */
	private final ReentrantLock lock = new ReentrantLock();

	/** What they cache since then, or are about to; guarded by the lock. */
	private final Map<Informer<?>, Set<String>> changed = new WeakHashMap<>();

	/**
	 * Notes a change that follows. Whoever leases the informer from now on finds it.
	 * @param lease the use of the informer
	 * @param wanted the namespaces
	 * @return whether the change may be made; {@code false} if others use the informer
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
	 * Notes what a change led to.
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
	 * Returns what an informer caches because a handler wanted it.
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
