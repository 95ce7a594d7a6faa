package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Run of one program from its start to rest: every object was reconciled, and for a while
 * there was no run, no write and hardly any CPU time.
 */
final class ControllerRun {

	private static final long POLL_MILLIS = 100;

	/** Number of cores that a process at rest may use, for JIT compilers and timers. */
	private static final double IDLE = 0.1;

	private static final long CONNECTIONS_CLOSE_MILLIS = 500;

	private final RawCluster cluster;

	private final Contender contender;

	private final Task task;

	private final int objects;

	private final Duration quiet;

	private final Duration limit;

	ControllerRun(RawCluster cluster, Contender contender, Task task, int objects, Duration quiet, Duration limit) {
		this.cluster = cluster;
		this.contender = contender;
		this.task = task;
		this.objects = objects;
		this.quiet = quiet;
		this.limit = limit;
	}

	/**
	 * Runs and measures the program.
	 * @param errors the file for its standard error
	 * @return the figures
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	Map<Figure, Double> measure(Path errors) throws IOException, InterruptedException {
		RequestCounts before = requests();
		try (MeasuredProcess process = new MeasuredProcess(this.contender.command().apply(this.task), errors)) {
			return figures(process, before);
		}
	}

	/**
	 * Runs the program to create its AOT cache.
	 * @param errors the file for its standard error
	 * @param seconds the longest time for writing the cache
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	void train(Path errors, long seconds) throws IOException, InterruptedException {
		try (MeasuredProcess process = new MeasuredProcess(this.contender.command().apply(this.task), errors)) {
			awaitRest(process, this.objects);
			process.end(seconds);
		}
	}

	/**
	 * Runs one process while another one is on standby. The first is killed, and the
	 * second is measured from its start until it has taken over and is at rest.
	 * @param errors the file for its standard error
	 * @return the figures, with the writes after the first was killed
	 * @throws IOException if it fails
	 * @throws InterruptedException if interrupted
	 */
	Map<Figure, Double> measureTakeover(Path errors) throws IOException, InterruptedException {
		List<String> command = this.contender.command().apply(this.task);
		try (MeasuredProcess first = new MeasuredProcess(command, errors.resolveSibling(errors.getFileName() + ".1"))) {
			awaitRest(first, this.objects);
			try (MeasuredProcess second = new MeasuredProcess(command, errors)) {
				awaitRest(second, 0);
				RequestCounts before = requests();
				first.kill();
				return figures(second, before);
			}
		}
	}

	private Map<Figure, Double> figures(MeasuredProcess process, RequestCounts before)
			throws IOException, InterruptedException {
		Map<Figure, Double> figures = new EnumMap<>(Figure.class);
		Status status = awaitRest(process, this.objects);
		double cpu = process.cpu();
		double wall = (status.lastWrite() > 0) ? (status.lastWrite() - process.launched()) / 1000d : 0;
		figures.put(Figure.WALL, wall);
		figures.put(Figure.RATE, (wall > 0) ? status.writes() / wall : 0);
		figures.put(Figure.CPU, cpu);
		figures.put(Figure.CPU_OBJECT, cpu * 1e6 / this.objects);
		figures.put(Figure.RECONCILES, (double) status.reconciles());
		figures.put(Figure.RSS, process.peakMemory() / 1e6);
		figures.put(Figure.HEAP, process.ask("report").heap() / 1e6);
		process.close();
		// A watch is counted when it ends.
		TimeUnit.MILLISECONDS.sleep(CONNECTIONS_CLOSE_MILLIS);
		RequestCounts requests = requests().since(before);
		figures.put(Figure.WRITES, (double) requests.writes());
		figures.put(Figure.READS, (double) requests.reads());
		System.out.println("  requests: " + requests);
		return figures;
	}

	private RequestCounts requests() throws IOException {
		return RequestCounts.parse(this.cluster.require("GET", "/metrics", null), Widgets.counted());
	}

	private Status awaitRest(MeasuredProcess process, int runs) throws IOException, InterruptedException {
		Deque<Moment> moments = new ArrayDeque<>();
		long begin = System.nanoTime();
		while (true) {
			Status status = process.ask("status");
			long now = System.nanoTime();
			if (now - begin > this.limit.toNanos()) {
				throw new IOException(
						"'%s' was not at rest after %s: %s".formatted(this.contender.name(), this.limit, status));
			}
			moments.addLast(new Moment(now, process.cpu(), status));
			// Keep the first moment that is at least the quiet time ago.
			while (moments.size() > 1 && now - second(moments).time() >= this.quiet.toNanos()) {
				moments.removeFirst();
			}
			if (isRest(moments.getFirst(), moments.getLast(), runs)) {
				return status;
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
	}

	private static Moment second(Deque<Moment> moments) {
		return moments.stream().skip(1).findFirst().orElseThrow();
	}

	private boolean isRest(Moment first, Moment last, int runs) {
		long passed = last.time() - first.time();
		return passed >= this.quiet.toNanos() && last.status().reconciles() >= runs
				&& first.status().equals(last.status()) && (last.cpu() - first.cpu()) / (passed / 1e9) < IDLE;
	}

	/**
	 * Observation at one moment.
	 *
	 * @param time the time, by {@link System#nanoTime()}
	 * @param cpu the CPU time in seconds
	 * @param status the report of the program
	 */
	private record Moment(long time, double cpu, Status status) {
	}

}
