package dev.kubeinformer.internal.shards;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One random schedule: some processes, one API server and all that can go wrong between
 * them. It knows the true time and what each process does. It throws a
 * {@link SlotOverlapError} when two of them work on a slot at the same time.
 */
final class ShardWorld {

	static final ShardTimes TIMES = new ShardTimes(Duration.ofSeconds(15), Duration.ofSeconds(10),
			Duration.ofSeconds(2), Duration.ofSeconds(1));

	static final int SLOTS = 64;

	private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

	private static final long CHAOS = 60 * SECOND;

	/** How long a slot may have no worker after the last fault. */
	private static final long HEALED = TIMES.leaseDuration().toNanos() + 5 * SECOND;

	/** How long a slot has no worker when it moves without faults. */
	private static final long HAND_OVER = 2 * SECOND;

	private static final long SAMPLE = SECOND / 4;

	private static final long REST = 10 * SECOND;

	final Random random;

	final ShardRules rules;

	final SimulatedStore store = new SimulatedStore();

	final List<String> log = new ArrayList<>();

	final List<ShardProcess> processes = new ArrayList<>();

	private final boolean logs;

	private final PriorityQueue<Event> events = new PriorityQueue<>();

	private long order;

	private long now;

	private boolean chaos;

	private long lastFault;

	private long serverDownUntil;

	/** Until when no process begins, because it could not know a deleted Lease. */
	private long noFreshBefore;

	private int wanted;

	private int names;

	private int moves;

	ShardWorld(long seed, ShardRules rules, boolean logs) {
		this.random = new Random(seed);
		this.rules = rules;
		this.logs = logs;
	}

	/**
	 * Plays a schedule with faults, and checks that all slots have a worker soon after
	 * the last one.
	 */
	void play() {
		this.chaos = true;
		this.wanted = 3 + ((this.random.nextInt(10) < 7) ? this.random.nextInt(4) : this.random.nextInt(18));
		for (int i = 0; i < this.wanted; i++) {
			birth(millis(0, 3000), SLOTS);
		}
		after(millis(200, 8000), this::disturb);
		run(CHAOS);
		this.chaos = false;
		note("no faults from now on");
		List.copyOf(this.processes).stream().filter((each) -> each.slots() != SLOTS).forEach(ShardProcess::crash);
		fill();
		fault(Math.max(0, this.noFreshBefore + SECOND / 10 - this.now));
		while (this.lastFault > this.now) {
			run(this.lastFault - this.now);
		}
		note("the last fault is over");
		run(HEALED);
		awaitRest();
		checkRest();
		if (this.store.size() > this.processes.size() && this.random.nextInt(4) == 0) {
			checkCleaning();
		}
	}

	/**
	 * Checks that Leases of dead members are deleted after a while.
	 */
	private void checkCleaning() {
		run(TIMES.leaseDuration().toNanos() * 11);
		if (this.store.size() != this.processes.size()) {
			throw new AssertionError(
					"There are %d Leases of %d processes".formatted(this.store.size(), this.processes.size()));
		}
		checkRest();
	}

	private void fill() {
		long alike = this.processes.stream().filter((each) -> !each.isLeaving()).count();
		for (long i = alike; i < this.wanted; i++) {
			birth(Math.max(0, this.noFreshBefore - this.now), SLOTS);
		}
	}

	/**
	 * Plays changes of members without faults.
	 * @return the number of moves, in relation to the least possible
	 */
	double change() {
		int before = 2 + this.random.nextInt(9);
		this.wanted = before;
		for (int i = 0; i < before; i++) {
			birth(millis(0, 800), SLOTS);
		}
		run(5 * SECOND);
		awaitRest();
		checkRest();
		if (this.moves != SLOTS) {
			throw new AssertionError("The start of %d processes has moved %d slots".formatted(before, this.moves));
		}
		this.moves = 0;
		int kind = this.random.nextInt(4);
		int number = 1 + this.random.nextInt(Math.max(1, (kind == 0) ? 10 : before - 1));
		List<ShardProcess> ended = List
			.copyOf(this.processes.subList(0, (kind == 0) ? 0 : Math.min(before - 1, number)));
		int least = least((kind == 0 || kind == 3) ? number : 0, ended);
		note("change %d of %d: %d", kind, before, number);
		this.wanted = 0;
		if (kind == 0 || kind == 3) {
			for (int i = 0; i < number; i++) {
				birth(millis(0, 800), SLOTS);
			}
		}
		if (kind == 3) {
			// A roll-out: new processes are there before the old ones leave.
			run(3 * SECOND);
			awaitRest();
			least = this.moves + least(0, ended);
		}
		for (ShardProcess each : ended) {
			after(millis(0, 100), (kind == 2) ? each::crash : () -> each.leave(20 * SECOND));
		}
		run((kind == 2) ? HEALED : SECOND);
		awaitRest();
		checkRest();
		return this.moves / (double) least;
	}

