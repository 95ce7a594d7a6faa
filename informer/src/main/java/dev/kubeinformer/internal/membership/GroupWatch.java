package dev.kubeinformer.internal.membership;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.LeaseWatchEvent;
import dev.kubeinformer.internal.elector.LeaseFailures;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.lease.GroupLeaseRequests;
import dev.kubeinformer.internal.shards.MemberLease;
import dev.kubeinformer.internal.shards.ViewEvent;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.Problem;

/**
 * Watches the Leases of a group on its own thread. When a watch ends, the next one
 * continues at the version of the last event. If events may be missing, or the watch has
 * shown nothing, the next watch starts only after the next list. If watches fail, a
 * member sees the others only through lists. Only the time at which slots move depends on
 * the watch.
 */
final class GroupWatch implements Runnable {

	/** Longest duration of one watch. */
	private static final Duration LIMIT = Duration.ofMinutes(30);

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	/**
	 * Problems of a connection or server. After such a problem, no event is missed if the
	 * failed watch has delivered an event or a bookmark, and the next watch starts at the
	 * version of the last one.
	 */
	private static final Set<Problem> HARMLESS = EnumSet.of(Problem.SERVER_ERROR, Problem.TIMEOUT, Problem.UNAVAILABLE,
			Problem.THROTTLED, Problem.REFUSED_CONNECTION, Problem.IO, Problem.SILENT);

	/**
	 * Number of retry periods within which a watch must show a renewal of this member;
	 * otherwise it is stale.
	 */
	private static final int STALE = 2;

	private final GroupLeaseRequests requests;

	private final MemberLeases leases;

	private final Duration retryPeriod;

	private final LeaseFailures failures;

	private final Consumer<ViewEvent> events;

	private final CountDownLatch stopped = new CountDownLatch(1);

	// The fields below are guarded by this.

	/** Version at which the next watch starts; {@code null} if a list must come first. */
	private @Nullable String start;

	/** Version of the last event. */
	private String seen = "";

	/**
	 * Write of this member that the watch has not shown yet; {@code null} if there is
	 * none.
	 */
	private @Nullable Awaited awaited;

	/** Whether the current watch has shown an event or a bookmark. */
	private boolean shown;

	/**
	 * Whether, since the last list, a watch has failed to show a write of this member in
	 * time.
	 */
	private boolean stale;

	GroupWatch(GroupLeaseRequests requests, MemberLeases leases, Duration retryPeriod, LeaseFailures failures,
			Consumer<ViewEvent> events) {
		this.requests = requests;
		this.leases = leases;
		this.retryPeriod = retryPeriod;
		this.failures = failures;
		this.events = events;
	}

	/**
	 * Begins to watch after a list.
	 * @param version the version of the list
	 */
	synchronized void begin(String version) {
		this.start = version;
		this.seen = version;
		this.awaited = null;
		this.stale = false;
		notifyAll();
	}

	/**
	 * Checks whether the watch shows writes of this member. If it does not, the watch is
	 * ended, because a connection can be dead without an error.
	 * @param written the version of the last write of this member
	 * @param nanos the reading of the monotonic clock
	 */
	void written(String written, long nanos) {
		synchronized (this) {
			Awaited before = this.awaited;
			if (this.start == null || hasSeen(written)) {
				this.awaited = null;
				return;
			}
			if (before == null || hasSeen(before.version())) {
				this.awaited = new Awaited(written, nanos);
				return;
			}
			if (nanos - before.nanos() < STALE * Durations.nanos(this.retryPeriod)) {
				return;
			}
			this.awaited = null;
			this.stale = true;
		}
		this.requests.endWatch();
	}

	private boolean hasSeen(String version) {
		return !ResourceVersions.isOlder(this.seen, version);
	}

	@Override
	public void run() {
		try {
			while (this.stopped.getCount() > 0) {
				awaitStart();
				follow();
				synchronized (this) {
					this.start = null;
				}
				this.events.accept(new ViewEvent.Interrupted());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private synchronized void awaitStart() throws InterruptedException {
		while (this.start == null && this.stopped.getCount() > 0) {
			wait();
		}
	}

	/**
	 * Watches until events may be missing.
	 */
	private void follow() throws InterruptedException {
		boolean sure = true;
		while (sure && this.stopped.getCount() > 0) {
			Duration pause;
			long opened = System.nanoTime();
			try {
				this.requests.watch(opening(), LIMIT, this::observe);
				this.failures.succeeded("watch");
				boolean shortLived = System.nanoTime() - opened < SHORTEST.toNanos();
				pause = shortLived ? SHORTEST : Duration.ZERO;
			}
			catch (IOException ex) {
				Failure failure = Failure.of(ex);
				failed(failure);
				sure = HARMLESS.contains(failure.problem());
				pause = this.retryPeriod;
			}
			catch (RuntimeException | Error ex) {
				// For example a failure of an interceptor of the application.
				failed(Failure.unexpected(ex));
				sure = false;
				pause = this.retryPeriod;
			}
			sure &= isHealthy();
			this.stopped.await(Durations.nanos(pause), TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Records that a watch is being opened.
	 * @return the version at which it starts
	 */
	private synchronized String opening() {
		this.shown = false;
		return this.seen;
	}

	private synchronized boolean isHealthy() {
		return this.shown && !this.stale;
	}

	private void failed(Failure failure) {
		if (this.stopped.getCount() > 0) {
			this.failures.failed("watch", failure);
		}
	}

	private void observe(LeaseWatchEvent event) {
		if (event.type() != LeaseWatchEvent.Type.BOOKMARK) {
			MemberLease lease = this.leases.read(event.lease());
			this.events.accept((event.type() == LeaseWatchEvent.Type.DELETED) ? new ViewEvent.Deleted(lease)
					: new ViewEvent.Changed(lease));
		}
		synchronized (this) {
			this.seen = event.lease().resourceVersion();
			this.shown = true;
		}
	}

	/**
	 * Ends the watch. The requests are closed separately.
	 */
	synchronized void close() {
		this.stopped.countDown();
		notifyAll();
	}

	/**
	 * Write of this member that the watch should show.
	 *
	 * @param version the version of the Lease
	 * @param nanos the reading of the monotonic clock after the write
	 */
	private record Awaited(String version, long nanos) {

	}

}
