package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures our informer, the official client's and fabric8's side by side, each run in a
 * separate JVM, all against the same server, and prints a table.
 */
@Command(name = "compare", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Measures informers of several clients side by side.")
public final class Compare implements Callable<Integer> {

	private static final int DEFAULT_PODS = 20000;

	@Option(names = "--pods", split = ",", paramLabel = "N",
			description = "Numbers of pods to measure with, such as 1000,5000,20000; 20000 if there is no --custom.")
	private List<Integer> pods = List.of();

	@Option(names = "--custom", split = ",", paramLabel = "N",
			description = "Numbers of custom objects of 3 KB to measure with (syncs only; one more client: fabric8-generic).")
	private List<Integer> custom = List.of();

	@Option(names = "--etcd", paramLabel = "URL",
			description = "Where custom objects are written to, with their definition, if the cluster is to have them.")
	private @Nullable String etcd;

	@Option(names = "--runs", defaultValue = "5", paramLabel = "N",
			description = "Runs of each measurement; 0 only to show samples of earlier ones.")
	private int runs;

	@Option(names = "--clients", split = ",", defaultValue = "ours,official,fabric8", paramLabel = "NAME",
			description = "Clients to measure: ours, official, fabric8, fabric8-generic, client-go; the "
					+ "last is built by go, for SYNC and WATCH.")
	private List<String> clients = List.of();

	@Option(names = "--scenarios", split = ",", defaultValue = "SYNC", paramLabel = "NAME",
			description = "What to measure: ${COMPLETION-CANDIDATES}.")
	private List<Scenario> scenarios = List.of();

	@Option(names = "--kubeconfig", paramLabel = "FILE",
			description = "The cluster; without it, the embedded API with pods like those of a cluster.")
	private @Nullable Path kubeconfig;

	@Option(names = "--fill", paramLabel = "COMMAND",
			description = "Brings the cluster to {pods} objects before they are measured.")
	private @Nullable String fill;

	@Option(names = "--diverse", description = "The pods of each application differ from those of others: makes them "
			+ "so in the embedded API, and names the rows so.")
	private boolean diverse;

	@Option(names = "--heap", paramLabel = "SIZE", description = "-Xmx of each client, such as 1200m; else the JVM's.")
	private @Nullable String heap;

	@Option(names = "--jvm-arguments", split = " ", paramLabel = "FLAGS",
			description = "Further flags of each client's JVM.")
	private List<String> jvmArguments = List.of();

	@Option(names = "--jvm", paramLabel = "CLIENT=JDK",
			description = "A further row: the client in another JDK, by its directory, behind which flags may stand.")
	private List<String> jdks = List.of();

	@Option(names = "--flags", paramLabel = "CLIENT=FLAGS",
			description = "A further row: the client with further flags of its JVM, such as 'ours=-XX:+UseSerialGC'.")
	private List<String> clientFlags = List.of();

	@Option(names = "--trained", split = ",", arity = "0..1", fallbackValue = "ours", paramLabel = "CLIENT",
			description = "Further rows: each client (${FALLBACK-VALUE} if none is named) in each of its JVMs with an AOT "
					+ "cache, or before JDK 25 a CDS archive, created in a training run with the embedded API.")
	private List<String> trained = List.of();

	@Option(names = "--external", paramLabel = "NAME=COMMAND",
			description = "A program to measure with the syncs, for a shell; {kubeconfig}, {resource} and {pods} are replaced.")
	private List<String> externals = List.of();

	@Option(names = "--external-line", paramLabel = "REGEX",
			description = "Reads its result, if it prints no result line: groups named like the figures.")
	private @Nullable Pattern externalLine;

	@Option(names = "--watch-pods", defaultValue = "5000", paramLabel = "N", description = "Pods for WATCH and SLOW.")
	private int watchPods;

	@Option(names = "--rates", split = ",", defaultValue = "5000,20000", paramLabel = "N",
			description = "Changes a second for WATCH.")
	private List<Integer> rates = List.of();

	@Option(names = "--slow-rate", defaultValue = "2000", paramLabel = "N", description = "Changes a second for SLOW.")
	private int slowRate;

	@Option(names = "--get-rate", defaultValue = "10000", paramLabel = "N", description = "Changes a second for GET.")
	private int getRate;

	@Option(names = "--warm-up", defaultValue = "PT10S", paramLabel = "TIME",
			description = "How long changes come before they are measured.")
	private Duration warmUp = Duration.ZERO;

	@Option(names = "--window", defaultValue = "PT20S", paramLabel = "TIME",
			description = "How long changes are measured.")
	private Duration window = Duration.ZERO;

	@Option(names = "--limit", defaultValue = "PT5M", paramLabel = "TIME", description = "How long a run may take.")
	private Duration limit = Duration.ZERO;

	@Option(names = "--out", defaultValue = "target/compare", paramLabel = "DIRECTORY",
			description = "Where results.json, tables.md and the plots go.")
	private Path out = Path.of("");

	@Option(names = "--add", paramLabel = "FILE",
			description = "results.json of an earlier comparison, whose samples join the tables and plots.")
	private List<Path> added = List.of();

	private final List<ClientJvm> further = new ArrayList<>();

	private List<String> arguments = List.of();

	/**
	 * Runs the comparison and ends the JVM.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		System.setProperty("java.awt.headless", "true");
		System.exit(run(arguments));
	}

	/**
	 * Runs the comparison in this JVM.
	 * @param arguments see {@code --help}
	 * @return the exit code: 0 if every client reached the state of its server
	 */
	static int run(String... arguments) {
		Compare compare = new Compare();
		compare.arguments = Arrays.asList(arguments);
		return new CommandLine(compare).setCaseInsensitiveEnumValuesAllowed(true)
			.setExecutionExceptionHandler(Compare::explain)
			.execute(arguments);
	}

	private static int explain(Exception ex, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
		if (!(ex instanceof IllegalArgumentException) && !(ex instanceof IllegalStateException)) {
			throw ex;
		}
		command.getErr().println(ex.getMessage());
		return command.getCommandSpec().exitCodeOnExecutionException();
	}

	@Override
	public Integer call() throws IOException, InterruptedException {
		List<External> others = new ArrayList<>(this.externals.stream().map(External::of).toList());
		if (this.externalLine != null) {
			ResultLine.check(this.externalLine);
		}
		Files.createDirectories(this.out);
		for (String jdk : this.jdks) {
			this.further.add(ClientJvm.ofJdk(jdk));
		}
		this.clientFlags.forEach((text) -> this.further.add(ClientJvm.ofFlags(text)));
		if (this.clients.contains(GoInformer.NAME) && this.runs > 0) {
			GoInformer.build(this.out).ifPresent(others::add);
		}
		Machine machine = Machine.current();
		System.out.println(machine + "\n");
		List<Sample> samples = new ArrayList<>();
		for (Path file : this.added) {
			samples.addAll(Results.read(file));
		}
		int earlier = samples.size();
		Comparison comparison = new Comparison(this, others, (sample) -> {
			samples.add(sample);
			Results.write(this.out.resolve("results.json"), machine, this.arguments, samples);
		});
		if (this.runs > 0) {
			comparison.run();
		}
		String tables = ResultTable.all(samples);
		Files.writeString(this.out.resolve("tables.md"), tables);
		System.out.println("\n" + tables);
		new Charts(samples).write(this.out).forEach((file) -> System.out.println("plot: " + file));
		List<Sample> failed = samples.stream().skip(earlier).filter((sample) -> sample.outcome().isFailure()).toList();
		failed.forEach((sample) -> System.out.println("FAILED: " + sample.title()));
		return failed.isEmpty() ? 0 : 1;
	}

	List<Integer> pods() {
		return (this.pods.isEmpty() && this.custom.isEmpty()) ? List.of(DEFAULT_PODS) : this.pods;
	}

	List<Integer> custom() {
		return this.custom;
	}

	@Nullable String etcd() {
		return this.etcd;
	}

	int runs() {
		return this.runs;
	}

	/**
	 * Returns the clients that run in a JVM: each in one like this, and in those that
	 * options define.
	 * @param resource the resource to measure
	 * @return the rows
	 * @throws IOException if a JDK cannot be read
	 */
	List<ClientJvm> jvms(Resource resource) throws IOException {
		List<ClientJvm> all = new ArrayList<>();
		for (String client : this.clients) {
			boolean measured = resource == Resource.WIDGETS || !client.endsWith("-generic");
			if (measured && !client.isBlank() && !client.equals(GoInformer.NAME)) {
				all.add(ClientJvm.of(client));
				for (ClientJvm further : this.further) {
					if (further.client().equals(client)) {
						all.add(further);
					}
				}
			}
		}
		return all;
	}

	/**
	 * Returns the clients that are also measured with a training run.
	 * @return their names
	 */
	Set<String> trained() {
		return Set.copyOf(this.trained);
	}

	boolean measures(Scenario scenario) {
		return this.scenarios.contains(scenario);
	}

	@Nullable Path kubeconfig() {
		return this.kubeconfig;
	}

	@Nullable String fill() {
		return this.fill;
	}

	boolean diverse() {
		return this.diverse;
	}

	/**
	 * Returns the flags of every client's JVM.
	 * @param least the heap, unless {@code --heap} defines it
	 * @return the flags
	 */
	List<String> flags(@Nullable String least) {
		List<String> flags = new ArrayList<>(this.jvmArguments);
		String size = (least != null) ? least : this.heap;
		if (size != null) {
			flags.add("-Xmx" + size);
		}
		return flags;
	}

	/**
	 * Describes the varied settings of clients in a JVM.
	 * @return the text for the table
	 */
	String variant() {
		return (this.heap != null) ? (kind() + " -Xmx" + this.heap).strip() : kind();
	}

	/**
	 * Describes the varied settings of all clients.
	 * @return the text for the table
	 */
	String kind() {
		return this.diverse ? "diverse" : "";
	}

	@Nullable Pattern externalLine() {
		return this.externalLine;
	}

	int watchPods() {
		return this.watchPods;
	}

	List<Integer> rates() {
		return this.rates;
	}

	int slowRate() {
		return this.slowRate;
	}

	int getRate() {
		return this.getRate;
	}

	Duration warmUp() {
		return this.warmUp;
	}

	Duration window() {
		return this.window;
	}

	Duration limit() {
		return this.limit;
	}

	Path out() {
		return this.out;
	}

}
