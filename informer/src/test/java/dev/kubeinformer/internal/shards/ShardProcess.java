package dev.kubeinformer.internal.shards;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ClockReading;

/**
 * Process in the simulator: the loop of a membership, with its fence and its work. It may
 * be suspended between any two of its steps.
 */
final class ShardProcess {

	private static final long CALL_TIMEOUT = ShardWorld.TIMES.renewDeadline().toNanos() / 4;

	private static final long DEADLINE = ShardWorld.TIMES.renewDeadline().toNanos();

	private final ShardWorld world;

	private final String name;

	private final int slots;

	private final ProcessClocks clocks;

	private final GroupMember membership;

	private final SimulatedWatch watch;

	private final ShardWork work;

	/** Slots that were gained and not lost, by the notices. */
	private SlotSet owned = SlotSet.none();

	private SlotSet drained = SlotSet.none();

	private @Nullable MemberTerm fence;

	private boolean lost;

	private boolean over;

	private boolean partitioned;

	private long suspendedUntil;

	private boolean leave;

	private boolean giveUp;

	private boolean awake = true;

	/** The sleep that is under way; what wakes the loop makes a new one. */
	private @Nullable Object sleep;

	private int requests;

	private int renewals;

	private long lastRenewal;

	private String unevenness = "";

	ShardProcess(ShardWorld world, String name, int slots) {
		this.world = world;
		this.name = name;
		this.slots = slots;
		this.clocks = new ProcessClocks(world.random);
		this.membership = new GroupMember(name, name, slots, ShardWorld.TIMES, world.rules, world.random, read());
		this.watch = new SimulatedWatch(world, this);
		this.work = new ShardWork(world, this);
	}

	void start() {
		in(this.world.millis(0, 100), this::turn);
		in(this.world.millis(0, 250), this::checkTerm);
		this.work.start();
	}

	String name() {
		return this.name;
	}

	int slots() {
		return this.slots;
	}

	ShardWork work() {
		return this.work;
	}

	SimulatedWatch watch() {
		return this.watch;
	}

	boolean isOver() {
		return this.over;
	}

	boolean isLeaving() {
		return this.leave;
	}

	boolean isPartitioned() {
		return this.partitioned || this.world.isServerDown();
	}

	long suspendedUntil() {
		return this.suspendedUntil;
	}

	void in(long nanos, Runnable action) {
		this.world.in(this, nanos, action);
	}

	ClockReading read() {
		return this.clocks.at(this.world.now());
	}

	/**
	 * The term by which the process would work if it was asked now.
	 */
	@Nullable MemberTerm term() {
		if (this.fence != null && !isUnexpired(this.fence)) {
			this.lost = true;
		}
		return peek();
	}

	/**
	 * The same, as the world sees it, without effect on the process.
	 */
	@Nullable MemberTerm peek() {
		return (!this.over && !this.lost && this.fence != null && isUnexpired(this.fence)) ? this.fence : null;
	}

	boolean isUnexpired(MemberTerm term) {
		return this.world.rules.termElapsed(term.validFrom(), read()) < DEADLINE;
	}

	private void checkTerm() {
		if (this.fence != null && term() == null) {
			this.world.note("%s: the timer finds the term over", this.name);
			this.work.lost();
			wake();
		}
		in(this.world.millis(200, 300), this::checkTerm);
	}

	private void turn() {
		this.sleep = null;
		this.awake = true;
		term();
		ShardDecision decision = this.membership
			.next(new ShardSignals(this.leave, this.giveUp, this.drained, this.lost), read());
		in(this.world.millis(0, 1), () -> carryOut(decision));
	}

	private void carryOut(ShardDecision decision) {
		decision.notices().forEach(this::apply);
		if (decision.step() instanceof ShardStep.Send send) {
			ClockReading sent = read();
			in(this.world.millis(0, 1), () -> send(send.request(), sent));
		}
		else if (decision.step() instanceof ShardStep.Pause pause) {
			this.awake = false;
			sleep(pause.time().toNanos());
		}
		else {
			this.world.note("%s has stopped", this.name);
			if (!this.owned.isEmpty()) {
				throw new AssertionError("%s has stopped with slots %s".formatted(this.name, this.owned));
			}
			vanish();
		}
	}

