package dev.kubeinformer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.codec.DecodedObject;
import dev.kubeinformer.codec.ListHeader;
import dev.kubeinformer.codec.WatchFrame;
import dev.kubeinformer.reflector.Decision.Step;
import dev.kubeinformer.transport.ApiConnection;
import dev.kubeinformer.transport.ListRequest;
import dev.kubeinformer.transport.WatchRequest;
import dev.kubeinformer.transport.WatchStream;

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

	private final Semaphore syncSlots;

	private final LongSupplier nanoTime;

	private final Supplier<RandomGenerator> random;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private ReflectorState state;

	/**
	 * Creates a reflector.
	 * @param connection the requests
	 * @param sink receives what the reflector learns
	 * @param options how it behaves
	 * @param syncSlots bounds how many reflectors read a list at once
	 * @param fromVersion the version of what the sink holds from an earlier run; empty if
	 * nothing
	 */
	public Reflector(ApiConnection<T> connection, ReflectorSink<T> sink, Options options, Semaphore syncSlots,
			String fromVersion) {
		this.connection = connection;
		this.sink = sink;
		this.timings = options.timings();
		this.decisions = new ReflectorDecisions(options.timings(), options.pageSize());
		this.syncSlots = syncSlots;
		this.nanoTime = options.nanoTime();
		this.random = options.random();
		this.state = ReflectorState.initial(fromVersion);
	}

	@Override
	public void run() {
		Step step = Step.LIST;
		this.sink.condition(Condition.SYNCING);
		while (!isStopped()) {
			Decision decision;
			try {
				decision = (step == Step.LIST) ? list() : watch();
			}
			catch (InterruptedException ex) {
				// Only stop() ends the loop; it is asked at the top.
				continue;
			}
			catch (RuntimeException | Error ex) {
				if (isStopped()) {
					return;
				}
				logger.error("Unexpected failure of a reflector; it goes on by a list", ex);
				this.state = this.state.failed();
				decision = new Decision(this.state, Step.LIST, Pause.backoff(this.state.failures(), Duration.ZERO),
						null);
			}
			this.state = decision.state();
			step = decision.step();
			if (decision.condition() != null && !isStopped()) {
				this.sink.condition(decision.condition());
			}
			pause(decision.pause().draw(this.timings, this.random.get()));
		}
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
				// A shorter wait harms nobody; whether to go on is asked at the top of
				// the loop.
				logger.debug("A wait was interrupted");
			}
		}
	}

	private Decision list() throws InterruptedException {
		while (!this.syncSlots.tryAcquire(100, TimeUnit.MILLISECONDS)) {
			if (isStopped()) {
				throw new InterruptedException();
			}
		}
		try {
			return listPages();
		}
		finally {
			this.syncSlots.release();
		}
	}

	private Decision listPages() {
		ListRequest first = this.decisions.listRequest(this.state);
		List<DecodedObject<T>> objects = new ArrayList<>();
		ListRequest request = first;
		@Nullable ListHeader firstHeader = null;
		while (true) {
			try {
				ListHeader header = this.connection.list(request, objects::add);
				firstHeader = (firstHeader != null) ? firstHeader : header;
				if (header.continueToken().isEmpty()) {
					return listed(first, firstHeader, objects, request != first);
				}
				request = new ListRequest("", first.limit(), header.continueToken());
			}
			catch (IOException ex) {
				Failure failure = Failure.of(ex);
				Decision decision = this.decisions.listFailed(this.state, request, failure);
				failed("list", failure, decision);
				return decision;
			}
		}
	}

	private Decision listed(ListRequest first, ListHeader header, List<DecodedObject<T>> objects, boolean paged) {
		boolean regression = this.decisions.isRegression(this.state, header.resourceVersion());
		Decision decision = this.decisions.listed(this.state, first, header, paged);
		if (decision.step() == Step.WATCH) {
			this.sink.replace(objects, header.resourceVersion(), regression);
		}
		return decision;
	}

	private Decision watch() {
		WatchStream<T> stream;
		int timeout = (int) Math.max(1, this.timings.watchTimeout().toSeconds());
		try {
			stream = this.connection
				.watch(new WatchRequest(this.state.lastVersion(), timeout + this.random.get().nextInt(timeout + 1)));
		}
		catch (IOException ex) {
			Failure failure = Failure.of(ex);
			Decision decision = this.decisions.watchNotOpened(this.state, failure);
			failed("watch", failure, decision);
			return decision;
		}
		Condition opened = this.decisions.watchOpened(this.state);
		if (opened != null) {
			this.sink.condition(opened);
		}
		long start = this.nanoTime.getAsLong();
		WatchEnd end;
		try (stream) {
			end = follow(stream, start);
		}
		Decision decision = this.decisions.watchEnded(this.state, end, this.nanoTime.getAsLong());
		if (end.failure() != null) {
			failed("watch", end.failure(), decision);
		}
		return decision;
	}

	private WatchEnd follow(WatchStream<T> stream, long start) {
		boolean events = false;
		@Nullable Failure failure = null;
		try {
			for (WatchFrame<T> frame = stream.next(); frame != null; frame = stream.next()) {
				this.sink.alive();
				if (frame.status() != null) {
					failure = Failure.of(frame.status());
					break;
				}
				events = true;
				received(frame);
			}
		}
		catch (IOException ex) {
			failure = Failure.of(ex);
		}
		return new WatchEnd(failure, Duration.ofNanos(this.nanoTime.getAsLong() - start), events);
	}

	private void received(WatchFrame<T> frame) {
		if (this.state.silent()) {
			this.sink.condition(Condition.LIVE);
		}
		this.state = this.decisions.received(this.state, frame.resourceVersion());
		if (frame.type() == WatchFrame.Type.BOOKMARK) {
			this.sink.advance(this.state.lastVersion());
		}
		else {
			this.sink.apply(frame, this.state.lastVersion());
		}
	}

	private void failed(String verb, Failure failure, Decision decision) {
		if (!isStopped()) {
			this.sink.failed(verb, failure, (decision.step() == Step.LIST) ? "list again"
					: "watch again from resourceVersion " + decision.state().lastVersion());
		}
	}

	/**
	 * How a reflector behaves.
	 *
	 * @param timings the durations of the protocol
	 * @param pageSize the number of items of a page of a list; 0 for the default
	 * @param nanoTime the clock
	 * @param random the dice, for the calling thread
	 */
	public record Options(ReflectorTimings timings, int pageSize, LongSupplier nanoTime,
			Supplier<RandomGenerator> random) {

	}

}
