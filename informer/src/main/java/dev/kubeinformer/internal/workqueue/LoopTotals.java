package dev.kubeinformer.internal.workqueue;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Totals of a loop since it was made. Guarded by its lock.
 */
final class LoopTotals {

	/** The keys that were taken, whatever came of it. */
	long started;

	/** The runs that ended. */
	long ended;

	long failed;

	long conflicts;

	long ownWriteTimeouts;

	@Nullable String lastError;

	void count(LoopRun run, RunEnd end) {
		if (!(end instanceof RunEnd.Park) && !(end instanceof RunEnd.Absent) && !(end instanceof RunEnd.Fenced)) {
			this.ended++;
		}
		if (end instanceof RunEnd.Conflict) {
			this.conflicts++;
		}
		else if (end instanceof RunEnd.Failed failure) {
			failed(run, failure.cause());
		}
		else if (end instanceof RunEnd.GaveUp gaveUp) {
			failed(run, gaveUp.cause());
		}
	}

	private void failed(LoopRun run, Throwable cause) {
		this.failed++;
		this.lastError = "%s for '%s'".formatted(RunFailure.of(cause, run.step()),
				PrintableText.of(run.key().toString()));
	}

}
