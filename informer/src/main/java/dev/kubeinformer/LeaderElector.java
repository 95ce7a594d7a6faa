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

/**
 * Elector of a leader among the replicas of an application, by a Lease
 * ({@code coordination.k8s.io/v1}) as client-go writes it.
 * <p>
 * A term is valid for the renew deadline, counted from when its last renewal was sent, by
 * whichever clock of this process has advanced more. Others take the Lease when it has
 * not changed for its duration, by whichever of their own clocks has advanced less. So no
 * two processes lead at the same time as long as clocks run at about the same rate;
 * whether they show the same time does not matter.
 * <p>
 * The elector has a thread and connections of its own. Work and listeners are called in
 * other threads; what hangs there delays no renewal. It may be started again after it was
 * stopped. Safe for use by several threads.
 */
public final class LeaderElector implements Leadership, AutoCloseable {

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
		// Each call draws from the generator of its thread: there is no state to share.
		this.setting = new ElectionLoop.Setting(clocks, rules, () -> ThreadLocalRandom.current().nextLong(), threads);
		this.board = new LeaseReporter(spec, clocks);
		this.leading = new TermLifecycle(spec, clocks, rules, threads, this.board);
	}

	/**
	 * Creates an elector. It does nothing until it is started.
	 * @param apiClient gives the client of the application, whose authentication, TLS and
	 * proxy are used over connections of the elector's own; asked once for each start,
	 * and again as long as it fails
	 * @param spec the settings
	 * @return the elector
	 */
	public static LeaderElector of(Supplier<ApiClient> apiClient, LeaderSpec spec) {
		return new LeaderElector(apiClient, spec, ElectorClocks.system(), new ElectionRules());
	}

	/**
	 * Returns the leadership of a process that is alone: it always leads, in a term of
	 * the number 0 that never ends.
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
	 * Stands for election. Returns at once; does nothing if it was started. Where a stop
	 * is under way, it starts again after that.
	 */
	public synchronized void start() {
		ElectionLoop present = this.life;
		if (present != null) {
			this.startAgain = present.isStopping();
			return;
		}
		ElectionLoop next = new ElectionLoop(this.spec, this.clients, this.setting, this.leading, this.board,
				this::ended);
		// Not before it has started, so that a start without a thread can be repeated.
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
	 * Drains work while renewals go on, releases the Lease if nothing is under way any
	 * more, and stands no more. Nothing is sent after it has returned. Returns within the
	 * drain timeout and the renew deadline; does not wait where it is called from work or
	 * a listener, which it would wait for.
	 */
	public void stop() {
		ElectionLoop present;
		synchronized (this) {
			present = this.life;
			this.startAgain = false;
		}
		if (present != null) {
			present.requestStop();
			if (!this.setting.threads().isCallback()) {
				present.awaitEnd();
			}
		}
	}

	/**
	 * Returns whether the elector was started and not stopped.
	 * @return whether it stands for election or leads
	 */
	public synchronized boolean isRunning() {
		return this.startAgain || (this.life != null && !this.life.isStopping());
	}

	/**
	 * Returns what the elector is doing.
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
