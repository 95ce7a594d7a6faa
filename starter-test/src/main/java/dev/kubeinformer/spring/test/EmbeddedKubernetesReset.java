package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.context.ApplicationContext;

import dev.kubeinformer.LeaderElector;
import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Reset between two tests. It empties the embedded APIs and waits until the informers,
 * handlers and reconcilers of the context have processed the deletes. It does not wait
 * for leader election: a standby replica is idle, too.
 */
class EmbeddedKubernetesReset {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/**
	 * Timeout for informers that recover without help. After a fault of a test they wait
	 * up to half a minute for the next retry, or watch an idle connection.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * Minimum number of polls before the timeout. A machine that was suspended gave
	 * informers no time in between.
	 */
	private static final int PATIENT_POLLS = 20;

	private static final Duration POLL = Duration.ofMillis(5);

	/**
	 * Maximum number of rounds that delete what handlers write in response to deletes. A
	 * handler that writes forever does not fail the test.
	 */
	private static final int ROUNDS = 3;

	private final EmbeddedClusters clusters;

	private final ApplicationContext context;

	EmbeddedKubernetesReset(EmbeddedClusters clusters, ApplicationContext context) {
		this.clusters = clusters;
		this.context = context;
	}

	/**
	 * Resets the APIs and waits until all informers have followed.
	 * @throws ResetTimeoutException if an informer or handler takes too long
	 */
	void run() {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		try {
			Map<String, String> revisions;
			int round = 0;
			do {
				revisions = resetServers();
				awaitQuiet(revisions, deadline);
				round++;
			}
			while (round < ROUNDS && !revisions.equals(perServer(EmbeddedKubernetes::resourceVersion)));
		}
		finally {
			this.clusters.all().forEach(EmbeddedKubernetes::clearRequests);
		}
	}

	private Map<String, String> resetServers() {
		ContextLevels.of(this.context)
			.flatMap((level) -> level.getBeansOfType(LeaderElector.class).values().stream())
			.map(LeaderElector::spec)
			.forEach(this::keepLease);
		ContextLevels.of(this.context)
			.flatMap((level) -> level.getBeansOfType(ShardMembership.class).values().stream())
			.map(ShardMembership::status)
			.forEach(this::keepLease);
		return perServer(EmbeddedKubernetes::reset);
	}

	// A leader stays leader. A standby must not wait for the end of another holder's
	// term, as it would without the
	// Lease.
	private void keepLease(LeaderSpec spec) {
		this.clusters.all()
			.forEach((server) -> server.leader().keepOnReset(spec.namespace(), spec.name(), spec.identity()));
	}

	// A member keeps its slots.
	private void keepLease(ShardsStatus member) {
		String lease = member.lease();
		if (lease != null) {
			this.clusters.all()
				.forEach((server) -> server.leader().keepOnReset(member.namespace(), lease, member.identity()));
		}
	}

	private Map<String, String> perServer(Function<EmbeddedKubernetes, String> revision) {
		Map<String, String> revisions = new LinkedHashMap<>();
		this.clusters.servers().forEach((cluster, server) -> revisions.put(cluster, revision.apply(server)));
		return revisions;
	}

	private void awaitQuiet(Map<String, String> revisions, long deadline) {
		long restart = System.nanoTime() + PATIENCE.toNanos();
		int polls = 0;
		boolean restarted = false;
		List<Progress> laggards = laggards(revisions);
		List<String> busy = busyReconcilers();
		while (!laggards.isEmpty() || !busy.isEmpty()) {
			if (System.nanoTime() - deadline > 0) {
				throw new ResetTimeoutException(LIMIT,
						Stream.concat(laggards.stream().flatMap(Progress::left), busy.stream()).toList(),
						OpenTransaction.isThere());
			}
			// Bookmarks reach informers whose objects were not deleted.
			this.clusters.all().forEach(EmbeddedKubernetes::sendBookmarks);
			polls++;
			if (!restarted && polls > PATIENT_POLLS && System.nanoTime() - restart > 0) {
				laggards.forEach(Progress::restartIfBehind);
				restarted = true;
			}
			pause();
			laggards = laggards(revisions);
			busy = busyReconcilers();
		}
	}

	private List<String> busyReconcilers() {
		// The reconcilers have seen what their informers have seen.
		return ContextLevels.informers(this.context)
			.flatMap((group) -> group.reconcilers().all().stream())
			.map((reconciler) -> BusyReconciler.describe(reconciler.id(), reconciler.status()))
			.filter(Objects::nonNull)
			.toList();
	}

	// The contents of a test's own server are unknown here.
	private List<Progress> laggards(Map<String, String> revisions) {
		return revisions.entrySet()
			.stream()
			.flatMap((cluster) -> informers(cluster.getKey())
				.map((informer) -> new Progress(informer, cluster.getValue())))
			.filter(Progress::isLeft)
			.toList();
	}

	private Stream<? extends Informer<?>> informers(String cluster) {
		return ContextLevels.informers(this.context)
			.filter((group) -> group.cluster().equals(cluster))
			.flatMap((group) -> group.all().stream());
	}

	private static void pause() {
		try {
			Thread.sleep(POLL.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The reset between tests was interrupted", ex);
		}
	}

}
