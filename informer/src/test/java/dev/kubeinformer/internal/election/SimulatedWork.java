package dev.kubeinformer.internal.election;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.election.ElectionSignals.Drain;

/**
 * Work of a process in the simulator: hand-outs one after the other, each with some
 * writes. It asks the fence before each hand-out and each write.
 */
final class SimulatedWork {

	/** Steps that take longer were interrupted by a suspension. */
	private static final long AT_ONCE = TimeUnit.MILLISECONDS.toNanos(5);

	private final SimulatedWorld world;

	private final SimulatedCandidate process;

	private @Nullable HandOut present;

	private boolean draining;

	private int lateWrites;

	SimulatedWork(SimulatedWorld world, SimulatedCandidate process) {
		this.world = world;
		this.process = process;
	}

	void start() {
		this.process.in(this.world.millis(50, 400), this::offer);
	}

	void granted() {
		this.draining = false;
	}

	void suspended() {
		this.lateWrites = 0;
	}

	private void offer() {
		HeldTerm term = this.process.term();
		if (this.present == null && term != null && !this.draining) {
			begin(term);
		}
		start();
	}

	private void begin(HeldTerm term) {
		for (SimulatedCandidate other : this.world.candidates) {
			if (other != this.process && other.work().mayStillWrite()) {
				throw new OverlapError(
						"%s hands out work, and that of %s is under way".formatted(this.process.name(), other.name()));
			}
		}
		long length = this.world.chance(0.1) ? this.world.millis(1000, 30_000) : this.world.millis(10, 600);
		this.present = new HandOut(term, this.world.now() + length);
		this.process.in(this.world.millis(1, 100), this::write);
	}

	/**
	 * Whether work is under way that no expiry of its term has ended.
	 */
	private boolean mayStillWrite() {
		return this.present != null && this.process.isUnexpired(latest(this.present));
	}

	private HeldTerm latest(HandOut handOut) {
		HeldTerm term = this.process.term();
		if (term != null && term.number() == handOut.term.number()) {
			handOut.term = term;
		}
		return handOut.term;
	}

	private void write() {
		HandOut handOut = this.present;
		if (handOut == null) {
			return;
		}
		latest(handOut);
		if (this.world.now() >= handOut.end) {
			this.present = null;
			return;
		}
		HeldTerm term = this.process.term();
		if (term != null && term.number() == handOut.term.number()) {
			long asked = this.world.now();
			this.process.in(this.world.millis(0, 1), () -> sent(handOut, asked));
		}
		else {
			// Refused. The work may go on without writing.
			this.process.in(this.world.millis(50, 500), this::write);
		}
	}

	private void sent(HandOut handOut, long asked) {
		if (this.world.now() - asked > AT_ONCE) {
			// The honest limit: suspended between the fence and the socket.
			if (++this.lateWrites > 1) {
				throw new OverlapError("%s has sent two writes after one suspension".formatted(this.process.name()));
			}
		}
		else {
			for (SimulatedCandidate other : this.world.candidates) {
				if (other != this.process && other.isLeader()) {
					throw new OverlapError("%s writes while %s leads".formatted(this.process.name(), other.name()));
				}
			}
		}
		if (this.present == handOut) {
			this.process.in(this.world.millis(5, 500), this::write);
		}
	}

	void drain(Consumer<Drain> outcome) {
		this.draining = true;
		int kind = this.world.random.nextInt(4);
		if (kind == 0) {
			this.process.in(this.world.millis(0, 3000), () -> outcome.accept(failed()));
		}
		else {
			awaitEnd(this.world.now() + this.world.millis(5000, 30_000), outcome);
		}
	}

	private Drain failed() {
		return (this.present != null) ? Drain.FAILED : Drain.DONE;
	}

	private void awaitEnd(long limit, Consumer<Drain> outcome) {
		if (this.present == null || this.world.now() >= limit) {
			outcome.accept(failed());
		}
		else {
			this.process.in(this.world.millis(10, 50), () -> awaitEnd(limit, outcome));
		}
	}

	/**
	 * Interrupts the work, which minds that sooner or later.
	 */
	void lost() {
		this.draining = false;
		HandOut handOut = this.present;
		if (handOut != null) {
			long patience = (this.world.random.nextInt(4) == 0) ? this.world.millis(500, 20_000)
					: this.world.millis(0, 300);
			this.process.in(patience, () -> {
				if (this.present == handOut) {
					this.present = null;
				}
			});
		}
	}

	private static final class HandOut {

		private HeldTerm term;

		private final long end;

		HandOut(HeldTerm term, long end) {
			this.term = term;
			this.end = end;
		}

	}

}
