package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.types.WatchEndReason;

/**
 * Reports the outcome of a reflector's requests. A stopped reflector reports no failures,
 * because the stop has caused them. Called by the reflector's thread.
 */
final class RequestReports {

	private final ReflectorSink<?> sink;

	private final LongSupplier nanoTime;

	private final BooleanSupplier stopped;

	/** Time at which the current request was sent, in nanoseconds. */
	private long requestedAt;

	/** Whether a watch is open. */
	private boolean watching;

	RequestReports(ReflectorSink<?> sink, LongSupplier nanoTime, BooleanSupplier stopped) {
		this.sink = sink;
		this.nanoTime = nanoTime;
		this.stopped = stopped;
	}

	void requestSent() {
		this.requestedAt = this.nanoTime.getAsLong();
	}

	Duration sinceRequest() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.requestedAt);
	}

	/**
	 * Reports a failed request.
	 * @param verb {@code list} or {@code watch}
	 * @param failure the failure
	 * @param decision the next step
	 */
	void failed(String verb, Failure failure, Decision decision) {
		if (!this.stopped.getAsBoolean()) {
			this.sink.failed(verb, failure, decision.inWords(), sinceRequest());
		}
	}

	/**
	 * Reports a failed request for which no retry can succeed.
	 * @param verb {@code list} or {@code watch}
	 * @param failure the failure
	 */
	void gaveUp(String verb, Failure failure) {
		if (!this.stopped.getAsBoolean()) {
			this.sink.failed(verb, failure, "not try again in this JVM", sinceRequest());
		}
	}

	/**
	 * Reports a streaming list that failed. Nothing is reported if pages are requested
	 * instead because the server does not support streaming lists.
	 * @param failure the failure
	 * @param decision the next step
	 */
	void streamFailed(Failure failure, Decision decision) {
		if (isFallback(decision)) {
			fellBack(failure.httpStatus());
		}
		else {
			failed("list", failure, decision);
		}
	}

	private boolean isFallback(Decision decision) {
		return decision.step() == Step.LIST && decision.isAtOnce()
				&& !decision.state().streams().mayStream(this.nanoTime.getAsLong());
	}

	private void fellBack(@Nullable Integer httpStatus) {
		if (!this.stopped.getAsBoolean()) {
			this.sink.fellBack(httpStatus);
		}
	}

	/**
	 * Reports that the initial events of a streaming list did not end in time. The list
	 * is then requested in pages instead.
	 */
	void streamOverdue() {
		if (!this.stopped.getAsBoolean()) {
			this.sink.fellBack(null);
		}
	}

	void watchStarted() {
		this.watching = true;
		this.sink.watchStarted();
	}

	void watchEnded(WatchEndReason reason, Duration lived) {
		this.watching = false;
		if (!this.stopped.getAsBoolean()) {
			this.sink.watchEnded(reason, lived);
		}
	}

	boolean isWatching() {
		return this.watching;
	}

}
