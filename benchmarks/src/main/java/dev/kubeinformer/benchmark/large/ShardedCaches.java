package dev.kubeinformer.benchmark.large;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures shards of all pods of a cluster, each in a separate JVM, one after another,
 * compared with one JVM that holds all pods: heap and bytes on the wire of each shard as
 * a fraction of the whole; the cost of an object of another shard as a fraction of an own
 * one, if the server sends all; and whether the shards together hold each pod exactly
 * once. The pods must not change meanwhile. Arguments: the kubeconfig, the number of
 * shards (5), the heap of the JVM that holds all (4g) and of each of the others (1g),
 * {@code whole} or {@code metadata}, {@code protobuf} or {@code json}.
 */
public final class ShardedCaches {

	private ShardedCaches() {
	}

	/**
	 * Runs the measurement.
	 * @param args see above
	 * @throws IOException if a JVM cannot be started
	 */
	public static void main(String... args) throws IOException {
		if (args.length == 0) {
			throw new IllegalArgumentException(
					"Arguments: kubeconfig [shards] [heap of the one] [heap of each] [whole|metadata] [protobuf|json]");
		}
		int total = Integer.parseInt(argument(args, 1, "5"));
		List<String> cache = List.of(args[0], "pods", argument(args, 4, "whole"), argument(args, 5, "protobuf"));
		Cost one = measure(argument(args, 2, "4g"), cache);
		long objects = 0;
		long digest = 0;
		for (int i = 0; i < total; i++) {
			List<String> shard = new ArrayList<>(cache);
			shard.addAll(List.of(Integer.toString(i), Integer.toString(total)));
			Cost cost = measure(argument(args, 3, "1g"), shard);
			objects += cost.number("objects");
			digest += cost.digest();
			System.out.printf(Locale.ROOT,
					"shard %d of %d: %d objects, heap %.3f of a share, wire %.3f of a share, cpu %.3f of the one%n", i,
					total, cost.number("objects"), total * cost.ratio("retained", one), total * cost.ratio("wire", one),
					cost.ratio("cpu", one));
			if (cost.number("foreign") > 0) {
				System.out.printf(Locale.ROOT, "  %d foreign objects, each %.2f of the cpu of an own one%n",
						cost.number("foreign"),
						(cost.ratio("cpu", one) - cost.ratio("objects", one)) / (1 - cost.ratio("objects", one)));
			}
		}
		System.out.printf("together %d of %d objects, digest %016x of %016x%n", objects, one.number("objects"), digest,
				one.digest());
		if (objects != one.number("objects") || digest != one.digest()) {
			throw new IllegalStateException("The shards are not all objects, each once");
		}
	}

	private static String argument(String[] args, int index, String fallback) {
		return (args.length > index) ? args[index] : fallback;
	}

	private static Cost measure(String heap, List<String> arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + heap, "-cp",
						System.getProperty("java.class.path"), CacheCost.class.getName()));
		command.addAll(arguments);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		try (BufferedReader output = process.inputReader()) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith("RESULT ")) {
					System.out.println("-Xmx" + heap + " " + line);
					return Cost.parse(line);
				}
			}
		}
		finally {
			process.destroy();
			process.onExit().join();
		}
		throw new IOException("%s ended without a result".formatted(arguments));
	}

	/**
	 * Output of a JVM.
	 *
	 * @param values the values by name
	 */
	private record Cost(Map<String, String> values) {

		static Cost parse(String line) {
			Map<String, String> values = new HashMap<>();
			for (String value : line.split(" ")) {
				int equals = value.indexOf('=');
				if (equals > 0) {
					values.put(value.substring(0, equals), value.substring(equals + 1));
				}
			}
			return new Cost(values);
		}

		long number(String name) {
			return Long.parseLong(this.values.get(name));
		}

		long digest() {
			return Long.parseUnsignedLong(this.values.get("digest"), 16);
		}

		double ratio(String name, Cost other) {
			return Double.parseDouble(this.values.get(name)) / Double.parseDouble(other.values.get(name));
		}

	}

}
