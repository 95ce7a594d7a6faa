package dev.kubeinformer.internal.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
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

import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.failure.LinkageProblem;
import dev.kubeinformer.internal.reflector.Decision.Step;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.slots.SlotList;
import dev.kubeinformer.internal.slots.SlotSource;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.WatchRequest;
import dev.kubeinformer.internal.transport.WatchStream;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Loop that lists and watches one collection until it is stopped. It carries out the
 * decisions of {@link ListDecisions} and {@link WatchDecisions}; only {@link #stop()}
 * ends it.
 *
 * @param <T> the model class
 */
public final class Reflector<T extends KubernetesObject> implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("dev.kubeinformer.informer.Informer");

	private final OutageSource<T> connection;

	private final ReflectorSink<T> sink;

	private final ListDecisions lists;

	private final WatchDecisions watches;

	private final FullStateReader<T> reader;

	private final RequestReports reports;

	private final ReflectorTimings timings;

	private final SyncSlots syncSlots;

	private final LongSupplier nanoTime;

	private final Supplier<RandomGenerator> random;

	private final CountDownLatch stopped = new CountDownLatch(1);

	/** Wait after a failure in the failure handling itself, in nanoseconds. */
	private final long lastResort;

	private final PublishedCondition condition;

	/**
	 * Adjusts the requests when shard slots are gained or lost; {@code null} if the
	 * objects are not divided into shard slots.
	 */
	private final @Nullable SlotMoves<T> moves;

	private ReflectorState state;

	private volatile boolean fresh;

	/** Time at which {@link #askForMostRecentState()} was called. */
	private volatile long began;

	/** Class of the last failure that was logged with its stack trace. */
	private @Nullable Class<?> lastUnexpected;

	/**
	 * Creates a reflector.
	 * @param connection the connection on which requests are sent
	 * @param sink the receiver of lists and events
	 * @param options the settings
	 * @param syncSlots limits the number of reflectors that read a list at once
	 * @param outages the shared knowledge about outages of the server
	 * @param fromVersion the version of the sink's content from an earlier run; empty if
	 * there is none
	 */
	public Reflector(ApiConnection<T> connection, ReflectorSink<T> sink, Options options, SyncSlots syncSlots,
			Outages outages, String fromVersion) {
		this(connection, sink, options, syncSlots, outages, fromVersion, null);
	}

	/**
	 * Creates a reflector.
	 * @param connection the connection on which requests are sent
	 * @param sink the receiver of lists and events
	 * @param options the settings
	 * @param syncSlots limits the number of reflectors that read a list at once
	 * @param outages the shared knowledge about outages of the server
	 * @param fromVersion the version of the sink's content from an earlier run; empty if
	 * there is none
	 * @param moves adjusts the requests when shard slots are gained or lost, and has the
	 * filter that the connection uses; {@code null} if the objects are not divided into
	 * shard slots
	 */
	public Reflector(ApiConnection<T> connection, ReflectorSink<T> sink, Options options, SyncSlots syncSlots,
			Outages outages, String fromVersion, @Nullable SlotMoves<T> moves) {
		this.connection = outages.source(connection);
		this.sink = sink;
		this.timings = options.timings();
		this.lists = new ListDecisions(options.timings(), options.listMode(), options.pageSize());
		this.watches = new WatchDecisions(options.timings());
		this.reports = new RequestReports(sink, options.nanoTime(), this::isStopped);
		this.reader = new FullStateReader<>(this.connection, sink, this.lists, this.reports,
				options.timings().syncDeadline(), options.nanoTime(), this::isStopped);
		this.syncSlots = syncSlots;
		this.nanoTime = options.nanoTime();
		this.random = options.random();
		this.lastResort = options.timings().backoffBase().toNanos();
		this.condition = new PublishedCondition(sink, options.timer(), options.timings().probation());
		this.state = ReflectorState.initial(fromVersion);
		this.moves = moves;
		if (moves != null) {
			moves.connect(sink, (opened) -> new SlotLister<>(opened, options, syncSlots, outages),
					this.connection::endWatch, options.timings().backoffBase());
		}
	}

	/**
	 * Ensures that the first list is not older than its request. Without this call, the
	 * server may return any cached state. Call it before the reflector runs.
	 */
	public void askForMostRecentState() {
		this.fresh = true;
		this.began = this.nanoTime.getAsLong();
		this.state = this.state.needingCurrent();
	}

	/**
	 * Returns whether the most recent state was requested, and not before a given time.
	 * @param since the time
	 * @return {@code true} if {@link #askForMostRecentState()} was called at that time or
	 * later
	 */
	public boolean isFreshSince(long since) {
		return this.fresh && this.began - since >= 0;
	}

	@Override
	public void run() {
		Step step = Step.START;
		while (!isStopped()) {
			try {
				step = turn(step);
			}
			catch (InterruptedException ex) {
				// Only stop() ends the loop; its condition checks that.
				continue;
			}
			catch (Throwable ex) {
				if (LinkageProblem.of(ex) != null) {
					giveUp(ex);
				}
				step = survive(ex);
			}
		}
	}

	/**
	 * Reports incompatible libraries, and waits until the reflector is stopped. A retry
	 * is useless, because the class path of a JVM does not change.
	 * @param failure the exception
	 */
	private void giveUp(Throwable failure) {
		InformerState shown = this.state.notLive();
		attempt(failure, this.connection::leave);
		attempt(failure, () -> this.condition.publish(shown));
		attempt(failure, () -> this.reports.gaveUp("list", Failure.unexpected(failure)));
		while (!isStopped()) {
			try {
				this.stopped.await();
			}
			catch (InterruptedException ex) {
				// Only stop() ends the wait.
				logger.debug("A wait was interrupted");
			}
		}
	}

	private Step turn(Step step) throws InterruptedException {
		publishCondition();
		Decision decision = perform((this.moves != null) ? beforeNext(this.moves, step) : step);
		this.connection.idle();
		this.state = decision.state();
		if (this.state.encoding().avoidsProtobuf()) {
			this.connection.avoidProtobuf();
			this.state = this.state.with(this.state.encoding().protobufAvoided());
		}
		if (decision.condition() != null && !isStopped()) {
			this.condition.publish(decision.condition());
		}
		await(decision.pause().draw(this.timings, this.random.get()));
		return decision.step();
	}

	/**
	 * Stores the complete lists of gained shard slots. Waits while this process does not
	 * hold a slot.
	 * @param slotMoves the shard slots of the reflector
	 * @param step the next step unless slots were gained or lost
	 * @return the next step
	 * @throws InterruptedException if the thread is interrupted
	 */
	private Step beforeNext(SlotMoves<T> slotMoves, Step step) throws InterruptedException {
		Step next = step;
		while (!isStopped()) {
			long changes = slotMoves.changes();
			switch (slotMoves.turn(next)) {
				case WAIT -> slotMoves.awaitChange(changes);
				case NOTHING -> {
					this.sink.nothingHeld();
					this.condition.publish(InformerState.LIVE);
					slotMoves.awaitChange(changes);
				}
				case LIST_CURRENT -> {
					this.state = SlotDecisions.current(this.state, next);
					return Step.START;
				}
				case CONTINUE -> {
					GainedList<T> gained = (next == Step.WATCH || next == Step.PROBE) ? slotMoves.take() : null;
					if (gained == null) {
						return next;
					}
					next = store(slotMoves.source(), gained, next);
				}
			}
		}
		return next;
	}

	private Step store(SlotSource slots, GainedList<T> gained, Step step) {
		Listing listing = gained.listing();
		HeldSlots valid = gained.slots().within(slots.held()).minus(slots.full());
		if (listing == null || valid.isEmpty()) {
			return step;
		}
		Decision decision = SlotDecisions.gained(this.state, listing.resourceVersion(), gained.newestBefore());
		if (decision.step() == Step.WATCH) {
			String followed = this.state.versions().last();
			this.sink.gained(gained.objects(), listing.of(new SlotList(valid, followed)), gained.foreignObjects());
			this.sink.notifyListeners();
		}
		this.state = decision.state();
		if (decision.condition() != null) {
			this.condition.publish(decision.condition());
		}
		return (decision.step() == Step.WATCH) ? step : decision.step();
	}

	private void publishCondition() {
		try {
			this.condition.catchUp();
		}
		catch (RuntimeException | Error ex) {
			// Continue, because the cache matters more. The next iteration publishes the
			// state again.
			logger.error("The state of '{}' cannot be published", Thread.currentThread().getName(), ex);
		}
	}

	/**
	 * Continues after an unexpected failure, even in the reflector's own bookkeeping. If
	 * there is no memory, this method may fail, too. The next iteration then shows
	 * whether the loop can continue.
	 * @param failure the exception
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
			// These calls allocate nothing.
			Thread.interrupted();
			LockSupport.parkNanos(this.lastResort);
			return Step.START;
		}
	}

	private Step recover(Throwable failure) {
		Decision decision = ListDecisions.unexpected(this.state);
		this.state = decision.state();
		InformerState shown = Objects.requireNonNull(decision.condition());
		// Attempt each separately, so that a failure of one does not prevent the others.
		attempt(failure, this.connection::idle);
		attempt(failure, () -> this.condition.publish(shown));
		attempt(failure, () -> this.reports.failed("list", Failure.unexpected(failure), decision));
		if (this.reports.isWatching()) {
			attempt(failure, () -> this.reports.watchEnded(WatchEndReason.INTERNAL_ERROR, this.reports.sinceRequest()));
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
		// Log the stack trace once, because the failure may repeat.
		Throwable trace = failure.getClass().equals(this.lastUnexpected) ? null : failure;
		this.lastUnexpected = failure.getClass();
		logger.atError()
			.setCause(trace)
			.log("Unexpected {} in '{}'; it will list again", failure.getClass().getName(),
					Thread.currentThread().getName());
	}

	/**
	 * Ends the loop from any thread. The current request is aborted, and a wait ends at
	 * once.
	 */
	public void stop() {
		this.stopped.countDown();
		if (this.moves != null) {
			this.moves.stop();
		}
		this.connection.close();
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	private void await(Duration wait) {
		try {
			if (!wait.isZero() && this.connection.await(wait)) {
				this.state = this.state.with(this.state.failures().forgiven());
			}
		}
		catch (InterruptedException ex) {
			// A shorter wait is harmless; the loop checks whether to continue.
			logger.debug("A wait was interrupted");
		}
	}

	private void pause(Duration wait) {
		if (!wait.isZero()) {
			try {
				this.stopped.await(wait.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				// A shorter wait is harmless; the loop checks whether to continue.
				logger.debug("A wait was interrupted");
			}
		}
	}

	private Decision perform(Step step) throws InterruptedException {
		return switch (step) {
			case START -> start();
			case STREAM -> stream();
			case LIST -> list();
			case PROBE -> probe();
			case WATCH -> watch();
		};
	}

	private Decision start() throws InterruptedException {
		if (this.moves != null) {
			HeldSlots slots = this.moves.beginList(this.state);
			if (slots.isEmpty()) {
				return Decision.start(this.state);
			}
			this.reader.slots(new SlotList(slots));
		}
		return perform(this.lists.startBy(this.state, this.nanoTime.getAsLong()));
	}

	private Decision list() throws InterruptedException {
		SyncSlots.Slot slot = this.syncSlots.acquire(this::isStopped);
		Decision decision;
		try {
			decision = this.reader.readPages(this.state, slot);
		}
		finally {
			slot.release();
		}
		this.sink.notifyListeners();
		return decision;
	}

	/**
	 * Requests the server's version. Needs no permission to read a full state.
	 * @return the decision
	 */
	private Decision probe() {
		this.reports.requestSent();
		try {
			return this.watches.probed(this.state, this.connection.probe());
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.watches.notProbed(this.state, failure);
			if (!decision.isAtOnce()) {
				// Report the failed probe as a failed watch, because the next watch is
				// attempted only after the wait.
				notOpened(failure, decision);
			}
			return decision;
		}
	}

	private Decision stream() throws InterruptedException {
		WatchRequest request = this.lists.streamRequest(this.state, watchTimeout());
		SyncSlots.Slot slot = this.syncSlots.acquire(this::isStopped);
		try {
			return stream(request, slot);
		}
		finally {
			slot.release();
		}
	}

	private Decision stream(WatchRequest request, SyncSlots.Slot slot) {
		this.reports.requestSent();
		WatchStream<T> stream;
		try {
			stream = this.connection.watch(request);
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.lists.streamFailed(this.state, failure, this.nanoTime.getAsLong());
			slot.release();
			this.reports.streamFailed(failure, decision);
			return decision;
		}
		try (stream) {
			Decision decision = this.reader.readStream(this.state, stream, request, slot);
			if (decision.step() != Step.WATCH || !decision.isAtOnce()) {
				return decision;
			}
			// Only the full state needs this permission; the watch that follows may last
			// forever.
			slot.release();
			this.sink.notifyListeners();
			this.state = decision.state();
			return follow(stream);
		}
	}

	private Decision watch() {
		if (this.moves != null) {
			this.moves.beginWatch(this.state);
		}
		this.reports.requestSent();
		WatchStream<T> stream;
		try {
			stream = this.connection
				.watch(this.watches.watchRequest(this.state, watchTimeout(), this.nanoTime.getAsLong()));
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.watches.watchNotOpened(this.state, failure);
			notOpened(failure, decision);
			return decision;
		}
		try (stream) {
			return follow(stream);
		}
	}

	private int watchTimeout() {
		int shortest = (int) Math.max(1, this.timings.watchTimeout().toSeconds());
		return shortest + this.random.get().nextInt(shortest + 1);
	}

	private void notOpened(Failure failure, Decision decision) {
		this.reports.failed("watch", failure, decision);
		this.reports.watchEnded(WatchEnd.unopened(failure.problem()), Duration.ZERO);
	}

	private Decision follow(WatchStream<T> stream) {
		this.condition.watchOpened(this.watches.watchOpened(this.state));
		this.reports.watchStarted();
		if (this.moves != null) {
			this.moves.watchOpened();
		}
		WatchEnd end = read(stream, this.nanoTime.getAsLong());
		this.condition.watchEnded();
		if (this.moves != null && this.moves.watchEnded()) {
			this.reports.watchEnded(WatchEndReason.CLOSED, end.lived());
			return this.watches.watchTurned(this.state, end);
		}
		Decision decision = this.watches.watchEnded(this.state, end, this.nanoTime.getAsLong());
		if (end.failure() != null) {
			this.connection.broke(end.failure());
			this.reports.failed("watch", end.failure(), decision);
		}
		this.reports.watchEnded(end.reason(), end.lived());
		if (decision.state().nextList().verifying()) {
			this.connection.forgetParts();
		}
		return decision;
	}

	private WatchEnd read(WatchStream<T> stream, long start) {
		boolean events = false;
		boolean empty = true;
		long before = stream.received();
		@Nullable Failure failure = null;
		try {
			for (WatchFrame<T> frame = stream.next(); frame != null; frame = stream.next()) {
				if (frame.status() != null) {
					failure = Failure.of(frame.status());
					break;
				}
				this.sink.alive();
				empty = false;
				events |= frame.type() != WatchEventType.BOOKMARK;
				received(frame);
			}
		}
		catch (IOException ex) {
			failure = Failure.of(ex);
		}
		return new WatchEnd(failure, Duration.ofNanos(this.nanoTime.getAsLong() - start), events,
				empty && stream.received() == before);
	}

	private void received(WatchFrame<T> frame) {
		this.condition.alive();
		this.state = this.watches.received(this.state, frame.type(), frame.resourceVersion(),
				this.nanoTime.getAsLong());
		String version = this.state.versions().last();
		if (frame.type() == WatchEventType.BOOKMARK) {
			this.sink.advance(version);
		}
		else {
			this.sink.apply(frame, version);
		}
	}

	/**
	 * Settings of a reflector.
	 *
	 * @param timings the durations of the protocol
	 * @param listMode the configured way of requesting full states
	 * @param pageSize the number of items of a page of a list; 0 for the default
	 * @param nanoTime the clock
	 * @param random the source of jitter, for the calling thread
	 * @param timer ends the probation of watches
	 */
	public record Options(ReflectorTimings timings, ListMode listMode, int pageSize, LongSupplier nanoTime,
			Supplier<RandomGenerator> random, ScheduledExecutorService timer) {

		/**
		 * Returns these options with the page size of one resource.
		 * @param pageSize the number of items of a page of a list; 0 for that of all
		 * resources
		 * @return the options
		 */
		public Options withPageSize(int pageSize) {
			return (pageSize == 0) ? this
					: new Options(this.timings, this.listMode, pageSize, this.nanoTime, this.random, this.timer);
		}

	}

}
