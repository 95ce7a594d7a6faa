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
 * Starts a web application without the starter and one with it and three handlers, in
 * turns, each in a cold JVM with the class path of such an application, until its
 * readiness answers 200. Arguments: a kubeconfig, how often, and flags for the JVMs.
 */
public final class StartupTime {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/** What only this module has. */
	private static final Pattern FOREIGN = Pattern
		.compile("fabric8|vertx|netty|zjsonpatch|vavr|paguro|Paguro|pcollections|jmh|jopt|commons-math|xchart|picocli"
				+ "|kubernetes-informer-test|/test-support/|jetty");

	/** What the starter brings along. */
	private static final Pattern STARTER = Pattern
		.compile("kubernetes-informer|/informer/|/autoconfigure/|/starter/|client-java|okhttp|okio|kotlin|protobuf|gson"
				+ "|bcp|bcutil|jose4j|commons-(io|codec|lang3|compress|collections4|math3)|swagger"
				+ "|jackson-(core|databind)-2");

	private StartupTime() {
	}

	/**
	 * Runs it.
	 * @param args the kubeconfig, the number of runs, flags of the JVMs
	 * @throws Exception if a start fails
	 */
	public static void main(String[] args) throws Exception {
		String kubeconfig = args[0];
		int runs = Integer.parseInt(args[1]);
		List<String> flags = Arrays.asList(args).subList(2, args.length);
		List<String> with = classPath(FOREIGN);
		List<String> without = with.stream().filter((entry) -> !STARTER.matcher(entry).find()).toList();
		System.out.printf("%d and %d entries of the class path%n", without.size(), with.size());
		List<Start> plain = new ArrayList<>();
		List<Start> handlers = new ArrayList<>();
		for (int run = 0; run < runs; run++) {
			plain.add(start(without, flags, PlainApplication.class, kubeconfig));
			handlers.add(start(with, flags, HandlersApplication.class, kubeconfig));
		}
		print("without", plain);
		print("with", handlers);
	}

	private static List<String> classPath(Pattern left) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !left.matcher(entry.substring(entry.lastIndexOf("/repository/") + 1)).find())
			.toList();
	}

	private static Start start(List<String> classPath, List<String> flags, Class<?> main, String kubeconfig)
			throws IOException, InterruptedException {
		int port = freePort();
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(flags);
		command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName(),
				"--server.port=" + port, "--management.endpoint.health.probes.enabled=true",
				"--kubernetes.client.kubeconfig=" + kubeconfig));
		Path output = Files.createTempFile("start", ".txt");
		long begin = System.nanoTime();
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			URI readiness = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
			while (!isReady(readiness)) {
				if (!process.isAlive() || System.nanoTime() - begin > LIMIT.toNanos()) {
					throw new IllegalStateException("Not ready:\n" + Files.readString(output));
				}
				Thread.sleep(10);
			}
			long wall = System.nanoTime() - begin;
			return new Start(wall / 1e9, process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9);
		}
		finally {
			process.destroyForcibly().waitFor();
			Files.delete(output);
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
		System.out.printf("%-8s ready %.2f s, CPU %.2f s (medians of %d); each: %s%n", name,
				median(starts.stream().map(Start::wall).toList()), median(starts.stream().map(Start::cpu).toList()),
				starts.size(),
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
	 */
	private record Start(double wall, double cpu) {

	}

}
