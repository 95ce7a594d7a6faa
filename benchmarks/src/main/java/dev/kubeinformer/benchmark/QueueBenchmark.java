package dev.kubeinformer.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * What an event costs between the store and a handler that does nothing.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueBenchmark {

	private static final int EVENTS = 10_000;

	private static final int OBJECTS = 5_000;

	/** The number of the handler's workers. */
	@Param({ "1", "4" })
	public int workers;

	private final List<Delta<String>> events = new ArrayList<>();

	private ScheduledExecutorService timer;

	private HandlerDispatcher<String> dispatcher;

	private long sent;

	@Setup
	public void start() {
		this.timer = Executors.newSingleThreadScheduledExecutor();
		this.dispatcher = new HandlerDispatcher<>((delivery) -> {
		}, (delivery, cause, retry) -> {
		}, new SilentListener<>(), new HandlerDispatcher.Options(this.workers, EVENTS, (failures, cause) -> null,
				Thread::new, System::nanoTime));
		this.dispatcher.start(this.timer);
		for (int i = 0; i < EVENTS; i++) {
			this.events.add(new Delta<>(Delta.Kind.UPDATED, object(i, "1"), object(i, "2"), false, false));
		}
	}

	private static StoredObject<String> object(int number, String version) {
		return new StoredObject<>("default", "pod-" + number % OBJECTS, "uid-" + number % OBJECTS, version, "");
	}

	@TearDown
	public void stop() {
		this.dispatcher.close(Duration.ZERO);
		this.timer.shutdownNow();
	}

	/**
	 * Queues events as fast as possible, and waits until all were handled.
	 */
	@Benchmark
	@OperationsPerInvocation(EVENTS)
	public void handled() {
		DeltaSink<String> sink = this.dispatcher.sink();
		this.events.forEach(sink::delta);
		this.sent += EVENTS;
		while (this.dispatcher.processed() < this.sent) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Queues events that are merged into those that wait, and waits for these.
	 */
	@Benchmark
	@OperationsPerInvocation(3 * EVENTS)
	public void merged() {
		long merged = this.dispatcher.figures().merged();
		long handled = this.dispatcher.processed();
		this.dispatcher.pause(true);
		DeltaSink<String> sink = this.dispatcher.sink();
		for (int i = 0; i < 3; i++) {
			this.events.forEach(sink::delta);
		}
		this.dispatcher.pause(false);
		while (this.dispatcher.processed() - handled + this.dispatcher.figures().merged() - merged < 3 * EVENTS) {
			Thread.onSpinWait();
		}
		this.sent = this.dispatcher.processed();
	}

}
