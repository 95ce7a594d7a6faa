package dev.kubeinformer.spring.inject;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.types.InformerState;

/**
 * Wait for a cache that a bean reads, as client-go's {@code WaitForCacheSync}. One that
 * was full once is not waited for again: its content outlives a restart, and is then as
 * old as that of any cache whose watch is down. One that is not started is not waited for
 * at all, for nothing says that it ever will be. Internal to the starter.
 */
public final class CacheSyncAwaiter {

	/**
	 * After so long it is looked up anew whether there is still something to wait for.
	 */
	private static final Duration ROUND = Duration.ofMillis(100);

	private final ClusterRuntimes clusters;

	/**
	 * Creates the wait.
	 * @param clusters all clusters, each of which is started and stopped by itself
	 */
	public CacheSyncAwaiter(ClusterRuntimes clusters) {
		this.clusters = clusters;
	}

	/**
	 * Returns whether no cache of any cluster is waited for.
	 * @return whether all have been filled
	 */
	public boolean isNothingAwaited() {
		return this.clusters.all()
			.stream()
			.flatMap((cluster) -> cluster.informers().all().stream())
			.allMatch((informer) -> informer.status().sync().everSynced());
	}

	/**
	 * Returns whether a cache is waited for.
	 * @param informer its informer
	 * @return whether it is being filled for the first time, or will be
	 */
	public boolean isAwaited(Informer<?> informer) {
		InformerStatus status = informer.status();
		// All are started one after the other.
		boolean starts = status.state() == InformerState.NEW && this.clusters.isStarted(informer);
		return !status.sync().everSynced() && (starts || isOn(status));
	}

	/**
	 * Returns whether an informer is started.
	 * @param status its status
	 * @return whether it is
	 */
	public static boolean isOn(InformerStatus status) {
		return status.state() != InformerState.NEW && status.state() != InformerState.STOPPED;
	}

	/**
	 * Waits in a callback for one cache.
	 * @param informer its informer
	 * @param running whether the handler or reconciler still runs
	 * @throws InterruptedException if the thread is interrupted
	 * @throws IllegalStateException if it or the informers are stopped meanwhile
	 */
	public void await(Informer<?> informer, BooleanSupplier running) throws InterruptedException {
		boolean allRan = this.clusters.isStarted(informer);
		while (isAwaited(informer)) {
			long began = System.nanoTime();
			if (!informer.awaitSync(ROUND)) {
				// A cache that is being stopped ends all waits at once.
				TimeUnit.NANOSECONDS.sleep(ROUND.toNanos() - (System.nanoTime() - began));
			}
			if (!running.getAsBoolean() || (allRan && !this.clusters.isStarted(informer))) {
				throw new IllegalStateException(
						"Stopped before the cache of informer '%s' was filled, which is waited for"
							.formatted(informer.id()));
			}
		}
	}

}