	/**
	 * The least number of moves when processes join and others end.
	 */
	private int least(int joined, List<ShardProcess> ended) {
		List<Integer> held = new ArrayList<>();
		for (ShardProcess each : this.processes) {
			if (!ended.contains(each)) {
				held.add(each.work().slots().size());
			}
		}
		for (int i = 0; i < joined; i++) {
			held.add(0);
		}
		held.sort(Comparator.reverseOrder());
		int kept = 0;
		for (int i = 0; i < held.size(); i++) {
			int quota = SLOTS / held.size() + ((i < SLOTS % held.size()) ? 1 : 0);
			kept += Math.min(held.get(i), quota);
		}
		return SLOTS - kept;
	}

	/**
	 * Waits until nothing moves. No slot is without a worker for longer than a hand-over.
	 */
	private void awaitRest() {
		long limit = this.now + 90 * SECOND;
		long[] unworked = new long[SLOTS];
		long restful = this.now;
		while (this.now - restful < 4 * SECOND) {
			if (this.now > limit) {
				throw new AssertionError("Slots still move long after the last fault");
			}
			int before = this.moves;
			run(SAMPLE);
			boolean moving = this.moves != before;
			for (int slot = 0; slot < SLOTS; slot++) {
				boolean worked = ShardWork.workerOf(slot, this.processes) != null;
				unworked[slot] = worked ? 0 : unworked[slot] + SAMPLE;
				moving |= !worked;
				if (unworked[slot] > HAND_OVER) {
					throw new AssertionError("Nobody works on slot " + slot);
				}
			}
			// A process that was refused joins when the Lease of the other one has
			// expired.
			moving |= this.processes.stream()
				.anyMatch((each) -> each.isLeaving() || each.work().isDraining() || each.peek() == null);
			restful = moving ? this.now : restful;
		}
	}

	/**
	 * Checks that slots are distributed evenly, and that at rest each process sends one
	 * renewal in each retry period and nothing else.
	 */
	private void checkRest() {
		int smallest = SLOTS;
		int largest = 0;
		for (ShardProcess each : this.processes) {
			smallest = Math.min(smallest, each.work().slots().size());
			largest = Math.max(largest, each.work().slots().size());
			each.resetRequests();
		}
		if (largest - smallest > 1) {
			throw new AssertionError("Slots are distributed unevenly: %d to %d".formatted(smallest, largest));
		}
		int before = this.moves;
		run(REST);
		if (this.moves != before) {
			throw new AssertionError("Slots have moved without a reason");
		}
		for (ShardProcess each : this.processes) {
			each.checkRequests(REST);
		}
	}

	private void run(long nanos) {
		long end = this.now + nanos;
		while (!this.events.isEmpty() && this.events.peek().at <= end) {
			Event event = this.events.poll();
			this.now = event.at;
			event.action.run();
		}
		this.now = end;
	}

	/**
	 * Checks that nobody else works on a slot of a process.
	 * @param process the process, which has gained slots or renewed its term
	 */
	void check(ShardProcess process) {
		SlotSet slots = process.work().slots();
		if (slots.isEmpty()) {
			return;
		}
		for (ShardProcess other : this.processes) {
			if (other != process) {
				SlotSet others = other.work().slots();
				boolean foreign = other.slots() != process.slots() && !others.isEmpty();
				if (foreign || !slots.intersect(others).isEmpty()) {
					throw new SlotOverlapError("%s and %s work on %s of %d at the same time".formatted(process.name(),
							other.name(), slots.intersect(others), process.slots()));
				}
			}
		}
	}

	long now() {
		return this.now;
	}

	boolean isChaotic() {
		return this.chaos;
	}

	boolean isServerDown() {
		return this.now < this.serverDownUntil;
	}

	boolean chance(double probability) {
		return this.chaos && this.random.nextDouble() < probability;
	}

	/**
	 * Remembers that a fault lasts for some time.
	 * @param nanos for how long
	 * @return the same
	 */
	long fault(long nanos) {
		this.lastFault = Math.max(this.lastFault, this.now + nanos);
		return nanos;
	}

	void moved(int slots) {
		this.moves += slots;
	}

	void after(long nanos, Runnable action) {
		this.events.add(new Event(this.now + nanos, this.order++, action));
	}