	private void sleep(long nanos) {
		Object mine = new Object();
		this.sleep = mine;
		in(nanos, () -> {
			if (this.sleep == mine) {
				turn();
			}
		});
	}

	void wake() {
		if (!this.awake) {
			this.awake = true;
			sleep(0);
		}
	}

	void observe(ViewEvent event) {
		this.membership.observed(event, read());
		wake();
	}

	private void apply(ShardNotice notice) {
		if (notice instanceof ShardNotice.Began began) {
			this.fence = began.term();
			this.lost = false;
			this.world.note("%s: term %s", this.name, began.term().number());
		}
		else if (notice instanceof ShardNotice.Renewed renewed) {
			MemberTerm present = term();
			if (present != null && present.number() == renewed.term().number()) {
				this.fence = renewed.term();
				this.world.check(this);
			}
		}
		else if (notice instanceof ShardNotice.Gained gained) {
			gain(gained);
		}
		else if (notice instanceof ShardNotice.Draining draining) {
			this.world.note("%s drains %s: %s", this.name, draining.slots(), draining.reason());
			this.work.drain(draining.slots(), (slots) -> {
				this.drained = this.drained.union(slots.intersect(this.owned));
				wake();
			});
		}
		else if (notice instanceof ShardNotice.Lost ended) {
			lose(ended);
		}
		else if (notice instanceof ShardNotice.Ended ended) {
			this.world.note("%s: term %s ended: %s", this.name, ended.term().number(), ended.reason());
			if (!this.owned.isEmpty()) {
				throw new AssertionError("%s kept %s after its term".formatted(this.name, this.owned));
			}
			this.fence = null;
			this.lost = false;
			this.work.lost();
		}
		else if (notice instanceof ShardNotice.Refused refused) {
			this.world.note("%s is refused because of %s", this.name, refused);
		}
	}

	private void gain(ShardNotice.Gained gained) {
		this.world.note("%s gains %s", this.name, gained.slots());
		if (!this.owned.intersect(gained.slots()).isEmpty()) {
			throw new AssertionError("%s has gained %s twice".formatted(this.name, gained.slots()));
		}
		this.world.moved(gained.slots().size());
		this.owned = this.owned.union(gained.slots());
		this.drained = this.drained.minus(gained.slots());
		if (term() != null) {
			this.work.gained(gained.slots());
			this.world.check(this);
		}
	}

	private void lose(ShardNotice.Lost loss) {
		this.world.note("%s loses %s: %s", this.name, loss.slots(), loss.reason());
		if (!this.owned.containsAll(loss.slots())) {
			throw new AssertionError("%s has lost %s, which it had not".formatted(this.name, loss.slots()));
		}
		this.owned = this.owned.minus(loss.slots());
		this.drained = this.drained.minus(loss.slots());
		if (loss.reason() != LossReason.MOVED && loss.reason() != LossReason.LEFT) {
			this.work.lost();
		}
	}

