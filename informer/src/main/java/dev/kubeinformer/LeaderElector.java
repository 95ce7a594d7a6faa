package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.elector.AlwaysLeading;
import dev.kubeinformer.internal.elector.ElectionLoop;
import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.elector.LeaderTaskRunner;
import dev.kubeinformer.internal.elector.LeaseReporter;
import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.elector.SerialLeaderWork;
import dev.kubeinformer.internal.elector.TermLifecycle;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.LeaderState;
import dev.kubeinformer.leader.LeaderStatus;
import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.spi.CallbackAware;

/**
 * Elects a leader among the replicas of an application, using a Lease
 * ({@code coordination.k8s.io/v1}) in client-go's format.
 * <p>
 * A term stays valid for the renew deadline after its last renewal was sent. The leader
 * measures this time with the wall clock and the monotonic clock, and trusts the clock
 * that has advanced more. Another replica acquires the Lease when the Lease has not
 * changed for the lease duration; that replica trusts the clock that has advanced less.
 * So two processes never lead at the same time if their clocks run at about the same
 * rate. The clocks may show different times.
 * <p>
 * The elector has its own thread and connections. Work and listeners run on other
 * threads, so a call that hangs does not delay a renewal. An elector can be started again
 * after a stop. Thread-safe.
 */
public final class LeaderElector implements Leadership, CallbackAware, AutoCloseable {

	private final LeaderSpec spec;

	private final Supplier<ApiClient> clients;

	private final ElectionLoop.Setting setting;

	private final LeaseReporter board;

	private final TermLifecycle leading;

	// The fields below are guarded by this.

	private @Nullable ElectionLoop life;

	private boolean startAgain;

	LeaderElector(Supplier<ApiClient> clients, LeaderSpec spec, ElectorClocks clocks, ElectionRules rules) {
		this.spec = spec;
		this.clients = clients;
		ElectorThreads threads = new ElectorThreads(spec.name());
		// Random numbers come from the calling thread's generator, so there is no state
		// to share.
		this.setting = new ElectionLoop.Setting(clocks, rules, () -> ThreadLocalRandom.current().nextLong(), threads);
		this.board = new LeaseReporter(spec, clocks);
		this.leading = new TermLifecycle(spec.renewDeadline(), spec.drainTimeout(), clocks, rules, threads, this.board);
	}

	/**
	 * Creates an elector. The elector does nothing before its start.
	 * @param apiClient the supplier of the application's client. The elector uses its
	 * authentication, TLS settings and proxy with separate connections. Called once for
	 * each start, and again as long as it fails
	 * @param spec the settings
	 * @return the elector
	 */
	public static LeaderElector of(Supplier<ApiClient> apiClient, LeaderSpec spec) {
		return new LeaderElector(apiClient, spec, ElectorClocks.system(), new ElectionRules());
	}

	/**
	 * Returns the leadership of a process without other replicas. It always leads, in a
	 * term with the number 0 that never ends.
	 * @return the leadership
	 */
	public static Leadership always() {
		return new AlwaysLeading();
	}

	/**
	 * Returns the settings.
	 * @return the settings
	 */
	public LeaderSpec spec() {
		return this.spec;
	}

	/**
	 * Starts the elector, which then stands for election. Returns at once, and does
	 * nothing if the elector is running. If this is called during a stop, the elector
	 * starts again after the stop has ended.
	 */
	public synchronized void start() {
		ElectionLoop present = this.life;
		if (present != null) {
			this.startAgain = present.isStopping();
			return;
		}
		ElectionLoop next = new ElectionLoop(this.spec, this.clients, this.setting, this.leading, this.board,
				this::ended);
		// Assign only after the start has succeeded, so that a start can be repeated if
		// no thread could be created.
		next.start();
		this.life = next;
		this.startAgain = false;
	}

	private synchronized void ended() {
		this.life = null;
		if (this.startAgain) {
			this.setting.threads().begin(this::restart);
		}
	}

