package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.workqueue.BusyKeys;

/**
 * Waits for several reconcilers to be idle at the same time. First their caches must
 * catch up with the API server; then no reconciler may be busy. If a run was active at
 * the beginning or has begun since, everything is repeated: the run may have written
 * something that a cache does not show yet.
 */
final class IdleAwaiter {

	private static final Logger logger = LoggerFactory.getLogger(ReconcilerContainer.class);

	private final List<DefaultReconcilerContainer<?>> containers;

	private final LongSupplier nanoTime;

	IdleAwaiter(Collection<DefaultReconcilerContainer<?>> containers, LongSupplier nanoTime) {
		this.containers = List.copyOf(containers);
		this.nanoTime = nanoTime;
	}

	/**
	 * Waits until all reconcilers are idle.
	 * @param timeout the longest time to wait
	 * @return {@code true} if all are idle; reconcilers that are not started count as
	 * idle
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean await(Duration timeout) throws InterruptedException {
		for (DefaultReconcilerContainer<?> container : this.containers) {
			if (container.isInCallback()) {
				throw new IllegalStateException("A run of %s cannot wait for it to be idle".formatted(container));
			}
		}
		long until = this.nanoTime.getAsLong() + Durations.nanos(timeout);
		while (true) {
			List<DefaultReconcilerContainer<?>> started = this.containers.stream()
				.filter(DefaultReconcilerContainer::isRunning)
				.toList();
			long before = runs(started);
			boolean idleBefore = areIdle(started);
			if (!areCurrent(started, until)) {
				return late(started);
			}
			if (!awaitIdle(started, until)) {
				return late(started);
			}
			if (idleBefore && runs(started) == before) {
				return true;
			}
		}
	}

	private boolean areCurrent(List<DefaultReconcilerContainer<?>> started, long until) throws InterruptedException {
		for (DefaultReconcilerContainer<?> container : started) {
			SourceSet<?> sources = container.sources();
			if (sources == null) {
				continue;
			}
			if (!container.awaitReady(left(until)) || !sources.isCurrent(() -> left(until))) {
				return !container.isRunning();
			}
		}
		return true;
	}

	// Repeat until a full round finds all of them idle; only then are they idle at the
	// same time.
	private boolean awaitIdle(List<DefaultReconcilerContainer<?>> started, long until) throws InterruptedException {
		while (!areIdle(started)) {
			for (DefaultReconcilerContainer<?> container : started) {
				if (!container.loop().idleSignal().await(container::isIdle, () -> left(until).toNanos())) {
					return false;
				}
			}
		}
		return true;
	}

	private static boolean areIdle(List<DefaultReconcilerContainer<?>> started) {
		return started.stream().allMatch(DefaultReconcilerContainer::isIdle);
	}

	private static long runs(List<DefaultReconcilerContainer<?>> started) {
		return started.stream().mapToLong((container) -> container.loop().busy().runsStarted()).sum();
	}

	private Duration left(long until) {
		return Duration.ofNanos(Math.max(0, until - this.nanoTime.getAsLong()));
	}

	private static boolean late(List<DefaultReconcilerContainer<?>> started) {
		for (DefaultReconcilerContainer<?> container : started) {
			BusyKeys busy = container.loop().busy();
			List<String> why = new ArrayList<>();
			if (!container.hasSynced()) {
				why.add("its sources are not synced");
			}
			ReconcilerStatus.SlotRuns slots = container.status().slots();
			if (slots != null && !slots.waiting().isEmpty()) {
				why.add("slots %s wait for their caches".formatted(new TreeSet<>(slots.waiting())));
			}
			if (!busy.isIdle()) {
				why.add("%d keys are busy: %s".formatted(busy.count(), String.join(", ", busy.names())));
			}
			logger.warn("{} did not become idle in time: {}", container,
					why.isEmpty() ? "runs go on, or a cache is behind the API server" : String.join("; ", why));
		}
		return false;
	}

}
