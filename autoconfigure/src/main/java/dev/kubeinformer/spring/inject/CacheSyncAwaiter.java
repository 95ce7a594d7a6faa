package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Waits for the caches that a bean reads, like client-go's {@code WaitForCacheSync}. A
 * cache that was ever synced is not awaited again, because its content survives a restart
 * and is then only outdated, as when a watch is down. A cache that is not started is not
 * awaited, because it may never be started. Internal to the starter.
 */
public final class CacheSyncAwaiter {

	/**
	 * Interval for checking again whether the wait is still needed.
	 */
	private static final Duration ROUND = Duration.ofMillis(100);

	private final ClusterRuntimes clusters;

	/**
	 * Creates an instance.
	 * @param clusters all clusters, which are started and stopped independently
	 */
	public CacheSyncAwaiter(ClusterRuntimes clusters) {
		this.clusters = clusters;
	}

	/**
	 * Returns whether no cache of any cluster is awaited.
	 * @return {@code true} if all caches have been filled
	 */
	public boolean isNothingAwaited() {
		return this.clusters.all()
			.stream()
			.flatMap((cluster) -> cluster.informers().all().stream())
			.allMatch((informer) -> informer.status().sync().everSynced());
	}

	/**
	 * Returns whether a cache is awaited.
	 * @param informer its informer
	 * @return {@code true} if the cache is being filled for the first time, or will be
	 */
	public boolean isAwaited(Informer<?> informer) {
		InformerStatus status = informer.status();
		// All informers are started one after the other.
		boolean starts = status.state() == InformerState.NEW && this.clusters.isStarted(informer);
		return !status.sync().everSynced() && (starts || isOn(status));
	}

	/**
	 * Returns whether an informer is started.
	 * @param status its status
	 * @return {@code true} if the informer is started
	 */
	public static boolean isOn(InformerStatus status) {
		return status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
	}

	/**
	 * Waits in a callback for one cache.
	 * @param informer its informer
	 * @param running whether the handler or reconciler is still running
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if the handler, the reconciler or the informers are
	 * stopped during the wait
	 */
	public void await(Informer<?> informer, BooleanSupplier running) throws InterruptedException {
		boolean allRan = this.clusters.isStarted(informer);
		while (isAwaited(informer)) {
			await(informer, ROUND.toNanos());
			if (!running.getAsBoolean() || (allRan && !this.clusters.isStarted(informer))) {
				throw new IllegalStateException(
						"Stopped while waiting for the cache of informer '%s'".formatted(informer.id()));
			}
		}
	}

	/**
	 * Waits for one cache for a limited time, and no longer than its informer is started.
	 * @param informer the informer
	 * @param timeout the time limit
	 * @return {@code false} if the cache is still awaited
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean await(Informer<?> informer, Duration timeout) throws InterruptedException {
		long began = System.nanoTime();
		long limit = TimeUnit.NANOSECONDS.convert(timeout);
		while (isAwaited(informer)) {
			long left = limit - (System.nanoTime() - began);
			if (left <= 0) {
				return false;
			}
			await(informer, Math.min(left, ROUND.toNanos()));
		}
		return true;
	}

	private static void await(Informer<?> informer, long nanos) throws InterruptedException {
		long began = System.nanoTime();
		if (!informer.awaitSync(Duration.ofNanos(nanos))) {
			// A cache that is being stopped ends all waits at once, so limit the rate of
			// the caller's loop.
			TimeUnit.NANOSECONDS.sleep(nanos - (System.nanoTime() - began));
		}
	}

}
