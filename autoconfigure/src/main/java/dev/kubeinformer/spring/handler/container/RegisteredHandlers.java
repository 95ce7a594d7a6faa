package dev.kubeinformer.spring.handler.container;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Handlers that an application registers at run time. Handlers that are registered while
 * the handler beans are stopped start together with these beans. Thread-safe; its lock is
 * never held while a handler starts or stops.
 */
final class RegisteredHandlers {

	private final ReentrantLock lock = new ReentrantLock();

	private final List<DefaultInformerHandlerContainer<?>> containers = new CopyOnWriteArrayList<>();

	/**
	 * Handlers that were registered while the other handlers were stopped. Guarded by the
	 * lock.
	 */
	private final Set<DefaultInformerHandlerContainer<?>> due = Collections.newSetFromMap(new IdentityHashMap<>());

	/** Whether the handlers of the context are started. Guarded by the lock. */
	private boolean running;

	/** Whether the context is closed. Guarded by the lock. */
	private boolean closed;

	List<DefaultInformerHandlerContainer<?>> all() {
		return List.copyOf(this.containers);
	}

	@Nullable DefaultInformerHandlerContainer<?> find(String id) {
		return this.containers.stream().filter((container) -> container.id().equals(id)).findFirst().orElse(null);
	}

	/**
	 * Adds a handler without starting it.
	 * @param added the handler
	 * @param check the check of all handlers including the new one
	 */
	void add(DefaultInformerHandlerContainer<?> added, Consumer<List<DefaultInformerHandlerContainer<?>>> check) {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException(
						"Cannot register handler '%s': the application context is closed".formatted(added.id()));
			}
			List<DefaultInformerHandlerContainer<?>> all = new ArrayList<>(this.containers);
			all.add(added);
			check.accept(all);
			this.containers.add(added);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Starts an added handler now, or later together with the other handlers.
	 * @param added the handler
	 */
	void start(DefaultInformerHandlerContainer<?> added) {
		if (isRunning(added)) {
			added.attach();
			if (!isRunning(added)) {
				// All handlers were stopped while this one was being added.
				added.stop();
			}
		}
	}

	private boolean isRunning(DefaultInformerHandlerContainer<?> added) {
		this.lock.lock();
		try {
			if (!this.running && !added.isRetired()) {
				this.due.add(added);
			}
			return this.running;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Starts the handlers that were registered while the other handlers were stopped.
	 * Called after all other handlers were started.
	 */
	void started() {
		List<DefaultInformerHandlerContainer<?>> starting;
		this.lock.lock();
		try {
			this.running = true;
			starting = List.copyOf(this.due);
			this.due.clear();
		}
		finally {
			this.lock.unlock();
		}
		starting.stream().filter((container) -> !container.isRetired()).forEach(this::start);
	}

	/**
	 * Records that all handlers are about to be stopped.
	 */
	void stopping() {
		this.lock.lock();
		try {
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes a handler after it has drained.
	 * @param removed the handler
	 */
	void remove(DefaultInformerHandlerContainer<?> removed) {
		this.lock.lock();
		try {
			this.due.remove(removed);
		}
		finally {
			this.lock.unlock();
		}
		try {
			removed.retire();
		}
		finally {
			this.containers.remove(removed);
		}
	}

	/**
	 * Removes all handlers. Later registrations are rejected.
	 */
	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
		all().forEach(this::remove);
	}

}
