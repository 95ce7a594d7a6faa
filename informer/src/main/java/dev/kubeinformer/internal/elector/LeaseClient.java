package dev.kubeinformer.internal.elector;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.json.LeaseDocument;
import dev.kubeinformer.internal.election.LeaseAnswer;
import dev.kubeinformer.internal.election.LeaseRequest;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.lease.LeaseRequests;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.types.Problem;

/**
 * Sends the requests of an election to the API server and interprets the responses. It
 * also watches the Lease, so that the election notices changes early. Without the watch,
 * which may be forbidden, the election works more slowly.
 */
final class LeaseClient {

	private static final Duration WATCH = Duration.ofMinutes(5);

	/** Time after which a forbidden watch is tried again. */
	private static final Duration FORBIDDEN = Duration.ofMinutes(1);

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private final LeaderSpec spec;

	private final LeaseRequests requests;

	private final LeaseReporter board;

	/**
	 * Receives the holder whenever the Lease changes; an empty text if there is no
	 * holder.
	 */
	private final Consumer<String> hints;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/** Lease as it was last read; used only by the thread of the election. */
	private @Nullable LeaseDocument last;

	LeaseClient(LeaderSpec spec, LeaseRequests requests, LeaseReporter board, Consumer<String> hints) {
		this.spec = spec;
		this.requests = requests;
		this.board = board;
		this.hints = hints;
	}

	LeaseAnswer send(LeaseRequest request) {
		String verb = verb(request);
		try {
			LeaseDocument lease = carryOut(request);
			if (lease == null) {
				return new LeaseAnswer.Conflict();
			}
			this.last = lease;
			this.board.succeeded(verb);
			return new LeaseAnswer.Found(lease.record(), lease.resourceVersion());
		}
		catch (IOException ex) {
			return failed(request, verb, Failure.of(ex));
		}
	}

	private @Nullable LeaseDocument carryOut(LeaseRequest request) throws IOException {
		if (request instanceof LeaseRequest.Create create) {
			return this.requests.create(create.record());
		}
		if (request instanceof LeaseRequest.Update update) {
			LeaseDocument read = this.last;
			// Update the Lease as it was read, so that fields of other clients are
			// preserved.
			return (read != null && read.resourceVersion().equals(update.resourceVersion()))
					? this.requests.update(read, update.record()) : null;
		}
		return this.requests.get();
	}

	private static String verb(LeaseRequest request) {
		if (request instanceof LeaseRequest.Create) {
			return "create";
		}
		return (request instanceof LeaseRequest.Update) ? "update" : "get";
	}

	private LeaseAnswer failed(LeaseRequest request, String verb, Failure failure) {
		switch (failure.problem()) {
			case CONFLICT, ALREADY_EXISTS -> {
				this.board.succeeded(verb);
				return new LeaseAnswer.Conflict();
			}
			case NOT_FOUND -> {
				if (!(request instanceof LeaseRequest.Create)) {
					this.board.succeeded(verb);
					return new LeaseAnswer.Absent();
				}
				this.board.failed(verb, failure);
				return new LeaseAnswer.Refused();
			}
			case FORBIDDEN, UNAUTHORIZED, BAD_REQUEST, INVALID, UNSUPPORTED, REJECTED, THROTTLED -> {
				this.board.failed(verb, failure);
				return new LeaseAnswer.Refused();
			}
			default -> {
				this.board.failed(verb, failure);
				return new LeaseAnswer.Unknown();
			}
		}
	}

	/**
	 * Watches the Lease on a separate thread until this client is closed.
	 */
	void watchAll() {
		try {
			Duration pause = watchOrSurvive();
			while (!this.stopped.await(Durations.nanos(pause), TimeUnit.NANOSECONDS)) {
				pause = watchOrSurvive();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Watches the Lease once. It catches any exception, because the thread must not end:
	 * it is not started again.
	 * @return the time to wait before the next watch
	 */
	private Duration watchOrSurvive() {
		try {
			return watch();
		}
		catch (RuntimeException | Error ex) {
			// For example an OutOfMemoryError while a failure was recorded.
			return this.spec.retryPeriod();
		}
	}

	private Duration watch() {
		long start = System.nanoTime();
		try {
			this.requests.watch(WATCH, (lease) -> {
				this.board.succeeded("watch");
				this.hints.accept((lease != null) ? lease.record().holder() : "");
			});
			this.board.succeeded("watch");
			Duration lasted = Duration.ofNanos(System.nanoTime() - start);
			return (lasted.compareTo(SHORTEST) < 0) ? SHORTEST : Duration.ZERO;
		}
		catch (IOException ex) {
			if (this.stopped.getCount() == 0) {
				return Duration.ZERO;
			}
			Failure failure = Failure.of(ex);
			this.board.failed("watch", failure);
			return (failure.problem() == Problem.FORBIDDEN) ? FORBIDDEN : this.spec.retryPeriod();
		}
		catch (RuntimeException | Error ex) {
			// For example a failure of an interceptor of the application, or a missing
			// class.
			this.board.failed("watch", Failure.unexpected(ex));
			return this.spec.retryPeriod();
		}
	}

	/**
	 * Cancels the requests and the watch, and sends no more requests.
	 */
	void close() {
		this.stopped.countDown();
		this.requests.close();
	}

}