	private synchronized void restart() {
		if (this.startAgain) {
			start();
		}
	}

	/**
	 * Stops the elector: drains the {@linkplain LeaderWork work} while the Lease is still
	 * renewed, then releases the Lease if no work is left. No request is sent after this
	 * method has returned. It returns within the sum of the drain timeout and the renew
	 * deadline. If the calling thread runs work, a listener, or a leader-only handler or
	 * reconciler, this method does not wait for that callback, because it would wait for
	 * itself. The Lease is then released after the callback has ended.
	 */
	public void stop() {
		ElectionLoop present;
		synchronized (this) {
			present = this.life;
			this.startAgain = false;
		}
		if (present != null) {
			present.requestStop();
			if (!isInCallback()) {
				present.awaitEnd();
			}
		}
	}

	/**
	 * Returns whether the calling thread runs {@linkplain LeaderWork work}, a listener,
	 * or a leader-only handler or reconciler. In this case, {@link #stop()} does not wait
	 * for the work to end, because it would wait for itself.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	@Override
	public boolean isInCallback() {
		return this.setting.threads().isCallback() || this.leading.isInCallback();
	}

	/**
	 * Returns whether the elector was started and not stopped.
	 * @return {@code true} if the elector was started and not stopped
	 */
	public synchronized boolean isRunning() {
		return this.startAgain || (this.life != null && !this.life.isStopping());
	}

	/**
	 * Returns the current status of the elector.
	 * @return the status
	 */
	public LeaderStatus status() {
		ElectionLoop present = life();
		LeaseTerm term = this.leading.term();
		LeaderState state = state(present, term);
		Instant since = this.leading.since();
		Duration slack = (term != null) ? Duration.ofNanos(Math.max(0, term.left())) : null;
		List<String> awaiting = (state == LeaderState.SYNCING && present != null) ? present.awaiting() : List.of();
		return new LeaderStatus(state, since, this.spec.identity(), this.spec.namespace(), this.spec.name(), holder(),
				(term != null) ? term.view() : null, slack, awaiting, this.leading.terms(), this.leading.renewals(),
				this.board.lastError(), this.board.missingVerbs());
	}

	private LeaderState state(@Nullable ElectionLoop present, @Nullable LeaseTerm term) {
		if (present == null) {
			return LeaderState.STOPPED;
		}
		if (term != null) {
			return this.leading.isDraining() ? LeaderState.DRAINING : LeaderState.LEADING;
		}
		return present.isStanding() ? LeaderState.STANDBY : LeaderState.SYNCING;
	}

	private synchronized @Nullable ElectionLoop life() {
		return this.life;
	}

	@Override
	public void close() {
		stop();
	}

	@Override
	public boolean isLeader() {
		return this.leading.term() != null;
	}

	@Override
	public @Nullable Term term() {
		LeaseTerm term = this.leading.term();
		return (term != null) ? term.view() : null;
	}

	@Override
	public boolean holds(Term term) {
		LeaseTerm current = this.leading.term();
		return current != null && current.number() == term.number();
	}

	@Override
	public void yield() {
		ElectionLoop present = life();
		if (present != null) {
			present.requestYield();
		}
	}

	@Override
	public @Nullable String holder() {
		ElectionLoop present = life();
		return (present != null) ? present.holder() : null;
	}

	@Override
	public Registration register(LeaderWork work) {
		SerialLeaderWork lane = this.leading.add(work);
		return () -> this.leading.remove(lane);
	}

	@Override
	public Registration runWhileLeader(String name, LeaderTask task) {
		LeaderTaskRunner work = new LeaderTaskRunner(name, task, this.setting.threads());
		Registration registration = register(work);
		return () -> {
			registration.close();
			work.close();
		};
	}

	@Override
	public void addListener(LeadershipListener listener) {
		this.leading.listeners().add(listener);
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		this.leading.listeners().remove(listener);
	}

	@Override
	public String toString() {
		return "LeaderElector of " + this.spec;
	}

}
