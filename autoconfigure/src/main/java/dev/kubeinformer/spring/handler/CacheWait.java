package dev.kubeinformer.spring.handler;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerSpec;
import dev.kubeinformer.InformerStatus;
import dev.kubeinformer.Informers;
import dev.kubeinformer.types.InformerState;

/**
 * What a handler waits for before events are delivered to it: its own cache and those
 * that its bean reads, as client-go's {@code WaitForCacheSync}. One that was full once is
 * not waited for again: its content outlives a restart, and is then as old as that of any
 * cache whose watch is down. One that is not started is not waited for at all, for
 * nothing says that it ever will be.
 */
final class CacheWait {

	/**
	 * After so long it is looked up anew whether there is still something to wait for.
	 */
	private static final Duration ROUND = Duration.ofMillis(100);

	private final Informers informers;

	private final InformerSpec<?> source;

	private final Supplier<Set<Informer<?>>> injected;

	/**
	 * Creates the wait of a handler.
	 * @param informers all informers
	 * @param source what the handler's own informer caches
	 * @param injected gives the informers that the bean reads, as far as is known by now
	 */
	CacheWait(Informers informers, InformerSpec<?> source, Supplier<Set<Informer<?>>> injected) {
		this.informers = informers;
		this.source = source;
		this.injected = injected;
	}

	/**
	 * Returns whether events may be delivered.
	 * @return whether the handler's own informer runs, and no cache is awaited
	 */
	boolean isOver() {
		Informer<?> own = own();
		return own != null && isOn(own.status()) && own.status().sync().everSynced()
				&& this.injected.get().stream().noneMatch(this::isAwaited);
	}

	/**
	 * Returns the caches that are awaited.
	 * @return the ids of their informers
	 */
	List<String> awaited() {
		Set<Informer<?>> all = new LinkedHashSet<>();
		Informer<?> own = own();
		if (own != null) {
			all.add(own);
		}
		all.addAll(this.injected.get());
		return all.stream().filter(this::isAwaited).map(Informer::id).sorted().toList();
	}

	private @Nullable Informer<?> own() {
		return this.informers.all()
			.stream()
			.filter((informer) -> informer.spec().equals(this.source))
			.findFirst()
			.orElse(null);
	}

	private boolean isAwaited(Informer<?> informer) {
		InformerStatus status = informer.status();
		// All are started one after the other.
		boolean starts = status.state() == InformerState.NEW && this.informers.isRunning();
		return !status.sync().everSynced() && (starts || isOn(status));
	}

	private static boolean isOn(InformerStatus status) {
		return status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
	}

	/**
	 * Waits in a callback of the handler for what its bean reads.
	 * @param running whether the handler still runs
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if handler or informers are stopped meanwhile
	 */
	void await(BooleanSupplier running) throws InterruptedException {
		for (Informer<?> informer : this.injected.get()) {
			await(informer, running);
		}
	}

	/**
	 * Waits in a callback of the handler for one cache.
	 * @param informer its informer
	 * @param running whether the handler still runs
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if handler or informers are stopped meanwhile
	 */
	void await(Informer<?> informer, BooleanSupplier running) throws InterruptedException {
		boolean allRan = this.informers.isRunning();
		while (isAwaited(informer)) {
			long began = System.nanoTime();
			if (!informer.awaitSync(ROUND)) {
				// A cache that is being stopped ends all waits at once.
				TimeUnit.NANOSECONDS.sleep(ROUND.toNanos() - (System.nanoTime() - began));
			}
			if (!running.getAsBoolean() || (allRan && !this.informers.isRunning())) {
				throw new IllegalStateException(
						"Stopped before the cache of informer '%s' was filled, which the handler waits for"
							.formatted(informer.id()));
			}
		}
	}

}
