package dev.kubeinformer.internal.controller;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.types.ObjectKey;

/**
 * Remembers what triggered a run, for example the trace span of an HTTP request. This
 * origin is kept from the first trigger of a key until a worker takes the key. Safe for
 * use by several threads.
 */
final class Origins {

	private final Map<ObjectKey, Origin> waiting = new HashMap<>();

	/**
	 * Keeps the origin of a run unless the key has one.
	 * @param key the key
	 * @param origin the origin
	 */
	synchronized void keep(ObjectKey key, Origin origin) {
		this.waiting.putIfAbsent(key, origin);
	}

	/**
	 * Removes the origin of a run.
	 * @param key the key
	 * @return the origin; {@code null} if there is none
	 */
	synchronized @Nullable Origin take(ObjectKey key) {
		return this.waiting.isEmpty() ? null : this.waiting.remove(key);
	}

	synchronized void clear() {
		this.waiting.clear();
	}

	/**
	 * Origin of a run: for each listener, the object that it provided when the run was
	 * triggered.
	 */
	static final class Origin {

		private final Map<ReconcilerListener, Object> known = new IdentityHashMap<>();

		/**
		 * Adds the object of a listener.
		 * @param listener the listener
		 * @param origin the origin; {@code null} for none
		 */
		void add(ReconcilerListener listener, @Nullable Object origin) {
			if (origin != null) {
				this.known.put(listener, origin);
			}
		}

		boolean isKnown() {
			return !this.known.isEmpty();
		}

		@Nullable Object of(ReconcilerListener listener) {
			return this.known.get(listener);
		}

	}

}
