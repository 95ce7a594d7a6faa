package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.springframework.context.ApplicationContext;

import dev.kubeinformer.Informers;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * The reset between two tests: it empties the embedded API and waits until the informers,
 * handlers and reconcilers of the context are through with that.
 */
class EmbeddedKubernetesReset {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	/**
	 * How long informers may take by themselves. The faults of a test make them wait up
	 * to half a minute before they try again, or listen to a watch that is idle.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration POLL = Duration.ofMillis(5);

	/**
	 * How often what handlers write in answer to the deletes is deleted too. A handler
	 * that writes without end is no reason to fail.
	 */
	private static final int ROUNDS = 3;

	private final EmbeddedKubernetes kubernetes;

	private final ApplicationContext context;

	EmbeddedKubernetesReset(EmbeddedKubernetes kubernetes, ApplicationContext context) {
		this.kubernetes = kubernetes;
		this.context = context;
	}

	/**
	 * Resets the API and waits until all informers have followed.
	 * @throws ResetTimeoutException if an informer or handler takes too long
	 */
	void run() {
		long deadline = System.nanoTime() + LIMIT.toNanos();
		try {
			String revision;
			int round = 0;
			do {
				revision = this.kubernetes.reset();
				awaitQuiet(revision, deadline);
				round++;
			}
			while (round < ROUNDS && !revision.equals(this.kubernetes.resourceVersion()));
		}
		finally {
			this.kubernetes.clearRequests();
		}
	}

	private void awaitQuiet(String revision, long deadline) {
		long restart = System.nanoTime() + PATIENCE.toNanos();
		boolean restarted = false;
		List<Progress> laggards = laggards(revision);
		List<String> busy = busyReconcilers();
		while (!laggards.isEmpty() || !busy.isEmpty()) {
			if (System.nanoTime() - deadline > 0) {
				throw new ResetTimeoutException(LIMIT,
						Stream.concat(laggards.stream().flatMap(Progress::left), busy.stream()).toList(),
						OpenTransaction.isThere());
			}
			// For informers of whose objects none was deleted.
			this.kubernetes.sendBookmarks();
			if (!restarted && System.nanoTime() - restart > 0) {
				laggards.forEach(Progress::restartIfBehind);
				restarted = true;
			}
			pause();
			laggards = laggards(revision);
			busy = busyReconcilers();
		}
	}

	private Stream<Informers> informers() {
		// Each level by itself: names that a context shares with its parent hide those.
		return Stream.<ApplicationContext>iterate(this.context, Objects::nonNull, ApplicationContext::getParent)
			.flatMap((level) -> level.getBeansOfType(Informers.class).values().stream());
	}

	private List<String> busyReconcilers() {
		// They have seen what their informers have.
		return informers().flatMap((group) -> group.reconcilers().all().stream())
			.map((reconciler) -> BusyReconciler.describe(reconciler.id(), reconciler.status()))
			.filter(Objects::nonNull)
			.toList();
	}

	private List<Progress> laggards(String revision) {
		return informers().flatMap((group) -> group.all().stream())
			.map((informer) -> new Progress(informer, revision))
			.filter(Progress::isLeft)
			.toList();
	}

	private static void pause() {
		try {
			Thread.sleep(POLL.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted in the reset between tests", ex);
		}
	}

}
