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
 * The handlers that an application context registers by itself, and which of them are to
 * be started with it. Safe for use by several threads; its lock is never held while a
 * handler is started or stopped.
 */
final class RegisteredHandlers {

	private final ReentrantLock lock = new ReentrantLock();

	private final List<DefaultInformerHandlerContainer<?>> containers = new CopyOnWriteArrayList<>();

	/** Those that were registered while none ran; guarded by the lock. */
	private final Set<DefaultInformerHandlerContainer<?>> due = Collections.newSetFromMap(new IdentityHashMap<>());

	/** Guarded by the lock. */
	private boolean running;

	/** Guarded by the lock. */
	private boolean closed;

	List<DefaultInformerHandlerContainer<?>> all() {
		return List.copyOf(this.containers);
	}

	@Nullable DefaultInformerHandlerContainer<?> find(String id) {
		return this.containers.stream().filter((container) -> container.id().equals(id)).findFirst().orElse(null);
	}

	/**
	 * Adds a handler, which is not started.
	 * @param added the handler
	 * @param check checks the handlers with the one that is added
	 */
	void add(DefaultInformerHandlerContainer<?> added, Consumer<List<DefaultInformerHandlerContainer<?>>> check) {
		this.lock.lock();
		try {
			if (this.closed) {
				throw new IllegalStateException(
						"Handler '%s' cannot be registered: the application context is closed".formatted(added.id()));
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
	 * Starts a handler that was added, now or with all others.
	 * @param added the handler
	 */
	void start(DefaultInformerHandlerContainer<?> added) {
		if (isRunning(added)) {
			added.attach();
			if (!isRunning(added)) {
				// All were stopped meanwhile.
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
	 * Starts those that were registered meanwhile, after all others were started.
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
	 * Notes that all are stopped next.
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
	 * Removes a handler, after it has drained.
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
	 * Removes all handlers, and takes none any more.
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
