package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.benchmark.compare.Machine;

/**
 * Measures controllers of several clients side by side on a cluster: each starts beside
 * custom objects that have no ConfigMap yet, and ends when each of them has one.
 */
@Command(name = "controllers", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Measures controllers of several clients side by side.")
public final class ControllerComparison implements Callable<Integer> {

	private static final String START = "From start to rest";

	private static final String RESTART = "Restart: every object has its ConfigMap already";

	private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	@Option(names = "--kubeconfig", required = true, paramLabel = "FILE",
			description = "The cluster. A namespace and a custom resource are created there, and stay.")
	private Path kubeconfig = Path.of("");

	@Option(names = "--objects", defaultValue = "20000", paramLabel = "N", description = "Custom objects.")
	private int objects;

	@Option(names = "--workers", defaultValue = "16", paramLabel = "N", description = "Workers of each controller.")
	private int workers;

	@Option(names = "--rounds", defaultValue = "3", paramLabel = "N", description = "Runs of each client, in turns.")
	private int rounds;

	@Option(names = "--clients", split = ",",
			defaultValue = "bare-create,bare-apply,ours,josdk,josdk-always,josdk-dependent,client-go",
			paramLabel = "NAME",
			description = "What to measure: bare-create, bare-apply, ours, josdk, josdk-vertx, josdk-always, "
					+ "josdk-dependent, client-go, client-go-always.")
	private List<String> clients = List.of();

	@Option(names = "--restart", negatable = true, defaultValue = "true", fallbackValue = "true",
			description = "Whether to start each controller once more beside what it has written.")
	private boolean restart;

	@Option(names = "--jvm-arguments", split = " ", paramLabel = "FLAGS", description = "Flags of each JVM.")
	private List<String> jvmArguments = List.of();

	@Option(names = "--quiet", defaultValue = "PT2S", paramLabel = "TIME",
			description = "How long nothing happens until a controller is at rest.")
	private Duration quiet = Duration.ZERO;

	@Option(names = "--limit", defaultValue = "PT10M", paramLabel = "TIME", description = "How long a run may take.")
	private Duration limit = Duration.ZERO;

	@Option(names = "--out", defaultValue = "target/controllers", paramLabel = "DIRECTORY",
			description = "Where results.json, tables.md and what the programs print to standard error go.")
	private Path out = Path.of("");

	private final List<ControllerSample> samples = new ArrayList<>();

	private List<String> arguments = List.of();

	/**
	 * Runs it.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		ControllerComparison comparison = new ControllerComparison();
		comparison.arguments = Arrays.asList(arguments);
		System.exit(new CommandLine(comparison).execute(arguments));
	}

	@Override
	public Integer call() throws IOException, InterruptedException {
		Files.createDirectories(this.out);
		Machine machine = Machine.current();
		System.out.println(machine + "\n");
		RawCluster cluster = new RawCluster(this.kubeconfig);
		Contenders all = new Contenders(this.kubeconfig, this.objects, this.workers, this.jvmArguments, this.out);
		List<Contender> contenders = new ArrayList<>();
		for (String name : this.clients) {
			contenders.add(all.named(name));
		}
		Preparation preparation = new Preparation(cluster, this.objects, this.workers);
		preparation.widgets();
		for (int round = 1; round <= this.rounds; round++) {
			List<Contender> turns = new ArrayList<>(contenders);
			if (round % 2 == 0) {
				Collections.reverse(turns);
			}
			for (Contender contender : turns) {
				preparation.noConfigMaps();
				boolean measured = measure(cluster, preparation, contender, START, round);
				if (measured && this.restart && contender.restarts()) {
					measure(cluster, preparation, contender, RESTART, round);
				}
				write(machine);
			}
		}
		String tables = ControllerTable.text(this.samples);
		Files.writeString(this.out.resolve("tables.md"), tables);
		System.out.println("\n" + tables);
		return this.samples.stream().anyMatch((sample) -> sample.figures().isEmpty()) ? 1 : 0;
	}

	private boolean measure(RawCluster cluster, Preparation preparation, Contender contender, String phase, int round)
			throws InterruptedException {
		System.out.printf("%s, round %d, %s%n", contender.name(), round, phase);
		try {
			Map<Figure, Double> figures = new ControllerRun(cluster, contender, this.objects, this.quiet, this.limit)
				.measure(this.out.resolve(contender.name() + "-errors.txt"));
			preparation.check(contender.owned());
			System.out.println("  " + figures);
			this.samples.add(new ControllerSample(contender.name(), phase, round, figures));
			return true;
		}
		catch (IOException | IllegalStateException ex) {
			System.out.println("  failed: " + ex.getMessage());
			this.samples.add(new ControllerSample(contender.name(), phase, round, Map.of()));
			return false;
		}
	}

	private void write(Machine machine) throws IOException {
		Files.write(this.out.resolve("results.json"), JSON
			.writeValueAsBytes(Map.of("machine", machine, "arguments", this.arguments, "samples", this.samples)));
	}

}
