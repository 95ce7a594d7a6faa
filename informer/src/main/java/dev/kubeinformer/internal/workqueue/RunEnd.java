package dev.kubeinformer.internal.workqueue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** End of a run, which decides the next state of its key. */
public sealed interface RunEnd {

	/**
	 * Returns the end of a run that has nothing left to do.
	 * @return the end
	 */
	static RunEnd done() {
		return Done.INSTANCE;
	}

	/**
	 * Returns the end of a run that asks for another run of its key.
	 * @param delay the time until then
	 * @return the end
	 */
	static RunEnd requeueAfter(Duration delay) {
		return new RequeueAfter(delay);
	}

	/**
	 * Returns the end of a run with a conflict: the API server had a newer version of the
	 * object that the run wrote.
	 * @param cause the exception of the run
	 * @return the end
	 */
	static RunEnd conflict(Throwable cause) {
		return new Conflict(cause);
	}

	/**
	 * Returns the end of a run that failed and is retried with backoff.
	 * @param cause the exception of the run
	 * @param notBefore the minimum wait that the API server asked for; {@code null} if
	 * none
	 * @return the end
	 */
	static RunEnd failed(Throwable cause, @Nullable Duration notBefore) {
		return new Failed(cause, notBefore, false);
	}

	/**
	 * Returns the end of a run that failed because the API server was unavailable. It is
	 * retried when the server is back, or with backoff.
	 * @param cause the exception of the run
	 * @param notBefore the minimum wait that the API server asked for; {@code null} if
	 * none
	 * @return the end
	 */
	static RunEnd serverAway(Throwable cause, @Nullable Duration notBefore) {
		return new Failed(cause, notBefore, true);
	}

	/**
	 * Returns the end of a run that failed and is not retried before a change.
	 * @param cause the exception of the run
	 * @return the end
	 */
	static RunEnd gaveUp(Throwable cause) {
		return new GaveUp(cause);
	}

	/**
	 * Returns the end for a key that was taken but not run, because its object does not
	 * exist. The failures of the key are forgotten.
	 * @return the end
	 */
	static RunEnd absent() {
		return Absent.INSTANCE;
	}

	/**
	 * Returns the end for a key that was taken but cannot run yet, because the caches do
	 * not show all writes of its earlier runs.
	 * @param parking the awaited writes
	 * @return the end
	 */
	static RunEnd park(OwnWritesWait parking) {
		return new Park(parking);
	}

	/** End of a run that has nothing left to do. */
	record Done() implements RunEnd {

		private static final Done INSTANCE = new Done();

	}

	/**
	 * End of a run that asks for another run of its key.
	 *
	 * @param delay the time until then
	 */
	record RequeueAfter(Duration delay) implements RunEnd {
	}

	/**
	 * End of a run with a conflict: the API server had a newer version of the object that
	 * the run wrote.
	 *
	 * @param cause the exception of the run
	 */
	record Conflict(Throwable cause) implements RunEnd {
	}

	/**
	 * End of a run that failed and is retried.
	 *
	 * @param cause the exception of the run
	 * @param notBefore the minimum wait that the API server asked for; {@code null} if
	 * none
	 * @param serverAway whether the run failed because the API server was unavailable
	 */
	record Failed(Throwable cause, @Nullable Duration notBefore, boolean serverAway) implements RunEnd {

		public Failed because(Throwable outer) {
			return new Failed(outer, this.notBefore, this.serverAway);
		}

	}

	/**
	 * End of a run that failed and is not retried before a change.
	 *
	 * @param cause the exception of the run
	 */
	record GaveUp(Throwable cause) implements RunEnd {
	}

	/** End for a key whose object does not exist. */
	record Absent() implements RunEnd {

		private static final Absent INSTANCE = new Absent();

	}

	/**
	 * End for a key that waits until the caches show its own writes.
	 *
	 * @param parking the awaited writes
	 */
	record Park(OwnWritesWait parking) implements RunEnd {
	}

	/**
	 * End of a run that was not allowed to begin, or was no longer allowed to send
	 * requests when it ended. The cause is that this process has lost its term or the
	 * slot of the object. The result of the run is ignored, and its key is forgotten.
	 * Reported to listeners only; a runner does not return it.
	 */
	record Fenced() implements RunEnd {

		static final Fenced INSTANCE = new Fenced();

	}

	/**
	 * End of a run that was cancelled because the loop stopped. The result of the run is
	 * ignored, and its key is ready again at the next start. Reported to listeners only;
	 * a runner does not return it.
	 */
	record Stopped() implements RunEnd {

		static final Stopped INSTANCE = new Stopped();

	}

}
