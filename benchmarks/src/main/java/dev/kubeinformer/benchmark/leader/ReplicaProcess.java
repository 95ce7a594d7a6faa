package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Process of a replica. Its entries go to a timeline; other output and its errors go to a
 * file.
 */
class ReplicaProcess implements AutoCloseable {

	private static final int ENDING_SECONDS = 60;

	private final String name;

	private final Process process;

	private final Writer commands;

	private final Path log;

	private final Thread reader;

	private volatile @Nullable Long end;

	ReplicaProcess(String name, List<String> command, Timeline timeline, Path log) throws IOException {
		this.name = name;
		this.log = log;
		this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
			.start();
		this.commands = this.process.outputWriter();
		this.reader = new Thread(() -> read(timeline), "replica-" + name);
		this.reader.start();
	}

	private void read(Timeline timeline) {
		this.process.inputReader().lines().forEach((line) -> {
			Entry entry = Entry.of(this.name, line);
			if (entry != null) {
				timeline.add(entry);
			}
			else {
				log(line);
			}
		});
		this.end = System.nanoTime();
	}

	private void log(String line) {
		try {
			Files.writeString(this.log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot write '%s'".formatted(this.log), ex);
		}
	}

	String name() {
		return this.name;
	}

	/**
	 * Returns the time at which the process ended.
	 * @return the time; {@code null} if it is running
	 */
	@Nullable Long end() {
		return this.end;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	void send(String command) throws IOException {
		try {
			this.commands.write(command + "\n");
			this.commands.flush();
		}
		catch (IOException ex) {
			throw new IOException("Replica '%s' has ended; see '%s'".formatted(this.name, this.log), ex);
		}
	}

	/**
	 * Kills the process by SIGKILL.
	 * @throws InterruptedException if interrupted
	 */
	void kill() throws InterruptedException {
		this.process.toHandle().destroyForcibly();
		join();
	}

	/** Asks the process to end, by SIGTERM. Returns immediately. */
	void terminate() {
		this.process.toHandle().destroy();
	}

	/**
	 * Suspends the process by SIGSTOP.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void freeze() throws IOException, InterruptedException {
		signal("STOP");
	}

	/**
	 * Resumes the process by SIGCONT.
	 * @throws IOException if that fails
	 * @throws InterruptedException if interrupted
	 */
	void thaw() throws IOException, InterruptedException {
		signal("CONT");
	}

	private void signal(String signal) throws IOException, InterruptedException {
		Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).inheritIO().start();
		if (kill.waitFor() != 0) {
			throw new IOException("Replica '%s' took no SIG%s".formatted(this.name, signal));
		}
	}

	/**
	 * Waits for the end of the process and of its output.
	 * @throws InterruptedException if interrupted
	 */
	void join() throws InterruptedException {
		if (!this.process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
			throw new IllegalStateException(
					"Replica '%s' does not end within %d s".formatted(this.name, ENDING_SECONDS));
		}
		this.reader.join();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
