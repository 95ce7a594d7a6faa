package dev.kubeinformer.internal.election;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One random schedule: three candidates, one API server and all that can go wrong between
 * them. It throws an {@link OverlapError} when two of them lead at the same time.
 */
final class SimulatedWorld {

	static final ElectionTimes TIMES = new ElectionTimes(Duration.ofSeconds(15), Duration.ofSeconds(10),
			Duration.ofSeconds(2), Duration.ofSeconds(5));

	private static final long CHAOS = TimeUnit.SECONDS.toNanos(150);

	/** All pauses, partitions, late requests and waits of what was before are over. */
	private static final long SETTLED = TimeUnit.SECONDS.toNanos(90);

	private static final long STEADY = TimeUnit.SECONDS.toNanos(40);

	private static final int CANDIDATES = 3;

	final Random random;

	final ElectionRules rules;

	final SimulatedLeases leases = new SimulatedLeases();

	final List<String> log = new ArrayList<>();

	final List<SimulatedCandidate> candidates = new ArrayList<>();

	private final PriorityQueue<Event> events = new PriorityQueue<>(
			Comparator.comparingLong(Event::at).thenComparingLong(Event::order));

	private long order;

	private long now;

	private boolean chaos = true;

	/** Until when no process begins anew: one that never saw a Lease creates it. */
	private long noFreshBefore;

	private int names;

	SimulatedWorld(long seed, ElectionRules rules) {
		this.random = new Random(seed);
		this.rules = rules;
	}

	void play() {
		for (int i = 0; i < CANDIDATES; i++) {
			birth();
		}
		after(millis(200, 3000), this::disturb);
		run(CHAOS);
		this.chaos = false;
		note("all is well from now on");
		this.candidates.forEach(SimulatedCandidate::heal);
		for (int i = this.candidates.size(); i < CANDIDATES; i++) {
			after(Math.max(0, this.noFreshBefore - this.now), this::replace);
		}
		run(SETTLED);
		if (this.candidates.stream().noneMatch(SimulatedCandidate::isLeader)) {
			throw new AssertionError("Nobody leads long after all is well");
		}
		long transitions = transitions();
		run(STEADY);
		if (transitions() != transitions) {
			throw new AssertionError("The leader has changed although all is well");
		}
	}

	private long transitions() {
		LeaseAnswer.Found lease = this.leases.lease();
		return (lease != null) ? lease.record().transitions() : -1;
	}

	private void run(long nanos) {
		long end = this.now + nanos;
		while (!this.events.isEmpty() && this.events.peek().at <= end) {
			Event event = this.events.poll();
			this.now = event.at;
			event.action.run();
			checkLeaders();
		}
		this.now = end;
	}

	private void checkLeaders() {
		SimulatedCandidate leader = null;
		for (SimulatedCandidate each : this.candidates) {
			if (each.isLeader()) {
				if (leader != null) {
					throw new OverlapError("%s and %s lead at the same time".formatted(leader.name(), each.name()));
				}
				leader = each;
			}
		}
	}

	long now() {
		return this.now;
	}

	boolean isChaotic() {
		return this.chaos;
	}

	boolean chance(double probability) {
		return this.chaos && this.random.nextDouble() < probability;
	}

	void after(long nanos, Runnable action) {
		this.events.add(new Event(this.now + nanos, this.order++, action));
	}

	long millis(int from, int to) {
		return TimeUnit.MILLISECONDS.toNanos(from) + (long) (this.random.nextDouble() * (to - from) * 1_000_000);
	}

	void note(String format, Object... args) {
		this.log.add("%.3f ".formatted(this.now / 1e9) + format.formatted(args));
	}

	private void birth() {
		SimulatedCandidate candidate = new SimulatedCandidate(this, "p" + ++this.names);
		this.candidates.add(candidate);
		note("%s begins", candidate.name());
		candidate.start();
	}

	/**
	 * Replaces a process that has ended.
	 * @param ended the process
	 */
	void ended(SimulatedCandidate ended) {
		if (this.candidates.remove(ended)) {
			long delay = Math.max(millis(100, 20_000), this.noFreshBefore - this.now);
			after(delay, this::replace);
		}
	}

	private void replace() {
		if (this.candidates.size() < CANDIDATES) {
			birth();
		}
	}

	/**
	 * Notifies the candidates of a change, by watches that may fail.
	 */
	void changed() {
		String holder = this.leases.holder();
		for (SimulatedCandidate each : this.candidates) {
			if (!each.isPartitioned() && this.random.nextInt(10) < 7) {
				after(millis(1, 50), () -> each.hint(holder));
			}
		}
	}

	private void disturb() {
		if (!this.chaos) {
			return;
		}
		SimulatedCandidate any = this.candidates.isEmpty() ? null
				: this.candidates.get(this.random.nextInt(this.candidates.size()));
		if (any != null) {
			switch (this.random.nextInt(14)) {
				case 0, 1, 2 -> any.pause((this.random.nextBoolean()) ? millis(10, 3000) : millis(1000, 60_000));
				case 3, 4 -> any.partition(millis(500, 40_000));
				case 5, 6 -> any.setClock((int) (this.random.nextGaussian() * 40_000));
				case 7 -> any.crash();
				case 8, 9 -> any.yield();
				case 10 -> any.stop();
				case 11, 12 -> edit(any);
				default -> delete();
			}
		}
		after(millis(200, 12_000), this::disturb);
	}

	private void edit(SimulatedCandidate any) {
		int kind = this.random.nextInt(6);
		note("somebody edits the Lease: %s %s", kind, any.name());
		this.leases.edit((old) -> switch (kind) {
			case 0 -> new LeaseRecord("", Math.max(2, old.durationSeconds()), old.acquireTime(),
					(old.renewTime() != null) ? old.renewTime() : Instant.EPOCH, old.transitions(), "");
			case 1 -> new LeaseRecord("intruder", old.durationSeconds(), old.acquireTime(), old.renewTime(),
					old.transitions(), "");
			case 2 -> new LeaseRecord(any.name(), old.durationSeconds(), old.acquireTime(), old.renewTime(),
					old.transitions(), "");
			case 3 -> new LeaseRecord(old.holder(), old.holder().isEmpty() ? old.durationSeconds() : 1,
					old.acquireTime(), old.renewTime(), this.random.nextInt(5), old.preferredHolder());
			case 4 -> new LeaseRecord(old.holder(), old.durationSeconds(), old.acquireTime(), old.renewTime(),
					old.transitions(), any.name());
			default -> old;
		});
		changed();
	}

	private void delete() {
		// Who has not seen this one cannot know that it was there.
		boolean known = this.candidates.stream().allMatch((each) -> this.leases.isOfThis(each.seen()));
		if (known && this.candidates.size() == CANDIDATES) {
			note("somebody deletes the Lease");
			this.leases.delete();
			this.noFreshBefore = this.now + TIMES.leaseDuration().plusSeconds(1).toNanos();
			changed();
		}
	}

	/**
	 * Action of a process, which waits as long as the process is suspended.
	 * @param process the process
	 * @param nanos after how long
	 * @param action the action
	 */
	void in(SimulatedCandidate process, long nanos, Runnable action) {
		after(nanos, () -> inProcess(process, process::isOver, action));
	}

	private void inProcess(SimulatedCandidate process, BooleanSupplier over, Runnable action) {
		if (over.getAsBoolean()) {
			return;
		}
		long left = process.suspendedUntil() - this.now;
		if (left > 0) {
			after(left, () -> inProcess(process, over, action));
		}
		else {
			action.run();
		}
	}

	private record Event(long at, long order, Runnable action) {

	}

}
