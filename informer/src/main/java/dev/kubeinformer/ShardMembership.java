package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.elector.LeaseTerm;
import dev.kubeinformer.internal.elector.TermLifecycle;
import dev.kubeinformer.internal.membership.MemberLeadership;
import dev.kubeinformer.internal.membership.MemberSession;
import dev.kubeinformer.internal.membership.MembersBoard;
import dev.kubeinformer.internal.membership.MembershipLoop;
import dev.kubeinformer.internal.membership.MembershipReporter;
import dev.kubeinformer.internal.membership.SlotWorks;
import dev.kubeinformer.internal.shards.ShardRules;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardMember;
import dev.kubeinformer.shard.ShardWork;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;
import dev.kubeinformer.shard.ShardsState;
import dev.kubeinformer.shard.ShardsStatus;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.types.Slots;

/**
 * Membership of this process in a group of replicas that share the objects of a cluster.
 * The objects are divided into {@linkplain Slots slots}. Each member renews one Lease
 * ({@code coordination.k8s.io/v1}) of its own, which names the slots that it holds. All
 * members compute from these Leases which member each slot belongs to, and get the same
 * result.
 * <p>
 * A member holds its slots for the renew deadline after its last renewal was sent. A slot
 * moves when its holder has ended all work of the slot and released it, or has not
 * renewed its Lease for the lease duration. So two processes never work on a slot at the
 * same time if their clocks run at about the same rate.
 * <p>
 * The membership has its own thread and connections. Work and listeners run on other
 * threads, so a call that hangs does not delay a renewal. A membership can be started
 * again after a stop. Thread-safe.
 */
public final class ShardMembership implements Shards, CallbackAware, AutoCloseable {

	private final ShardsSpec spec;

	private final Supplier<ApiClient> clients;

	private final MembershipLoop.Setting setting;

	private final TermLifecycle terms;

	private final SlotWorks works;

	private final MembersBoard board;

	private final MembershipReporter reports;

	private final MemberSession session;

	private final MemberLeadership membership;

	// The fields below are guarded by this.

	private @Nullable MembershipLoop life;

	private boolean startAgain;

	private ShardsState lastState = ShardsState.STOPPED;

	private Instant since;

	ShardMembership(Supplier<ApiClient> clients, ShardsSpec spec, ElectorClocks clocks, ShardRules rules) {
		this.spec = spec;
		this.clients = clients;
		ElectorThreads threads = new ElectorThreads("shards-" + spec.group(),
				"The member of group '%s'".formatted(spec.group()));
		// Random numbers come from the calling thread's generator, so there is no state
		// to share.
		this.setting = new MembershipLoop.Setting(clocks, rules, () -> ThreadLocalRandom.current().nextLong(), threads);
		this.works = new SlotWorks(spec.slots().total(), spec.retryPeriod(), spec.drainTimeout(), threads);
		this.reports = new MembershipReporter(spec, clocks, this.works);
		this.terms = new TermLifecycle(spec.renewDeadline(), spec.drainTimeout(), clocks, new ElectionRules(), threads,
				this.reports);
		this.board = new MembersBoard(spec, this::slots, clocks::now);
		this.session = new MemberSession(spec, this.terms, this.works, this.board, this.reports);
		this.membership = new MemberLeadership(spec.identity(), this.terms, threads);
		this.since = clocks.now();
	}

	/**
	 * Creates a membership. It does nothing before its start.
	 * @param apiClient the supplier of the application's client. The membership uses its
	 * authentication, TLS settings and proxy with separate connections. Called once for
	 * each start, and again as long as it fails
	 * @param spec the settings
	 * @return the membership
	 */
	public static ShardMembership of(Supplier<ApiClient> apiClient, ShardsSpec spec) {
		return new ShardMembership(apiClient, spec, ElectorClocks.system(), new ShardRules());
	}

	/**
	 * Returns the settings.
	 * @return the settings
	 */
	public ShardsSpec spec() {
		return this.spec;
	}

