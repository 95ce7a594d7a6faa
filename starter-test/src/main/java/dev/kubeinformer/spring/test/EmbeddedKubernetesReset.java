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
 * Resets the embedded APIs between two tests, and waits until the informers, handlers and
 * reconcilers of the context have processed the deletes. It does not wait until a leader
 * is elected, because a standby is idle, too.
 */
class EmbeddedKubernetesReset {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/**
	 * Time after which informers that lag behind are restarted. After a test has injected
	 * a fault, an informer may wait up to half a minute for its next retry, or watch on a
	 * dead connection.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	/**
	 * Minimum number of polls before informers are restarted. If the machine was
	 * suspended, time has passed in which informers could not catch up.
	 */
	private static final int PATIENT_POLLS = 20;

	private static final Duration POLL = Duration.ofMillis(5);

	/**
	 * Maximum number of resets. After the first one, each reset deletes the objects that
	 * handlers have written in response to deletes. A handler that writes after every
	 * delete reaches this limit, which does not fail the test.
	 */
	private static final int ROUNDS = 3;

	private final EmbeddedClusters clusters;

	private final ApplicationContext context;

	EmbeddedKubernetesReset(EmbeddedClusters clusters, ApplicationContext context) {
		this.clusters = clusters;
		this.context = context;
	}

	/**
	 * Resets the APIs and waits until informers, handlers and reconcilers are idle.
	 * @throws ResetTimeoutException if an informer, handler or reconciler takes too long
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

	// The leader must stay the leader, and a standby must not wait until the Lease of
	// another holder expires.
	private void keepLease(LeaderSpec spec) {
		this.clusters.all()
			.forEach((server) -> server.leader().keepOnReset(spec.namespace(), spec.name(), spec.identity()));
	}

	// The replica must keep its shard, which it would lose without its Lease.
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
			// An informer that had no objects receives no deletes. A bookmark tells it
			// the new resourceVersion.
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
		// When an informer has received a change, its reconcilers have already queued the
		// key.
		return ContextLevels.informers(this.context)
			.flatMap((group) -> group.reconcilers().all().stream())
			.map((reconciler) -> BusyReconciler.describe(reconciler.id(), reconciler.status()))
			.filter(Objects::nonNull)
			.toList();
	}

	// If a test has started another server, its informers are not awaited.
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
