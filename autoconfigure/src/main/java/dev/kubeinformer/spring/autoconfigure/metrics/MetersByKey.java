package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Meters of subjects that are added and removed. If subjects have the same key, such as a
 * reconciler and its replacement, only the latest one has meters.
 *
 * @param <S> the type of the subjects
 * @param <M> the type of the meters
 */
final class MetersByKey<S, M extends SubjectMeters<S>> {

	private final Map<Object, M> meters = new ConcurrentHashMap<>();

	/** Lock that is held while meters are added or removed. */
	private final Lock lock = new ReentrantLock();

	// The following fields are guarded by the lock.

	/** Subjects of removed clusters, which may still report the end of their work. */
	private final Set<S> gone = Collections.newSetFromMap(new WeakHashMap<>());

	private ClusterTag tag;

	private boolean closed;

	MetersByKey(ClusterTag tag) {
		this.tag = tag;
	}

	@Nullable M get(Object key) {
		return this.meters.get(key);
	}

	/**
	 * Returns the meters of a subject, and adds them if they are absent.
	 * @param key the key
	 * @param subject the subject
	 * @param factory creates the meters
	 * @return the meters; {@code null} if the subject no longer has meters
	 */
	@Nullable M get(Object key, S subject, Function<ClusterTag, M> factory) {
		M known = this.meters.get(key);
		if (known != null && known.subject() == subject) {
			return known;
		}
		this.lock.lock();
		try {
			if (this.closed || this.gone.contains(subject)) {
				return null;
			}
			M present = this.meters.get(key);
			if (present != null && present.subject() == subject) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			M added = factory.apply(this.tag);
			this.meters.put(key, added);
			return added;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the meters of a subject unless another one has replaced it.
	 * @param key the key
	 * @param subject the subject
	 */
	void remove(Object key, S subject) {
		this.lock.lock();
		try {
			M present = this.meters.get(key);
			if (present != null && present.subject() == subject) {
				this.meters.remove(key);
				present.removeAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the meters of subjects permanently: they cannot get meters again.
	 * @param which the condition that selects the subjects
	 */
	void ban(Predicate<S> which) {
		this.lock.lock();
		try {
			this.meters.values().removeIf((each) -> {
				boolean banned = which.test(each.subject());
				if (banned) {
					each.removeAll();
					this.gone.add(each.subject());
				}
				return banned;
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Sets the tag of the cluster. If the tag changes, all meters are created again.
	 * @param wanted the tag
	 * @param removed the callback that is called after the meters with the previous tag
	 * were removed
	 * @param factory creates the meters of a subject
	 */
	void tag(ClusterTag wanted, Runnable removed, BiFunction<ClusterTag, S, M> factory) {
		this.lock.lock();
		try {
			if (wanted != this.tag) {
				this.meters.values().forEach(SubjectMeters::removeAll);
				removed.run();
				this.tag = wanted;
				this.meters.replaceAll((key, each) -> factory.apply(wanted, each.subject()));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes all meters. Subjects that are added concurrently or later get no meters.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.meters.values().forEach(SubjectMeters::removeAll);
			this.meters.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

}