	/**
	 * Starts the membership, which then joins the group. Returns at once, and does
	 * nothing if the membership is running. If this is called during a stop, the
	 * membership starts again after the stop has ended.
	 */
	public synchronized void start() {
		MembershipLoop present = this.life;
		if (present != null) {
			this.startAgain = present.isStopping();
			return;
		}
		MembershipLoop next = new MembershipLoop(this.spec, this.clients, this.setting, this.session, this::ended);
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
	 * Stops the membership: hands all slots over while the Lease is still renewed, then
	 * deletes the Lease. No request is sent after this method has returned. It returns
	 * within the sum of the drain timeout and the renew deadline. If the calling thread
	 * runs {@linkplain ShardWork work}, a listener, or a handler or reconciler of a slot,
	 * this method does not wait for that callback, because it would wait for itself. The
	 * slots are then released after the callback has ended.
	 */
	public void stop() {
		MembershipLoop present;
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
	 * Returns whether the calling thread runs {@linkplain ShardWork work}, a listener, or
	 * a handler or reconciler of a slot. In this case, {@link #stop()} does not wait for
	 * the work to end, because it would wait for itself.
	 * @return {@code true} if the calling thread runs such a callback
	 */
	@Override
	public boolean isInCallback() {
		return this.setting.threads().isCallback() || this.works.isInCallback() || this.terms.isInCallback();
	}

	/**
	 * Returns whether the membership was started and not stopped.
	 * @return {@code true} if the membership was started and not stopped
	 */
	public synchronized boolean isRunning() {
		return this.startAgain || (this.life != null && !this.life.isStopping());
	}

	/**
	 * Returns the current status of the membership.
	 * @return the status
	 */
	public synchronized ShardsStatus status() {
		MembershipLoop present = this.life;
		LeaseTerm term = this.terms.term();
		ShardsState state = state(present, term);
		if (state != this.lastState) {
			this.lastState = state;
			this.since = this.setting.clocks().now();
		}
		Duration slack = (term != null) ? Duration.ofNanos(Math.max(0, term.left())) : null;
		return new ShardsStatus(state, this.since, this.spec.identity(), this.spec.namespace(), this.spec.group(),
				(present != null) ? present.lease() : null, this.spec.slots(), slots(), this.works.draining(),
				members(), this.board.vacant(), isSettled(), (term != null) ? term.view() : null, slack,
				this.session.refusedBy(), this.terms.renewals(), this.works.gainedCount(), this.works.lostCount(),
				this.reports.lastError(), this.reports.missingVerbs());
	}

	private ShardsState state(@Nullable MembershipLoop present, @Nullable LeaseTerm term) {
		if (present == null) {
			return ShardsState.STOPPED;
		}
		if (present.isStopping()) {
			return ShardsState.LEAVING;
		}
		if (present.isSyncing()) {
			return ShardsState.SYNCING;
		}
		if (this.session.refusedBy() != null) {
			return ShardsState.REFUSED;
		}
		return (term != null) ? ShardsState.ACTIVE : ShardsState.JOINING;
	}

	@Override
	public void close() {
		stop();
	}

	@Override
	public Slots division() {
		return this.spec.slots();
	}

	@Override
	public Duration leaseDuration() {
		return this.spec.leaseDuration();
	}

	@Override
	public boolean owns(int slot) {
		return this.works.owns(slot);
	}

	@Override
	public Set<Integer> slots() {
		return (this.terms.term() != null) ? this.works.slots() : Set.of();
	}

	@Override
	public List<ShardMember> members() {
		return this.board.members();
	}

	@Override
	public boolean isSettled() {
		return this.works.isSettled();
	}

	@Override
	public Leadership membership() {
		return this.membership;
	}

	@Override
	public Leadership.Registration register(ShardWork work) {
		return this.works.register(work);
	}

	@Override
	public void addListener(ShardListener listener) {
		this.works.listeners().add(listener);
	}

	@Override
	public void removeListener(ShardListener listener) {
		this.works.listeners().remove(listener);
	}

	@Override
	public String toString() {
		return "ShardMembership of " + this.spec;
	}

}
