package dev.kubeinformer.benchmark.shards;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Process of a replica. */
final class ReplicaJvm implements AutoCloseable {

	private static final int ENDING_SECONDS = 60;

	/** Ticks of the CPU time in a second, on all platforms of Linux. */
	private static final int TICKS = 100;

	private static final long GRACE = TimeUnit.SECONDS.toNanos(2);

	private final String name;

	private final Path journal;

	private final Process process;

	private final BufferedReader output;

	private final Writer input;

	private long end = Long.MAX_VALUE;

	private long suspended = Long.MIN_VALUE;

	private long resumed = Long.MIN_VALUE;

	ReplicaJvm(String name, List<String> command, Path journal, Path log) throws IOException {
		this.name = name;
		this.journal = journal;
		this.process = new ProcessBuilder(command).redirectError(log.toFile()).start();
		this.output = this.process.inputReader();
		this.input = this.process.outputWriter();
	}

	String name() {
		return this.name;
	}

	Path journal() {
		return this.journal;
	}

	/**
	 * Returns the time at which the process ended.
	 * @return the time in nanoseconds; the maximum value if it is running
	 */
	long end() {
		return this.end;
	}

	boolean isRunning() {
		return this.end == Long.MAX_VALUE;
	}

	/**
	 * Returns its state.
	 * @param collect whether to collect garbage first
	 * @return the state
	 * @throws IOException if the process has ended
	 */
	State state(boolean collect) throws IOException {
		this.input.write(collect ? "heap\n" : "state\n");
		this.input.flush();
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			if (line.startsWith("STATE ")) {
				String[] words = line.split(" ");
				return new State(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]),
						Long.parseLong(words[4]));
			}
		}
		throw new IOException("Replica '%s' has ended".formatted(this.name));
	}

	/**
	 * Returns the CPU time of all threads.
	 * @return the time in seconds
	 * @throws IOException if it cannot be read
	 */
	double cpu() throws IOException {
		String stat = Files.readString(Path.of("/proc", Long.toString(this.process.pid()), "stat"));
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
		return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) TICKS;
	}

	/**
	 * Kills the process by SIGKILL.
	 * @throws InterruptedException if interrupted
	 */
	void kill() throws InterruptedException {
		this.end = System.nanoTime();
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
	}

	/**
	 * Ends the process by SIGTERM, and waits for its end.
	 * @throws InterruptedException if interrupted
	 */
	void terminate() throws InterruptedException {
		this.process.toHandle().destroy();
		if (!this.process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Replica '%s' does not end".formatted(this.name));
		}
		this.end = System.nanoTime();
	}

	/**
	 * Suspends the process by SIGSTOP.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void suspend() throws IOException, InterruptedException {
		signal("STOP");
		this.suspended = System.nanoTime();
	}

	/**
	 * Resumes the process by SIGCONT.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void resume() throws IOException, InterruptedException {
		this.resumed = System.nanoTime();
		signal("CONT");
	}

	/**
	 * Returns until when the process worked on something that it ended at a time.
	 * @param begin the begin of the work
	 * @param ended the end according to the process
	 * @return the end; the time of the suspension if the work ended within two seconds
	 * after it
	 */
	long awakeUntil(long begin, long ended) {
		boolean slept = begin < this.suspended && ended > this.resumed && ended < this.resumed + GRACE;
		return slept ? this.suspended : ended;
	}

	private void signal(String signal) throws IOException, InterruptedException {
		Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO().start();
		if (kill.waitFor() != 0) {
			throw new IOException("Replica '%s' took no SIG%s".formatted(this.name, signal));
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/**
	 * State of a replica.
	 *
	 * @param slots the number of held slots
	 * @param cached the number of cached objects
	 * @param handled the number of objects that its handler knows
	 * @param heap the used heap in bytes
	 */
	record State(int slots, int cached, int handled, long heap) {
	}

}
