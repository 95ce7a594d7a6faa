package dev.kubeinformer.benchmark.controller;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Process of a measured program, with its CPU time and memory according to the operating
 * system.
 */
final class MeasuredProcess implements AutoCloseable {

	private static final int ENDING_SECONDS = 10;

	private final Process process;

	private final BufferedReader output;

	private final Writer input;

	private final Path errors;

	private final long launched = System.currentTimeMillis();

	MeasuredProcess(List<String> command, Path errors) throws IOException {
		this.errors = errors;
		this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
		this.output = this.process.inputReader();
		this.input = this.process.outputWriter();
	}

	/**
	 * Returns the start time.
	 * @return the time in milliseconds of the epoch
	 */
	long launched() {
		return this.launched;
	}

	Status ask(String question) throws IOException {
		try {
			this.input.write(question + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw ended(ex);
		}
		for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
			if (line.startsWith(Status.MARK)) {
				return Status.of(line);
			}
		}
		throw ended(null);
	}

	private IOException ended(@Nullable Exception cause) throws IOException {
		List<String> lines = Files.readAllLines(this.errors);
		return new IOException("The program ended:%n%s"
			.formatted(String.join("\n", lines.subList(Math.max(0, lines.size() - 8), lines.size()))), cause);
	}

	/**
	 * Returns the CPU time of all its threads.
	 * @return the time in seconds
	 * @throws IOException if it cannot be read
	 */
	double cpu() throws IOException {
		return cpu(proc());
	}

	/**
	 * Returns the CPU time of all threads of a process.
	 * @param process the directory of the process in {@code /proc}
	 * @return the time in seconds
	 * @throws IOException if it cannot be read
	 */
	static double cpu(Path process) throws IOException {
		String stat = Files.readString(process.resolve("stat"));
		String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
		// utime and stime in ticks, of which Linux reports 100 a second on all platforms.
		return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100d;
	}

	/**
	 * Returns its highest memory so far.
	 * @return the number of bytes
	 * @throws IOException if it cannot be read
	 */
	long peakMemory() throws IOException {
		return peakMemory(proc());
	}

	/**
	 * Returns the highest memory of a process so far.
	 * @param process the directory of the process in {@code /proc}
	 * @return the number of bytes
	 * @throws IOException if it cannot be read
	 */
	static long peakMemory(Path process) throws IOException {
		return Files.readAllLines(process.resolve("status"))
			.stream()
			.filter((line) -> line.startsWith("VmHWM:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
			.findFirst()
			.orElse(0);
	}

	private Path proc() {
		return Path.of("/proc", Long.toString(this.process.pid()));
	}

	/** Kills the process. */
	void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		end(ENDING_SECONDS);
	}

	/**
	 * Ends the process gracefully.
	 * @param seconds the longest time for that
	 */
	void end(long seconds) {
		try {
			this.input.close();
			if (!this.process.waitFor(seconds, TimeUnit.SECONDS)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
