package dev.kubeinformer.internal.workqueue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How a run ended, and what becomes of its key.
 */
public sealed interface RunEnd {

	/**
	 * Returns the end of a run after which nothing is left to do.
	 * @return the end
	 */
	static RunEnd done() {
		return Done.INSTANCE;
	}

	/**
	 * Returns the end of a run that is to be followed by another one.
	 * @param delay the time until then
	 * @return the end
	 */
	static RunEnd requeueAfter(Duration delay) {
		return new RequeueAfter(delay);
	}

	/**
	 * Returns the end of a run that met a newer version of an object it wrote.
	 * @param cause what the run threw
	 * @return the end
	 */
	static RunEnd conflict(Throwable cause) {
		return new Conflict(cause);
	}

	/**
	 * Returns the end of a run that failed and is tried again with backoff.
	 * @param cause what the run threw
	 * @param notBefore the time that the API server asked to wait at least; {@code null}
	 * if it did not
	 * @return the end
	 */
	static RunEnd failed(Throwable cause, @Nullable Duration notBefore) {
		return new Failed(cause, notBefore, false);
	}

	/**
	 * Returns the end of a run that failed because the API server is away. It is tried
	 * again when the server is back, or with backoff.
	 * @param cause what the run threw
	 * @param notBefore the time that the API server asked to wait at least; {@code null}
	 * if it did not
	 * @return the end
	 */
	static RunEnd serverAway(Throwable cause, @Nullable Duration notBefore) {
		return new Failed(cause, notBefore, true);
	}

	/**
	 * Returns the end of a run that failed and is not tried again before a change.
	 * @param cause what the run threw
	 * @return the end
	 */
	static RunEnd gaveUp(Throwable cause) {
		return new GaveUp(cause);
	}

	/**
	 * Returns the end where there was no run, because the object is gone: the failures of
	 * the key are forgotten.
	 * @return the end
	 */
	static RunEnd absent() {
		return Absent.INSTANCE;
	}

	/**
	 * Returns the end where there was no run yet, because the caches do not show all
	 * writes of earlier runs.
	 * @param parking what is awaited
	 * @return the end
	 */
	static RunEnd park(OwnWritesWait parking) {
		return new Park(parking);
	}

	/** Nothing is left to do. */
	record Done() implements RunEnd {

		private static final Done INSTANCE = new Done();

	}

	/**
	 * Another run is to follow.
	 *
	 * @param delay the time until then
	 */
	record RequeueAfter(Duration delay) implements RunEnd {
	}

	/**
	 * A write met a newer version of its object.
	 *
	 * @param cause what the run threw
	 */
	record Conflict(Throwable cause) implements RunEnd {
	}

	/**
	 * The run failed.
	 *
	 * @param cause what the run threw
	 * @param notBefore the time that the API server asked to wait at least; {@code null}
	 * if it did not
	 * @param serverAway whether the run failed because the API server is away
	 */
	record Failed(Throwable cause, @Nullable Duration notBefore, boolean serverAway) implements RunEnd {

		public Failed because(Throwable outer) {
			return new Failed(outer, this.notBefore, this.serverAway);
		}

	}

	/**
	 * The run failed, and no retry can help.
	 *
	 * @param cause what the run threw
	 */
	record GaveUp(Throwable cause) implements RunEnd {
	}

	/** The object is gone. */
	record Absent() implements RunEnd {

		private static final Absent INSTANCE = new Absent();

	}

	/**
	 * The key is parked.
	 *
	 * @param parking what is awaited
	 */
	record Park(OwnWritesWait parking) implements RunEnd {
	}

	/**
	 * The fence was down when the run ended, however it did, or before it began: its key
	 * is forgotten. Reported to listeners only; a runner does not return it.
	 */
	record Fenced() implements RunEnd {

		static final Fenced INSTANCE = new Fenced();

	}

	/**
	 * The run was cancelled by a stop of the loop, however it ended: its key is ready
	 * again at the next start. Reported to listeners only; a runner does not return it.
	 */
	record Stopped() implements RunEnd {

		static final Stopped INSTANCE = new Stopped();

	}

}
