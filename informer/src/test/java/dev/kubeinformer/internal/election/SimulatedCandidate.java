package dev.kubeinformer.internal.election;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ElectionSignals.Drain;

/**
 * Process in the simulator: the loop of an election, with its fence and its work. It may
 * be suspended between any two of its steps.
 */
final class SimulatedCandidate {

	private static final long CALL_TIMEOUT = SimulatedWorld.TIMES.renewDeadline().toNanos() / 4;

	private static final long DEADLINE = SimulatedWorld.TIMES.renewDeadline().toNanos();

	private final SimulatedWorld world;

	private final String name;

	private final SimulatedClocks clocks;

	private final Election election;

	private final SimulatedWork work;

	private final long readyAt;

	private @Nullable HeldTerm fence;

	private boolean lost;

	private boolean over;

	private boolean partitioned;

	private long suspendedUntil;

	private boolean stop;

	private boolean yield;

	private Drain drain = Drain.UNDER_WAY;

	private String holder = "";

	/** The last version of a Lease that it has read. */
	private long seen;

	private boolean hinted;

	/** The sleep that is under way; what wakes the loop makes a new one. */
	private @Nullable Object sleep;

	SimulatedCandidate(SimulatedWorld world, String name) {
		this.world = world;
		this.name = name;
		this.clocks = new SimulatedClocks(world.random);
		this.election = new Election(name, SimulatedWorld.TIMES, world.random.nextInt(5) > 0, world.rules, world.random,
				read());
		this.work = new SimulatedWork(world, this);
		this.readyAt = world.now() + world.millis(0, 7000);
	}

	void start() {
		in(this.world.millis(0, 100), this::turn);
		in(this.world.millis(0, 250), this::checkTerm);
		this.work.start();
	}

	String name() {
		return this.name;
	}

	void in(long nanos, Runnable action) {
		this.world.in(this, nanos, action);
	}

	boolean isOver() {
		return this.over;
	}

	boolean isPartitioned() {
		return this.partitioned;
	}

	long suspendedUntil() {
		return this.suspendedUntil;
	}

	long seen() {
		return this.seen;
	}

	private ClockReading read() {
		return this.clocks.at(this.world.now());
	}

	/**
	 * Whether the process would say that it leads if it was asked now.
	 */
	boolean isLeader() {
		return !this.over && !this.lost && this.fence != null && isUnexpired(this.fence);
	}

	@Nullable HeldTerm term() {
		if (this.fence != null && !isUnexpired(this.fence)) {
			this.lost = true;
		}
		return isLeader() ? this.fence : null;
	}

	boolean isUnexpired(HeldTerm term) {
		return this.world.rules.termElapsed(term.validFrom(), read()) < DEADLINE;
	}

	private void checkTerm() {
		if (this.fence != null && term() == null) {
			end("expired, says the timer");
		}
		in(this.world.millis(200, 300), this::checkTerm);
	}

	private void end(String why) {
		this.world.note("%s: term %s ended: %s", this.name, (this.fence != null) ? this.fence.number() : -1, why);
		this.fence = null;
		this.work.lost();
	}

	private void turn() {
		this.sleep = null;
		if (this.hinted) {
			this.hinted = false;
			this.election.hint(read());
		}
		term();
		boolean ready = this.world.now() >= this.readyAt;
		ElectionDecision decision = this.election
			.next(new ElectionSignals(ready, this.stop, this.yield, this.drain, this.lost), read());
		in(this.world.millis(0, 1), () -> carryOut(decision));
	}