	/**
	 * Sends a request. It may be lost, its answer may be lost, and it may take effect
	 * long after.
	 */
	private void send(ShardRequest request, ClockReading sent) {
		count(request);
		boolean[] answered = new boolean[1];
		if (this.world.chance(0.01)) {
			in(this.world.millis(1, 40), () -> answered(request, sent, new ShardAnswer.Refused(), answered));
			return;
		}
		boolean lostRequest = isPartitioned() || this.world.chance(0.04);
		boolean late = this.world.chance(0.04);
		boolean lostAnswer = this.world.chance(0.04);
		if (!lostRequest || late) {
			long delay = late ? this.world.fault(this.world.millis(100, 30_000)) : this.world.millis(1, 40);
			this.world.after(delay, () -> {
				ShardAnswer answer = this.world.apply(this.name, request, late);
				if (!lostAnswer && !isPartitioned()) {
					in(this.world.millis(1, 40), () -> answered(request, sent, answer, answered));
				}
			});
		}
		if (this.world.isChaotic() || isPartitioned()) {
			// A connection that breaks is noticed at once, or never.
			boolean reset = (lostRequest || late || lostAnswer) && this.world.random.nextBoolean();
			in(reset ? this.world.millis(1, 80) : CALL_TIMEOUT,
					() -> answered(request, sent, new ShardAnswer.Unknown(), answered));
		}
		if (this.world.chance(0.02)) {
			long pause = this.world.random.nextBoolean() ? this.world.millis(1000, 9500)
					: this.world.millis(5000, 40_000);
			this.world.after(this.world.millis(0, 60), () -> suspend(pause));
			if (this.world.random.nextInt(3) == 0) {
				this.world.after(this.world.millis(90, 1000), () -> partition(this.world.millis(5_000, 30_000)));
			}
		}
	}

	private void answered(ShardRequest request, ClockReading sent, ShardAnswer answer, boolean[] before) {
		if (!before[0]) {
			before[0] = true;
			this.membership.answered(request, sent, answer, read());
			if (answer instanceof ShardAnswer.Listed listed) {
				this.watch.listed(listed);
			}
			in(this.world.millis(0, 1), this::turn);
		}
	}

	private void count(ShardRequest request) {
		this.requests++;
		if (request instanceof ShardRequest.Update) {
			long since = this.world.now() - this.lastRenewal;
			long period = ShardWorld.TIMES.retryPeriod().toNanos();
			if (this.renewals > 0 && Math.abs(since - period) > period / 40) {
				this.unevenness = "%s has renewed after %.3f s".formatted(this.name, since / 1e9);
			}
			this.renewals++;
			this.lastRenewal = this.world.now();
		}
	}

	/**
	 * Forgets the requests so far.
	 */
	void resetRequests() {
		this.requests = 0;
		this.renewals = 0;
		this.unevenness = "";
	}

	/**
	 * Fails if anything but one renewal in each retry period was sent.
	 * @param nanos for how long requests were counted
	 */
	void checkRequests(long nanos) {
		long expected = nanos / ShardWorld.TIMES.retryPeriod().toNanos();
		if (this.requests != this.renewals || Math.abs(this.renewals - expected) > 1 || !this.unevenness.isEmpty()) {
			throw new AssertionError("%s has sent %d requests, of which %d were renewals; %s".formatted(this.name,
					this.requests, this.renewals, this.unevenness));
		}
	}

	void suspend(long nanos) {
		if (!this.over && this.world.isChaotic() && this.suspendedUntil <= this.world.now()) {
			this.world.note("%s is suspended for %.3f s", this.name, nanos / 1e9);
			this.world.fault(nanos);
			this.suspendedUntil = this.world.now() + nanos;
			this.work.suspended();
			// Its monotonic clock stands still at the end of it, which nobody can read
			// before.
			this.world.after(nanos, () -> this.clocks.suspended(nanos));
		}
	}

	void partition(long nanos) {
		if (!this.over && this.world.isChaotic() && !this.partitioned) {
			this.world.note("%s is cut off for %.3f s", this.name, nanos / 1e9);
			this.world.fault(nanos);
			this.partitioned = true;
			if (this.world.random.nextBoolean()) {
				this.watch.cut(this.world.millis(0, 5000));
			}
			this.world.after(nanos, () -> this.partitioned = false);
		}
	}

	void setClock(int millis) {
		this.world.note("%s: the wall clock is set by %s ms", this.name, millis);
		this.clocks.set(millis);
	}

	void crash() {
		this.world.note("%s crashes", this.name);
		vanish();
	}

	private void vanish() {
		this.over = true;
		this.fence = null;
		this.work.vanish();
		this.world.ended(this);
	}

	void leave(long limit) {
		if (!this.leave) {
			this.world.note("%s is to leave", this.name);
			this.leave = true;
			wake();
			in(limit, () -> {
				this.giveUp = true;
				wake();
			});
		}
	}

}
