package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Waits for the caches that a bean reads, like client-go's {@code WaitForCacheSync}.
 * Waits only for the first sync of a cache: if the informer is stopped and started again,
 * the cache keeps its objects, which are merely outdated, as during an interrupted watch.
 * Does not wait for the cache of an informer that is not started, because this informer
 * may never be started. Internal to the starter.
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
	 * Returns whether all caches of all clusters have been filled, so that nothing has to
	 * wait.
	 * @return {@code true} if each cache was synced at least once
	 */
	public boolean isNothingAwaited() {
		return this.clusters.all()
			.stream()
			.flatMap((cluster) -> cluster.informers().all().stream())
			.allMatch((informer) -> informer.status().sync().everSynced());
	}

	/**
	 * Returns whether a reader of a cache has to wait.
	 * @param informer the informer of the cache
	 * @return {@code true} if the cache is being filled for the first time, or will be
	 */
	public boolean isAwaited(Informer<?> informer) {
		InformerStatus status = informer.status();
		// The informers of a cluster are started in sequence, so a new one may start
		// soon.
		boolean starts = status.state() == InformerState.NEW && this.clusters.isStarted(informer);
		return !status.sync().everSynced() && (starts || isOn(status));
	}

	/**
	 * Returns whether an informer is started.
	 * @param status the status of the informer
	 * @return {@code true} if the informer is started
	 */
	public static boolean isOn(InformerStatus status) {
		return status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
	}

	/**
	 * Waits in a callback for one cache.
	 * @param informer the informer of the cache
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
	 * Waits for one cache for a limited time. The wait also ends when the informer is
	 * stopped.
	 * @param informer the informer
	 * @param timeout the time limit
	 * @return {@code false} if the time has passed and the cache is not filled
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
			// If the informer is being stopped, the wait ends at once. Sleep for the rest
			// of the time, so that the caller's loop does not spin.
			TimeUnit.NANOSECONDS.sleep(nanos - (System.nanoTime() - began));
		}
	}

}