	long millis(int from, int to) {
		return TimeUnit.MILLISECONDS.toNanos(from) + (long) (this.random.nextDouble() * (to - from) * 1_000_000);
	}

	void note(String format, Object... args) {
		if (this.logs) {
			this.log.add("%.3f ".formatted(this.now / 1e9) + format.formatted(args));
		}
	}

	private void birth(long nanos, int slots) {
		fault(nanos);
		after(nanos, () -> {
			if (this.now < this.noFreshBefore) {
				birth(this.noFreshBefore - this.now, slots);
				return;
			}
			if (slots != SLOTS && !this.chaos) {
				return;
			}
			ShardProcess process = new ShardProcess(this, "m" + ++this.names, slots);
			this.processes.add(process);
			note("%s begins with %d slots", process.name(), slots);
			process.start();
		});
	}

	/**
	 * Replaces a process that has ended, sooner or later.
	 * @param ended the process
	 */
	void ended(ShardProcess ended) {
		if (this.processes.remove(ended) && this.chaos && ended.slots() == SLOTS && this.random.nextInt(4) > 0) {
			birth(millis(100, 20_000), SLOTS);
		}
	}

	ShardAnswer apply(String member, ShardRequest request, boolean late) {
		int before = this.store.revision();
		ShardAnswer answer = this.store.apply(member, request);
		if (this.store.revision() != before) {
			if (this.logs) {
				note("applied for %s (%s): %s", member, late ? "late" : "in time", request);
			}
			this.processes.forEach((each) -> each.watch().changed());
		}
		return answer;
	}

	private void disturb() {
		if (!this.chaos) {
			return;
		}
		ShardProcess any = this.processes.isEmpty() ? null
				: this.processes.get(this.random.nextInt(this.processes.size()));
		if (any != null) {
			switch (this.random.nextInt(20)) {
				case 0, 1, 2 -> any.suspend(this.random.nextBoolean() ? millis(10, 3000) : millis(1000, 40_000));
				case 3, 4 -> any.partition(millis(500, 30_000));
				case 5, 6 -> any.setClock((int) (this.random.nextGaussian() * 40_000));
				case 7, 8 -> any.crash();
				case 9, 10 -> any.leave(fault(millis(1000, 20_000)));
				case 11, 12 -> any.watch().lag(fault(millis(500, 25_000)));
				case 13, 14 -> any.watch().cut(fault(millis(0, 10_000)));
				case 15 -> serverDown();
				case 16 -> birth(millis(0, 500), SLOTS);
				case 17 -> birth(millis(0, 500), this.random.nextBoolean() ? SLOTS : SLOTS * 2);
				case 18 -> birth(millis(0, 500), (this.random.nextInt(4) > 0) ? SLOTS : SLOTS / 2);
				default -> delete(any);
			}
		}
		fault(0);
		after(millis(200, 10_000), this::disturb);
	}

	private void serverDown() {
		long nanos = fault(this.random.nextBoolean() ? millis(500, 5000) : millis(3000, 25_000));
		note("the API server is down for %.3f s", nanos / 1e9);
		this.serverDownUntil = this.now + nanos;
		this.processes.forEach((each) -> each.watch().cut(nanos + millis(0, 2000)));
	}

	private void delete(ShardProcess any) {
		// A process that has never seen the Lease cannot know that it was there.
		boolean known = this.processes.stream().allMatch((each) -> each == any || each.watch().hasSeen(any.name()));
		if (known && this.store.lease(any.name()) != null) {
			note("somebody deletes the Lease of %s", any.name());
			this.store.remove(any.name());
			this.noFreshBefore = this.now + fault(TIMES.leaseDuration().plusSeconds(1).toNanos());
			this.processes.forEach((each) -> each.watch().changed());
		}
	}

	/**
	 * Action of a process, which waits as long as the process is suspended.
	 * @param process the process
	 * @param nanos after how long
	 * @param action the action
	 */
	void in(ShardProcess process, long nanos, Runnable action) {
		after(nanos, () -> inProcess(process, action));
	}

	private void inProcess(ShardProcess process, Runnable action) {
		if (process.isOver()) {
			return;
		}
		long left = process.suspendedUntil() - this.now;
		if (left > 0) {
			after(left, () -> inProcess(process, action));
		}
		else {
			action.run();
		}
	}

	private record Event(long at, long order, Runnable action) implements Comparable<Event> {

		@Override
		public int compareTo(Event other) {
			int compared = Long.compare(this.at, other.at);
			return (compared != 0) ? compared : Long.compare(this.order, other.order);
		}

	}

}
