package dev.kubeinformer.internal.store;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Custom indexes of a store. Functions can be added while the store is written to.
 *
 * @param <T> the model class
 */
final class StoreIndexes<T> {

	private final ReentrantLock storeLock;

	/**
	 * Lock that is held while indexes are added. Code of the application runs under this
	 * lock, never under the store's.
	 */
	private final ReentrantLock adding = new ReentrantLock();

	private volatile IndexFunctions<T> functions = IndexFunctions.none();

	StoreIndexes(ReentrantLock storeLock) {
		this.storeLock = storeLock;
	}

	/**
	 * Returns the current functions. They change under the store's lock.
	 * @return the functions
	 */
	IndexFunctions<T> functions() {
		return this.functions;
	}

	/**
	 * Adds functions and indexes the current objects.
	 * @param added the functions by name
	 * @param store the store
	 * @throws IllegalArgumentException if there is an index of that name
	 */
	void add(Map<String, Function<T, List<String>>> added, ObjectStore<T> store) {
		this.adding.lock();
		try {
			IndexFunctions<T> next = this.functions.and(added);
			StoreSnapshot<T> present = use(next, store);
			// Objects stored from here on have values of the new functions.
			Map<StoredObject<T>, StoredObject<T>> indexed = new IdentityHashMap<>();
			present.iterator().forEachRemaining((stored) -> indexed.put(stored, next.apply(stored)));
			this.storeLock.lock();
			try {
				SnapshotBuilder<T> builder = new SnapshotBuilder<>(store.snapshot());
				builder.addIndexes(added.keySet(), indexed);
				store.publish(builder, List.of(), List.of());
			}
			finally {
				this.storeLock.unlock();
			}
		}
		finally {
			this.adding.unlock();
		}
	}

	/**
	 * Adds a function and its index, unless the same function exists.
	 * @param name the name of the index
	 * @param function the function
	 * @param store the store
	 * @throws IllegalArgumentException if another function has that name
	 */
	void addIfAbsent(String name, Function<T, List<String>> function, ObjectStore<T> store) {
		this.adding.lock();
		try {
			if (this.functions.asMap().get(name) != function) {
				add(Map.of(name, function), store);
			}
		}
		finally {
			this.adding.unlock();
		}
	}

	private StoreSnapshot<T> use(IndexFunctions<T> next, ObjectStore<T> store) {
		this.storeLock.lock();
		try {
			this.functions = next;
			return store.snapshot();
		}
		finally {
			this.storeLock.unlock();
		}
	}

}
