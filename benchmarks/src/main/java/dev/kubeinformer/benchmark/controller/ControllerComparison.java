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

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.benchmark.compare.Machine;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Measures controllers of several clients side by side on a cluster: each starts when
 * custom objects have no ConfigMap yet, and ends when each of them has one.
 */
@Command(name = "controllers", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Measures controllers of several clients side by side.")
public final class ControllerComparison implements Callable<Integer> {

	private static final long TRAINED_SECONDS = 120;

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
			defaultValue = "bare-create,bare-apply,ours,josdk,josdk-always,josdk-dependent,client-go,controller-runtime",
			paramLabel = "NAME",
			description = "What to measure: bare-create, bare-apply, ours, ours-c1, ours-aot, ours-aot-c1, josdk, josdk-vertx, "
					+ "josdk-always, josdk-dependent, client-go, client-go-always, controller-runtime.")
	private List<String> clients = List.of();

	@Option(names = "--three",
			description = "Whether each object has a Deployment and a Service in addition to its ConfigMap; not for bare-… and josdk-dependent.")
	private boolean three;

	@Option(names = "--phases", split = ",", defaultValue = "start,restart", paramLabel = "PHASE",
			description = "The phases of each controller: ${COMPLETION-CANDIDATES}. All but the start begin with the state that the start has written.")
	private List<Phase> phases = List.of();

	@Option(names = "--repeats", defaultValue = "1", paramLabel = "N",
			description = "How often each phase but the start is measured after it.")
	private int repeats;

	@Option(names = "--aot-jdk", paramLabel = "DIRECTORY",
			description = "JDK 25 or later for ours-aot and ours-aot-c1, which are trained by a run from start to rest.")
	private @Nullable Path aotJdk;

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
	 * Runs the comparison.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		ControllerComparison comparison = new ControllerComparison();
		comparison.arguments = Arrays.asList(arguments);
		System.exit(new CommandLine(comparison).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
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
		if (this.aotJdk != null) {
			train(all, this.aotJdk, cluster, preparation);
		}
		for (int round = 1; round <= this.rounds; round++) {
			List<Contender> turns = new ArrayList<>(contenders);
			if (round % 2 == 0) {
				Collections.reverse(turns);
			}
			for (Contender contender : turns) {
				preparation.noChildren();
				boolean measured = measure(cluster, preparation, contender, Phase.START, round);
				for (int repeat = 0; measured && contender.controller() && repeat < this.repeats; repeat++) {
					for (Phase phase : this.phases) {
						if (phase != Phase.START && (phase != Phase.SHARD || contender.sharded())) {
							measure(cluster, preparation, contender, phase, round);
						}
					}
				}
				write(machine);
			}
		}
		String tables = ControllerTable.text(this.samples);
		Files.writeString(this.out.resolve("tables.md"), tables);
		System.out.println("\n" + tables);
		return this.samples.stream().anyMatch((sample) -> sample.figures().isEmpty()) ? 1 : 0;
	}

	private void train(Contenders all, Path home, RawCluster cluster, Preparation preparation)
			throws IOException, InterruptedException {
		Path directory = this.out.toAbsolutePath().resolve("trained");
		Files.createDirectories(directory);
		Path cache = directory.resolve("controller.aot");
		Files.deleteIfExists(cache);
		preparation.noChildren();
		Contender trainee = new Contender("training", (task) -> all.training(home, cache, task), true, true);
		System.out.println("training");
		new ControllerRun(cluster, trainee, task(), this.objects, this.quiet, this.limit)
			.train(this.out.resolve("training-errors.txt"), TRAINED_SECONDS);
		if (!Files.exists(cache)) {
			throw new IllegalStateException("The training has left no cache; see training-errors.txt");
		}
		all.trained(home, cache);
	}

	private Task task() {
		return new Task(this.three, null, null);
	}

	private boolean measure(RawCluster cluster, Preparation preparation, Contender contender, Phase phase, int round)
			throws InterruptedException {
		System.out.printf("%s, round %d, %s%n", contender.name(), round, phase);
		try {
			Map<Figure, Double> figures = figures(cluster, preparation, contender, phase);
			preparation.check(this.three, contender.controller());
			System.out.println("  " + figures);
			this.samples.add(new ControllerSample(contender.name(), phase.heading(), round, figures));
			return true;
		}
		catch (IOException | IllegalStateException ex) {
			System.out.println("  failed: " + ex.getMessage());
			this.samples.add(new ControllerSample(contender.name(), phase.heading(), round, Map.of()));
			return false;
		}
	}

	private Map<Figure, Double> figures(RawCluster cluster, Preparation preparation, Contender contender, Phase phase)
			throws IOException, InterruptedException {
		Path errors = this.out.resolve(contender.name() + "-errors.txt");
		// A separate Lease, so that no controller waits for the previous one.
		String lease = "lease-" + System.nanoTime();
		return switch (phase) {
			case START, RESTART -> run(cluster, contender, task(), this.objects).measure(errors);
			case EDITED -> {
				int edits = preparation.edit(this.three);
				Map<Figure, Double> figures = run(cluster, contender, task(), this.objects).measure(errors);
				double writes = figures.getOrDefault(Figure.WRITES, 0.0);
				if (writes != edits) {
					System.out.printf("  NOT JUST what was edited: %d edits, %.0f writes%n", edits, writes);
				}
				yield figures;
			}
			case LEADER -> run(cluster, contender, task().by(lease, null), this.objects).measureTakeover(errors);
			case SHARD ->
				run(cluster, contender, task().by(lease, "0/2"), preparation.widgetsOf(new Shard(ShardKey.UID, 0, 2)))
					.measureTakeover(errors);
		};
	}

	private ControllerRun run(RawCluster cluster, Contender contender, Task task, int expected) {
		return new ControllerRun(cluster, contender, task, expected, this.quiet, this.limit);
	}

	private void write(Machine machine) throws IOException {
		Files.write(this.out.resolve("results.json"), JSON
			.writeValueAsBytes(Map.of("machine", machine, "arguments", this.arguments, "samples", this.samples)));
	}

}
