package dev.kubeinformer.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.kubernetes.client.openapi.models.V1Pod;
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

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.internal.dispatch.HandlerDispatcher;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.text.LogContext;

/** Measures an event between the store and a handler that does nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueBenchmark {

	private static final int EVENTS = 10_000;

	private static final int OBJECTS = 5_000;

	/** Number of the handler's workers. */
	@Param({ "1", "4" })
	public int workers;

	private final List<Delta<V1Pod>> events = new ArrayList<>();

	private ScheduledExecutorService timer;

	private HandlerDispatcher<V1Pod> dispatcher;

	private final V1Pod pod = new V1Pod();

	private final LongAdder handled = new LongAdder();

	private long sent;

	@Setup
	public void start() {
		this.timer = Executors.newSingleThreadScheduledExecutor();
		this.dispatcher = new HandlerDispatcher<>((event) -> this.handled.increment(),
				HandlerOptions.defaults().withConcurrency(this.workers).withQueueCapacity(EVENTS),
				new SilentListener<>(), new HandlerDispatcher.Context("default", Thread::new, System::nanoTime,
						LogContext.ofHandler("test", "pods", "default")));
		this.dispatcher.start(this.timer);
		for (int i = 0; i < EVENTS; i++) {
			this.events.add(new Delta<>(Delta.Kind.UPDATED, object(i, "1"), object(i, "2"), false, false));
		}
	}

	private StoredObject<V1Pod> object(int number, String version) {
		return new StoredObject<>("default", "pod-" + number % OBJECTS, "uid-" + number % OBJECTS, version, this.pod);
	}

	@TearDown
	public void stop() {
		this.dispatcher.close(Duration.ZERO);
		this.timer.shutdownNow();
	}

	/** Queues events as fast as possible, and waits until all were processed. */
	@Benchmark
	@OperationsPerInvocation(EVENTS)
	public void handled() {
		DeltaSink<V1Pod> sink = this.dispatcher.sink();
		this.events.forEach(sink::delta);
		this.sent += EVENTS;
		while (this.handled.sum() < this.sent) {
			Thread.onSpinWait();
		}
	}

	/** Queues events that are merged into waiting ones, and waits for these. */
	@Benchmark
	@OperationsPerInvocation(3 * EVENTS)
	public void merged() {
		long merged = this.dispatcher.status().queue().merged();
		long handled = this.handled.sum();
		this.dispatcher.pause(true);
		DeltaSink<V1Pod> sink = this.dispatcher.sink();
		for (int i = 0; i < 3; i++) {
			this.events.forEach(sink::delta);
		}
		this.dispatcher.pause(false);
		while (this.handled.sum() - handled + this.dispatcher.status().queue().merged() - merged < 3 * EVENTS) {
			Thread.onSpinWait();
		}
		this.sent = this.handled.sum();
	}

}
