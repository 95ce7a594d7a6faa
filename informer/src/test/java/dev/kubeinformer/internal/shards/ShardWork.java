package dev.kubeinformer.internal.shards;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Work of a process in the simulator: runs of keys, each in a slot and with some writes.
 * A run asks the fence before it begins and before each write.
 */
final class ShardWork {

	/** Steps that take longer were interrupted by a suspension. */
	private static final long AT_ONCE = TimeUnit.MILLISECONDS.toNanos(5);

	private final ShardWorld world;

	private final ShardProcess process;

	private final List<Run> runs = new ArrayList<>();

	/** Slots that may have work: from their gain to the end of their drain. */
	private SlotSet working = SlotSet.none();

	/** Slots in which no run may begin. */
	private SlotSet draining = SlotSet.none();

	private int lateWrites;

	ShardWork(ShardWorld world, ShardProcess process) {
		this.world = world;
		this.process = process;
	}

	void start() {
		this.process.in(this.world.millis(100, 800), this::offer);
	}

	/**
	 * The slots that the process works on now, by its own clocks.
	 */
	SlotSet slots() {
		return (this.process.peek() != null) ? this.working : SlotSet.none();
	}

	/**
	 * Whether a run is under way that may still write.
	 */
	boolean mayWrite(int slot) {
		return this.process.peek() != null && this.runs.stream().anyMatch((run) -> run.slot == slot && isAdmitted(run));
	}

	private boolean isAdmitted(Run run) {
		MemberTerm term = this.process.peek();
		return term != null && term.number() == run.term && !run.ended && !run.cancelled;
	}

	void gained(SlotSet slots) {
		this.working = this.working.union(slots);
		this.draining = this.draining.minus(slots);
	}

	void suspended() {
		this.lateWrites = 0;
	}

	private void offer() {
		MemberTerm term = this.process.term();
		SlotSet idle = this.working.minus(this.draining);
		if (term != null && !idle.isEmpty()) {
			List<Integer> slots = idle.toList();
			begin(slots.get(this.world.random.nextInt(slots.size())), term);
		}
		start();
	}

	private void begin(int slot, MemberTerm term) {
		for (ShardProcess other : this.world.processes) {
			if (other != this.process && (other.work().mayWrite(slot) || other.work().slots().contains(slot))) {
				throw new SlotOverlapError("%s begins to work on slot %d, and %s works on it"
					.formatted(this.process.name(), slot, other.name()));
			}
		}
		long length = this.world.chance(0.1) ? this.world.millis(1000, 20_000) : this.world.millis(10, 600);
		Run run = new Run(slot, term.number(), this.world.now() + length);
		this.runs.add(run);
		this.process.in(this.world.millis(1, 100), () -> write(run));
	}

	private void write(Run run) {
		if (run.ended) {
			return;
		}
		if (this.world.now() >= run.end || run.cancelled) {
			run.ended = true;
			this.runs.remove(run);
			return;
		}
		MemberTerm term = this.process.term();
		if (term != null && term.number() == run.term) {
			long asked = this.world.now();
			this.process.in(this.world.millis(0, 1), () -> sent(run, asked));
		}
		else {
			// Refused. The run may go on without writing.
			this.process.in(this.world.millis(50, 500), () -> write(run));
		}
	}

	private void sent(Run run, long asked) {
		if (this.world.now() - asked > AT_ONCE) {
			// The honest limit: suspended between the fence and the socket.
			if (++this.lateWrites > this.runs.size() + 1) {
				throw new SlotOverlapError("%s has sent writes after a suspension".formatted(this.process.name()));
			}
		}
		else {
			for (ShardProcess other : this.world.processes) {
				if (other != this.process && other.work().slots().contains(run.slot)) {
					throw new SlotOverlapError("%s writes for slot %d, and %s works on it"
						.formatted(this.process.name(), run.slot, other.name()));
				}
			}
		}
		this.process.in(this.world.millis(20, 500), () -> write(run));
	}

	/**
	 * Ends the work of slots.
	 * @param slots the slots
	 * @param done receives slots whose work has ended
	 */
	void drain(SlotSet slots, Consumer<SlotSet> done) {
		this.draining = this.draining.union(slots);
		boolean slow = this.world.chance(0.15);
		slots.stream().forEach((slot) -> {
			long pause = slow ? this.world.millis(0, 12_000) : this.world.millis(0, 200);
			this.process.in(pause, () -> awaitEnd(slot, done));
		});
	}

	private void awaitEnd(int slot, Consumer<SlotSet> done) {
		if (!this.draining.contains(slot)) {
			return;
		}
		if (this.runs.stream().noneMatch((run) -> run.slot == slot)) {
			this.working = this.working.minus(SlotSet.of(slot));
			this.draining = this.draining.minus(SlotSet.of(slot));
			done.accept(SlotSet.of(slot));
		}
		else {
			this.process.in(this.world.millis(10, 50), () -> awaitEnd(slot, done));
		}
	}

	boolean isDraining() {
		return !this.draining.isEmpty();
	}

	/**
	 * Interrupts all work, which minds that sooner or later.
	 */
	void lost() {
		this.working = SlotSet.none();
		this.draining = SlotSet.none();
		for (Run run : this.runs) {
			long patience = (this.world.random.nextInt(4) == 0) ? this.world.millis(500, 20_000)
					: this.world.millis(0, 300);
			this.process.in(patience, () -> run.cancelled = true);
		}
	}

	void vanish() {
		this.working = SlotSet.none();
		this.runs.clear();
	}

	static @Nullable ShardProcess workerOf(int slot, List<ShardProcess> processes) {
		for (ShardProcess process : processes) {
			if (process.work().slots().contains(slot)) {
				return process;
			}
		}
		return null;
	}

	/**
	 * Run of a key.
	 */
	private static final class Run {

		private final int slot;

		private final long term;

		private final long end;

		private boolean ended;

		private boolean cancelled;

		Run(int slot, long term, long end) {
			this.slot = slot;
			this.term = term;
			this.end = end;
		}

	}

}
