package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.kubeinformer.benchmark.compare.Resource;
import dev.kubeinformer.benchmark.compare.Scenario;

/**
 * Parameters of the measurement in this JVM.
 *
 * @param client the client
 * @param scenario the scenario
 * @param resource the resource
 * @param kubeconfig the kubeconfig of the cluster
 * @param objects the number of objects in the cluster
 * @param control the URL of the replaying server; empty for another cluster
 * @param rate the number of changes a second
 * @param warmUp the time during which changes are not measured yet
 * @param window the time during which changes are measured
 * @param changes the number of changes to await after a sync; above zero only in training
 * @param launched the time in milliseconds when this process was started
 */
record Setup(String client, Scenario scenario, Resource resource, Path kubeconfig, int objects, String control,
		int rate, Duration warmUp, Duration window, long changes, long launched) {

	/**
	 * Reads arguments of the form {@code key=value}.
	 * @param arguments the arguments
	 * @return the parameters
	 */
	static Setup of(String... arguments) {
		Map<String, String> values = Arrays.stream(arguments)
			.map((argument) -> argument.split("=", 2))
			.collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1]));
		return new Setup(required(values, "client"), Scenario.valueOf(required(values, "scenario")),
				Resource.valueOf(values.getOrDefault("resource", Resource.PODS.name())),
				Path.of(required(values, "kubeconfig")), Integer.parseInt(required(values, "objects")),
				values.getOrDefault("control", ""), Integer.parseInt(values.getOrDefault("rate", "0")),
				Duration.parse(values.getOrDefault("warmUp", "PT10S")),
				Duration.parse(values.getOrDefault("window", "PT20S")),
				Long.parseLong(values.getOrDefault("changes", "0")), Long.parseLong(required(values, "launched")));
	}

	private static String required(Map<String, String> values, String name) {
		return Objects.requireNonNull(values.get(name), () -> "There is no argument '%s='".formatted(name));
	}

}