	private void carryOut(ElectionDecision decision) {
		decision.notices().forEach(this::apply);
		if (decision.step() instanceof ElectionStep.Send send) {
			ClockReading sent = read();
			in(this.world.millis(0, 1), () -> send(send.request(), sent));
		}
		else if (decision.step() instanceof ElectionStep.Pause pause) {
			sleep(pause.time().toNanos());
		}
		else {
			this.world.note("%s has stopped", this.name);
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
		if (this.sleep != null) {
			sleep(0);
		}
	}

	private void apply(ElectionNotice notice) {
		if (notice instanceof ElectionNotice.Granted granted) {
			this.fence = granted.term();
			this.lost = false;
			this.drain = Drain.UNDER_WAY;
			this.world.note("%s: term %s", this.name, granted.term().number());
			this.work.granted();
		}
		else if (notice instanceof ElectionNotice.Renewed renewed) {
			HeldTerm present = term();
			if (present != null && present.number() == renewed.term().number()) {
				this.fence = renewed.term();
			}
		}
		else if (notice instanceof ElectionNotice.Draining draining) {
			this.world.note("%s drains: %s", this.name, draining.reason());
			HeldTerm ending = this.fence;
			this.work.drain((outcome) -> {
				if (ending == null || (this.fence != null && this.fence.number() == ending.number())) {
					this.drain = outcome;
					wake();
				}
			});
		}
		else if (notice instanceof ElectionNotice.Revoked revoked) {
			this.yield = false;
			if (this.fence != null) {
				end(revoked.reason().name());
			}
			this.lost = false;
		}
		else if (notice instanceof ElectionNotice.HolderChanged changed) {
			this.holder = changed.holder();
		}
	}

	/**
	 * Sends a request. It may be lost, its answer may be lost, and it may take effect
	 * long after.
	 */
	private void send(LeaseRequest request, ClockReading sent) {
		List<Boolean> answered = new ArrayList<>();
		long latency = this.world.millis(1, 40);
		boolean lostRequest = this.partitioned || this.world.chance(0.04);
		boolean late = this.world.chance(0.04);
		boolean lostAnswer = this.world.chance(0.04);
		if (!lostRequest || late) {
			this.world.after(late ? this.world.millis(100, 30_000) : latency, () -> {
				String before = this.world.leases.holder();
				LeaseAnswer.Found old = this.world.leases.lease();
				LeaseAnswer answer = this.world.leases.apply(request);
				if (this.world.leases.lease() != old) {
					this.world.note("applied for %s (%s): %s, before %s", this.name, late ? "late" : "in time",
							this.world.leases.lease().record(), before);
					this.world.changed();
				}
				if (!lostAnswer && !this.partitioned) {
					in(this.world.millis(1, 40), () -> answered(request, sent, answer, answered));
				}
			});
		}
		in(CALL_TIMEOUT, () -> answered(request, sent, new LeaseAnswer.Unknown(), answered));
		if (this.world.chance(0.02)) {
			suspendWhileAnswerIsOnItsWay();
		}
	}

	private void suspendWhileAnswerIsOnItsWay() {
		pause(this.world.random.nextBoolean() ? this.world.millis(1000, 9000) : this.world.millis(5000, 60_000));
		if (this.world.random.nextBoolean()) {
			this.world.after(this.world.millis(90, 1000), () -> partition(this.world.millis(10_000, 40_000)));
		}
	}

	private void answered(LeaseRequest request, ClockReading sent, LeaseAnswer answer, List<Boolean> before) {
		if (before.isEmpty()) {
			before.add(true);
			if (answer instanceof LeaseAnswer.Found found) {
				this.seen = Math.max(this.seen, Long.parseLong(found.resourceVersion()));
			}
			this.election.answered(request, sent, answer, read());
			in(this.world.millis(0, 1), this::turn);
		}
	}

	void hint(String seen) {
		if (!this.over && (seen.isEmpty() || !(seen.equals(this.holder) || seen.equals(this.name)))) {
			this.hinted = true;
			wake();
		}
	}

	void pause(long nanos) {
		if (this.suspendedUntil <= this.world.now()) {
			this.world.note("%s is suspended for %.3f s", this.name, nanos / 1e9);
			this.suspendedUntil = this.world.now() + nanos;
			this.work.suspended();
			// Its monotonic clock stands still at the end of it, which nobody can read
			// before.
			this.world.after(nanos, () -> this.clocks.pause(nanos));
		}
	}

	void partition(long nanos) {
		this.world.note("%s is cut off for %.3f s", this.name, nanos / 1e9);
		this.partitioned = true;
		this.world.after(nanos, () -> this.partitioned = false);
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
		this.world.ended(this);
	}

	void yield() {
		this.yield = term() != null;
		wake();
	}

	void stop() {
		this.world.note("%s is to stop", this.name);
		this.stop = true;
		wake();
	}

	void heal() {
		this.partitioned = false;
	}

	SimulatedWork work() {
		return this.work;
	}

}
