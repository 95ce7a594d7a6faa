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
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.transport.LeaseRequests;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.types.Problem;

/**
 * Carries requests of an election to the API server, and says what their answers mean.
 * Beside that it watches the Lease, to say early that it is worth a look. The election
 * works without the watch, only later: it may be forbidden, and is not relied on.
 */
final class LeaseClient {

	private static final Duration WATCH = Duration.ofMinutes(5);

	/** How soon a watch that was forbidden is tried again. */
	private static final Duration FORBIDDEN = Duration.ofMinutes(1);

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private final LeaderSpec spec;

	private final LeaseRequests requests;

	private final LeaseReporter board;

	/** Receives the holder whenever the Lease changes; empty if there is none. */
	private final Consumer<String> hints;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/** Lease as it was read last; used by the thread that elects. */
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
			// What is updated is what was read, with all that others keep in it.
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
	 * Watches the Lease until the link is closed, in a thread of its own.
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
	 * Watches the Lease, and goes on after any failure: nothing else starts this thread
	 * again.
	 * @return how long to wait before the next watch
	 */
	private Duration watchOrSurvive() {
		try {
			return watch();
		}
		catch (RuntimeException | Error ex) {
			// For example OutOfMemoryError, while a failure was noted.
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
			// Also that of an interceptor of the application, or of a missing class.
			this.board.failed("watch", Failure.unexpected(ex));
			return this.spec.retryPeriod();
		}
	}

	/**
	 * Ends the requests and the watch, and sends nothing any more.
	 */
	void close() {
		this.stopped.countDown();
		this.requests.close();
	}

}
