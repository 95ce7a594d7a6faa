package dev.kubeinformer.benchmark.startup;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Starts a web application without the starter, one with it and three handlers, and one
 * with ten, in turns. Each runs in a cold JVM with the class path of such an application,
 * until its readiness responds with 200. If they are left to settle, it then requests
 * their footprint. Arguments: a kubeconfig, the number of runs, the seconds to settle (0
 * to skip that), and flags for the JVMs.
 */
public final class StartupTime {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/** Jars that only this module has. */
	private static final Pattern FOREIGN = Pattern
		.compile("fabric8|vertx|netty|zjsonpatch|vavr|paguro|Paguro|pcollections|jmh|jopt|commons-math|xchart|picocli"
				+ "|kubernetes-informer-test|/test-support/|jetty|jackson-(core|databind|data[a-z-]+)-2");

	/** Jars of the starter. */
	private static final Pattern STARTER = Pattern
		.compile("kubernetes-informer|/informer/|/autoconfigure/|/starter/|client-java|okhttp|okio|kotlin|protobuf|gson"
				+ "|bcp|bcutil|jose4j|commons-(io|codec|lang3|compress|collections4|math3)|swagger");

	private StartupTime() {
	}

	/**
	 * Runs the measurement.
	 * @param args the kubeconfig, the number of runs, the seconds, flags of the JVMs
	 * @throws Exception if a start fails
	 */
	public static void main(String[] args) throws Exception {
		String kubeconfig = args[0];
		int runs = Integer.parseInt(args[1]);
		Duration settling = Duration.ofSeconds(Integer.parseInt(args[2]));
		List<String> flags = Arrays.asList(args).subList(3, args.length);
		List<String> with = classPath(FOREIGN);
		List<String> without = with.stream().filter((entry) -> !STARTER.matcher(entry).find()).toList();
		System.out.printf("%d and %d entries of the class path%n", without.size(), with.size());
		List<Start> plain = new ArrayList<>();
		List<Start> three = new ArrayList<>();
		List<Start> ten = new ArrayList<>();
		for (int run = 0; run < runs; run++) {
			plain.add(start(new Launch(without, flags, PlainApplication.class, kubeconfig, settling)));
			three.add(start(new Launch(with, flags, HandlersApplication.class, kubeconfig, settling)));
			ten.add(start(new Launch(with, flags, TenHandlersApplication.class, kubeconfig, settling)));
		}
		print("without", plain);
		print("three", three);
		print("ten", ten);
	}

	private static List<String> classPath(Pattern left) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !left.matcher(entry.substring(entry.lastIndexOf("/repository/") + 1)).find())
			.toList();
	}

	private static Start start(Launch launch) throws IOException, InterruptedException {
		int port = freePort();
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(launch.flags());
		command.addAll(List.of("-cp", String.join(File.pathSeparator, launch.classPath()), launch.main().getName(),
				"--server.port=" + port, "--management.endpoint.health.probes.enabled=true",
				"--kubernetes.client.kubeconfig=" + launch.kubeconfig()));
		Path output = Files.createTempFile("start", ".txt");
		long begin = System.nanoTime();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			URI readiness = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
			while (!isReady(readiness)) {
				requireTime(process, begin, output);
				Thread.sleep(10);
			}
			long wall = System.nanoTime() - begin;
			double cpu = process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
			return new Start(wall / 1e9, cpu, footprint(launch, process, output));
		}
		finally {
			process.destroyForcibly().waitFor();
			Files.delete(output);
		}
	}

	private static Footprint footprint(Launch launch, Process process, Path output)
			throws IOException, InterruptedException {
		if (launch.settling().isZero()) {
			return new Footprint(0, 0, 0);
		}
		Thread.sleep(launch.settling().toMillis());
		long begin = System.nanoTime();
		process.getOutputStream().write('\n');
		process.getOutputStream().flush();
		while (true) {
			Footprint footprint = Footprint.read(Files.readString(output));
			if (footprint != null) {
				Files.readString(output)
					.lines()
					.filter((line) -> line.startsWith("THREADS"))
					.forEach(System.out::println);
				return footprint;
			}
			requireTime(process, begin, output);
			Thread.sleep(100);
		}
	}

	private static void requireTime(Process process, long begin, Path output) throws IOException {
		if (!process.isAlive() || System.nanoTime() - begin > LIMIT.toNanos()) {
			throw new IllegalStateException("Not ready:\n" + Files.readString(output));
		}
	}

	private static boolean isReady(URI readiness) {
		try {
			HttpURLConnection connection = (HttpURLConnection) readiness.toURL().openConnection();
			connection.setReadTimeout(1000);
			try {
				return connection.getResponseCode() == 200;
			}
			finally {
				connection.disconnect();
			}
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static void print(String name, List<Start> starts) {
		System.out.printf(
				"%-8s ready %.2f s, CPU %.2f s, %.0f threads, heap %.1f MB, RSS %.0f MB (medians of %d); each: %s%n",
				name, median(starts.stream().map(Start::wall).toList()),
				median(starts.stream().map(Start::cpu).toList()),
				median(starts.stream().map((start) -> (double) start.footprint().threads()).toList()),
				median(starts.stream().map((start) -> start.footprint().heap() / 1e6).toList()),
				median(starts.stream().map((start) -> start.footprint().rss() / 1e6).toList()), starts.size(),
				starts.stream()
					.map((start) -> "%.2f/%.2f".formatted(start.wall(), start.cpu()))
					.collect(Collectors.joining(" ")));
	}

	private static double median(List<Double> values) {
		return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
	}

	/**
	 * A start.
	 *
	 * @param wall seconds until it was ready
	 * @param cpu processor seconds until then
	 * @param footprint the footprint after settling; zeros without settling
	 */
	private record Start(double wall, double cpu, Footprint footprint) {

	}

	/**
	 * Application to start.
	 *
	 * @param classPath the class path
	 * @param flags flags of the JVM
	 * @param main the application
	 * @param kubeconfig the cluster
	 * @param settling the time to settle before its footprint is taken
	 */
	private record Launch(List<String> classPath, List<String> flags, Class<?> main, String kubeconfig,
			Duration settling) {

	}

}
