package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * The loop that lists and watches one collection until it is stopped. It carries out what
 * {@link ReflectorDecisions} decide; nothing but {@link #stop()} ends it.
 *
 * @param <T> the model class
 */
public final class Reflector<T extends KubernetesObject> implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Reflector.class);

	private final ApiConnection<T> connection;

	private final ReflectorSink<T> sink;

	private final ReflectorDecisions decisions;

	private final ReflectorTimings timings;

	private final SyncSlots syncSlots;

	private final LongSupplier nanoTime;

	private final Supplier<RandomGenerator> random;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/** How long to wait where not even a wait can be decided, in nanoseconds. */
	private final long lastResort;

	private final PublishedCondition condition;

	private ReflectorState state;

	/** When the request under way was sent, in nanoseconds. */
	private long requestedAt;

	/** What was logged with its stack trace last. */
	private @Nullable Class<?> lastUnexpected;

	/** Whether a watch is open. */
	private boolean watching;

	/** When the last full state was stored, in nanoseconds. */
	private long storedAt;

	/**
	 * Creates a reflector.
	 * @param connection the requests
	 * @param sink receives what the reflector learns
	 * @param options how it behaves
	 * @param syncSlots bounds how many reflectors read a list at once
	 * @param fromVersion the version of what the sink holds from an earlier run; empty if
	 * nothing
	 */
	public Reflector(ApiConnection<T> connection, ReflectorSink<T> sink, Options options, SyncSlots syncSlots,
			String fromVersion) {
		this.connection = connection;
		this.sink = sink;
		this.timings = options.timings();
		this.decisions = new ReflectorDecisions(options.timings(), options.listMode(), options.pageSize());
		this.syncSlots = syncSlots;
		this.nanoTime = options.nanoTime();
		this.random = options.random();
		this.lastResort = options.timings().backoffBase().toNanos();
		this.condition = new PublishedCondition(sink, options.timer(), options.timings().probation());
		this.state = ReflectorState.initial(fromVersion);
	}

	@Override
	public void run() {
		Step step = Step.START;
		while (!isStopped()) {
			try {
				step = turn(step);
			}
			catch (InterruptedException ex) {
				// Only stop() ends the loop; it is asked at the top.
				continue;
			}
			catch (Throwable ex) {
				step = survive(ex);
			}
		}
	}

	private Step turn(Step step) throws InterruptedException {
		publishCondition();
		Decision decision = settled(perform(step));
		if (this.state.avoidsProtobuf()) {
			this.connection.avoidProtobuf();
			this.state = this.state.protobufAvoided();
		}
		if (decision.condition() != null && !isStopped()) {
			this.condition.publish(decision.condition());
		}
		pause(decision.pause().draw(this.timings, this.random.get()));
		return decision.step();
	}

	private void publishCondition() {
		try {
			this.condition.catchUp();
		}
		catch (RuntimeException | Error ex) {
			// The cache matters more. The next turn tries it again.
			logger.error("The state of '{}' cannot be published", Thread.currentThread().getName(), ex);
		}
	}

	private Decision settled(Decision decision) {
		Decision settled = decision;
		if (this.decisions.givesUpVerification(decision)) {
			settled = this.decisions.unverified(decision);
			this.storedAt = this.nanoTime.getAsLong();
		}
		this.state = settled.state();
		return settled;
	}

	/**
	 * Goes on after a failure that nobody thought of, in the reflector's own bookkeeping
	 * too. Without memory, this may fail as well: then the next turn shows whether the
	 * loop can go on.
	 * @param failure what came
	 * @return the next step
	 */
	private Step survive(Throwable failure) {
		if (isStopped()) {
			return Step.START;
		}
		try {
			return recover(failure);
		}
		catch (Throwable ex) {
			// It allocates nothing.
			Thread.interrupted();
			LockSupport.parkNanos(this.lastResort);
			return Step.START;
		}
	}

	private Step recover(Throwable failure) {
		Decision decision = this.decisions.broken(this.state);
		this.state = decision.state();
		InformerState shown = Objects.requireNonNull(decision.condition());
		// Each by itself: one that fails keeps none of the others from being published.
		attempt(failure, () -> this.condition.publish(shown));
		attempt(failure, () -> this.sink.failed("list", Failure.unexpected(failure), "list again", sinceRequest()));
		if (this.watching) {
			attempt(failure, () -> watchEnded(WatchEndReason.INTERNAL_ERROR, sinceRequest()));
		}
		attempt(failure, () -> logUnexpected(failure));
		pause(decision.pause().draw(this.timings, this.random.get()));
		return decision.step();
	}

	private static void attempt(Throwable failure, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			if (ex != failure) {
				failure.addSuppressed(ex);
			}
		}
	}

	private void logUnexpected(Throwable failure) {
		// it may fail again and again
		Throwable trace = failure.getClass().equals(this.lastUnexpected) ? null : failure;
		this.lastUnexpected = failure.getClass();
		logger.atError()
			.setCause(trace)
			.log("Unexpected {} in '{}'; it will list again", failure.getClass().getName(),
					Thread.currentThread().getName());
	}

	/**
	 * Ends the loop from any thread: the request under way is aborted, a wait ends at
	 * once.
	 */
	public void stop() {
		this.stopped.countDown();
		this.connection.close();
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	private void pause(Duration wait) {
		if (!wait.isZero()) {
			try {
				this.stopped.await(wait.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				// A shorter wait harms nobody; the loop asks whether to go on.
				logger.debug("A wait was interrupted");
			}
		}
	}

	private Decision perform(Step step) throws InterruptedException {
		return switch (step) {
			case START -> perform(this.decisions.start(this.state, this.nanoTime.getAsLong()));
			case STREAM -> stream();
			case LIST -> list();
			case PROBE -> probe();
			case WATCH -> watch();
		};
	}

	private Decision list() throws InterruptedException {
		SyncSlots.Slot slot = this.syncSlots.acquire(this::isStopped);
		Decision decision;
		try {
			decision = listPages(slot);
		}
		finally {
			slot.release();
		}
		this.sink.notifyListeners();
		return decision;
	}

	/**
	 * Asks for one version, without waiting for those who read full states.
	 * @return the decision
	 */
	private Decision probe() {
		this.requestedAt = this.nanoTime.getAsLong();
		try {
			return this.decisions.probed(this.state, this.connection.probe());
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.decisions.notProbed(this.state, failure);
			if (!decision.pause().equals(Pause.NONE)) {
				// it stands for the watch, which is tried after the wait at the earliest
				failed("watch", failure, decision);
				watchEnded(WatchEndCause.ofUnopened(failure), Duration.ZERO);
			}
			return decision;
		}
	}

	private Decision stream() throws InterruptedException {
		WatchRequest request = this.decisions.streamRequest(this.state, watchTimeout());
		SyncSlots.Slot slot = this.syncSlots.acquire(this::isStopped);
		try {
			return stream(request, slot);
		}
		finally {
			slot.release();
		}
	}

	private Decision stream(WatchRequest request, SyncSlots.Slot slot) {
		this.requestedAt = this.nanoTime.getAsLong();
		WatchStream<T> stream;
		try {
			stream = this.connection.watch(request);
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.decisions.streamFailed(this.state, failure, this.nanoTime.getAsLong());
			slot.release();
			failed("list", failure, decision);
			return decision;
		}
		try (stream) {
			Decision decision = initialEvents(stream, request, slot);
			if (decision.step() != Step.WATCH) {
				return decision;
			}
			// The slot is for the full state; the watch that follows may last for ever.
			slot.release();
			this.sink.notifyListeners();
			this.state = decision.state();
			return follow(stream);
		}
	}

	private Decision initialEvents(WatchStream<T> stream, WatchRequest request, SyncSlots.Slot slot) {
		InitialEvents<T> initial = new InitialEvents<>(this.timings.syncDeadline(), this.nanoTime.getAsLong());
		@Nullable Failure failure = null;
		try {
			stream.deadline(initial.deadline());
			for (WatchFrame<T> frame = stream.next(); frame != null; frame = stream.next()) {
				slot.alive();
				if (frame.initialEventsEnd()) {
					stream.clearDeadline();
					return streamed(request, initial, frame.resourceVersion());
				}
				if (frame.status() != null) {
					failure = Failure.of(frame.status());
					break;
				}
				DecodedObject<T> object = frame.object();
				initial.add(frame.type(), (object != null) ? listed(object) : null, this.nanoTime.getAsLong());
				stream.deadline(initial.deadline());
			}
		}
		catch (IOException ex) {
			long now = this.nanoTime.getAsLong();
			if (now - initial.deadline() >= 0 && !isStopped()) {
				logger.debug("A streaming list brought no marker in time; it is read in pages");
				return this.decisions.streamOverdue(this.state, now);
			}
			failure = Failure.of(ex);
		}
		Decision decision = this.decisions.streamInterrupted(this.state, failure, this.nanoTime.getAsLong());
		if (failure != null) {
			initial.clear();
			slot.release();
			failed("list", failure, decision);
		}
		return decision;
	}

	private DecodedObject<T> listed(DecodedObject<T> object) {
		// Only a list that is asked for without a version is taken although it is older.
		return this.sink.listed(object, this.state.needFresh() || this.state.lastVersion().isEmpty());
	}

	private Decision streamed(WatchRequest request, InitialEvents<T> initial, String version) {
		Decision decision = this.decisions.streamed(this.state, request, version);
		replaceBy(decision, initial.takeObjects(), version);
		return decision;
	}

	private Decision listPages(SyncSlots.Slot slot) {
		this.requestedAt = this.nanoTime.getAsLong();
		ListRequest first = this.decisions.listRequest(this.state);
		List<DecodedObject<T>> objects = new ArrayList<>();
		ListRequest request = first;
		@Nullable ListHeader firstHeader = null;
		Set<String> continued = new HashSet<>();
		while (true) {
			int before = objects.size();
			long pageAt = this.nanoTime.getAsLong();
			try {
				ListHeader header = this.connection.list(request, (object) -> {
					objects.add(listed(object));
					slot.alive();
				});
				firstHeader = (firstHeader != null) ? firstHeader : header;
				if (header.continueToken().isEmpty()) {
					return listed(first, firstHeader, objects, request != first);
				}
				if (!continued.add(header.continueToken())) {
					throw new MalformedResponseException("The list has a 'continue' token that it had before");
				}
				request = new ListRequest("", first.limit(), header.continueToken());
			}
			catch (IOException ex) {
				Failure failure = Failure.of(ex);
				Decision decision = this.decisions.listFailed(this.state, request, failure, objects.size() > before,
						Duration.ofNanos(this.nanoTime.getAsLong() - pageAt));
				objects.clear();
				slot.release();
				failed("list", failure, decision);
				return decision;
			}
		}
	}

	private Decision listed(ListRequest first, ListHeader header, List<DecodedObject<T>> objects, boolean paged) {
		Decision decision = this.decisions.listed(this.state, first, header, paged);
		replaceBy(decision, objects, header.resourceVersion());
		return decision;
	}

	private void replaceBy(Decision decision, List<DecodedObject<T>> objects, String version) {
		boolean regression = this.decisions.isRegression(this.state, version);
		if (regression) {
			this.sink.regressed(version, this.state.newestSeen());
		}
		if (decision.step() == Step.WATCH) {
			this.sink.replace(objects, new Listing(decision.state().lastVersion(),
					regression || this.state.isVerifying(), this.state.listCause(), sinceRequest()));
			this.storedAt = this.nanoTime.getAsLong();
		}
	}

	private int watchTimeout() {
		int shortest = (int) Math.max(1, this.timings.watchTimeout().toSeconds());
		return shortest + this.random.get().nextInt(shortest + 1);
	}

	private int watchTimeoutUntilVerification() {
		int timeout = watchTimeout();
		return verifies() ? (int) Math.min(timeout, Math.max(1, untilVerification().toSeconds() + 1)) : timeout;
	}

	private boolean verifies() {
		return !this.timings.verifyEvery().isZero();
	}

	private Duration untilVerification() {
		long since = (this.state.listed()) ? this.nanoTime.getAsLong() - this.storedAt : 0;
		return this.timings.verifyEvery().minusNanos(since);
	}

	private Decision watch() {
		this.requestedAt = this.nanoTime.getAsLong();
		WatchStream<T> stream;
		try {
			stream = this.connection.watch(this.decisions.watchRequest(this.state, watchTimeoutUntilVerification()));
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.decisions.watchNotOpened(this.state, failure);
			failed("watch", failure, decision);
			watchEnded(WatchEndCause.ofUnopened(failure), Duration.ZERO);
			return decision;
		}
		try (stream) {
			return follow(stream);
		}
	}

	private Decision follow(WatchStream<T> stream) {
		this.condition.watchOpened(this.decisions.watchOpened(this.state));
		watchStarted();
		return ended(read(stream, this.nanoTime.getAsLong()));
	}

	private Decision ended(WatchEnd end) {
		this.condition.watchEnded();
		Decision decision = this.decisions.watchEnded(this.state, end, this.nanoTime.getAsLong());
		if (end.failure() != null) {
			failed("watch", end.failure(), decision);
		}
		watchEnded(WatchEndCause.ofOpen(end.failure()), end.lived());
		boolean due = end.failure() == null && decision.step() == Step.WATCH && verifies()
				&& untilVerification().compareTo(Duration.ZERO) <= 0;
		if (!due) {
			return decision;
		}
		this.connection.forgetParts();
		return this.decisions.verify(decision.state());
	}

	private WatchEnd read(WatchStream<T> stream, long start) {
		boolean events = false;
		@Nullable Failure failure = null;
		try {
			for (WatchFrame<T> frame = stream.next(); frame != null; frame = stream.next()) {
				if (frame.status() != null) {
					failure = Failure.of(frame.status());
					break;
				}
				this.sink.alive();
				events |= frame.type() != WatchEventType.BOOKMARK;
				received(frame);
			}
		}
		catch (IOException ex) {
			failure = Failure.of(ex);
		}
		return new WatchEnd(failure, Duration.ofNanos(this.nanoTime.getAsLong() - start), events);
	}

	private void received(WatchFrame<T> frame) {
		this.condition.alive();
		this.state = this.decisions.received(this.state, frame.type(), frame.resourceVersion(),
				this.nanoTime.getAsLong());
		if (frame.type() == WatchEventType.BOOKMARK) {
			this.sink.advance(this.state.lastVersion());
		}
		else {
			this.sink.apply(frame, this.state.lastVersion());
		}
	}

	private void failed(String verb, Failure failure, Decision decision) {
		if (!isStopped()) {
			this.sink.failed(verb, failure,
					(decision.step() == Step.START || decision.step() == Step.LIST) ? "list again"
							: "watch again from resourceVersion " + PrintableText.of(decision.state().lastVersion()),
					sinceRequest());
		}
	}

	private Duration sinceRequest() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.requestedAt);
	}

	private void watchStarted() {
		this.watching = true;
		this.sink.watchStarted();
	}

	private void watchEnded(WatchEndReason cause, Duration lived) {
		this.watching = false;
		if (!isStopped()) {
			this.sink.watchEnded(cause, lived);
		}
	}

	/**
	 * How a reflector behaves.
	 *
	 * @param timings the durations of the protocol
	 * @param listMode how full states are asked for
	 * @param pageSize the number of items of a page of a list; 0 for the default
	 * @param nanoTime the clock
	 * @param random the dice, for the calling thread
	 * @param timer ends the probation of watches
	 */
	public record Options(ReflectorTimings timings, ListMode listMode, int pageSize, LongSupplier nanoTime,
			Supplier<RandomGenerator> random, ScheduledExecutorService timer) {

	}

}
