package dev.kubeinformer.benchmark.shards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.kubeinformer.benchmark.compare.Machine;

/**
 * Moves the pods of a cluster between several JVMs: starts five replicas, ends two,
 * starts two, kills one, suspends one, and restarts the API server. Then it checks that
 * no two runs of one pod overlapped, that each pod was reconciled after its last change,
 * and that each handler knows its share.
 */
@Command(name = "shards", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Moves the pods of a cluster between several JVMs, and checks each hand-over.")
public final class ShardTrials implements Callable<Integer> {

	private static final int PAGE = 2000;

	@Option(names = "--kubeconfig", required = true, paramLabel = "FILE",
			description = "The cluster, which holds the pods already.")
	private Path kubeconfig = Path.of("");

	@Option(names = "--changes", paramLabel = "COMMAND",
			description = "Changes pods, again and again until the trial ends; without it, nothing changes.")
	private @Nullable String changes;

	@Option(names = "--restart", paramLabel = "COMMAND",
			description = "Restarts the API server, and returns when it is ready again; without it, it is not restarted.")
	private @Nullable String restart;

	@Option(names = "--replicas", defaultValue = "5", paramLabel = "N", description = "The highest number of replicas.")
	private int replicas;

	@Option(names = "--slots", defaultValue = "64", paramLabel = "N", description = "The number of slots.")
	private int slots;

	@Option(names = "--xmx", defaultValue = "600m", paramLabel = "SIZE", description = "The heap of each replica.")
	private String heap = "";

	@Option(names = "--settle", defaultValue = "PT120S", paramLabel = "TIME",
			description = "How long to wait for a distribution.")
	private Duration settle = Duration.ZERO;

	@Option(names = "--steady", defaultValue = "PT20S", paramLabel = "TIME",
			description = "How long requests and processor time are measured.")
	private Duration steady = Duration.ZERO;

	@Option(names = "--warm-up", defaultValue = "PT0S", paramLabel = "TIME",
			description = "How long objects change before requests and processor time are measured.")
	private Duration warmUp = Duration.ZERO;

	@Option(names = "--whole", description = "Measures one replica without shards instead.")
	private boolean whole;

	@Option(names = "--steps", split = ",", defaultValue = "scale,kill,suspend,restart", paramLabel = "STEP",
			description = "Steps after the start; none for no step.")
	private List<String> steps = List.of();

	@Option(names = "--out", defaultValue = "target/shards", paramLabel = "DIRECTORY",
			description = "Where journals and logs go.")
	private Path out = Path.of("");

	private final List<ReplicaJvm> processes = new ArrayList<>();

	private final String group = "shards-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

	private CoreV1Api api = new CoreV1Api();

	private int objects;

	/**
	 * Runs the trial.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		System.exit(new CommandLine(new ShardTrials()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException, ApiException, InterruptedException {
		Files.createDirectories(this.out);
		System.out.println(Machine.current() + "\n");
		ApiClient client = Config.fromConfig(Files.newBufferedReader(this.kubeconfig));
		client.setReadTimeout(120_000);
		this.api = new CoreV1Api(client);
		this.objects = versions().size();
		Process changing = null;
		try {
			if (this.whole) {
				start();
				await("the whole cache", true);
				costs();
				changing = change();
				warmUp();
				costs();
				return 0;
			}
			start();
			await("one replica", true);
			costs();
			changing = change();
			while (running().size() < this.replicas) {
				start();
			}
			await("%d replicas".formatted(this.replicas), true);
			warmUp();
			costs();
			for (String step : this.steps) {
				step(step);
			}
			end(changing);
			changing = null;
			TimeUnit.SECONDS.sleep(5);
			await("rest", true);
			costs();
			return check();
		}
		finally {
			end(changing);
			this.processes.forEach(ReplicaJvm::close);
		}
	}

	private void step(String step) throws IOException, InterruptedException {
		long begin = System.nanoTime();
		switch (step) {
			case "scale" -> {
				List<ReplicaJvm> running = running();
				for (ReplicaJvm process : running.subList(0, Math.min(2, running.size() - 1))) {
					process.terminate();
				}
				await("the end of two replicas", false);
				gaps("graceful end", begin);
				begin = System.nanoTime();
				while (running().size() < this.replicas) {
					start();
				}
				await("two more replicas", false);
				gaps("more replicas", begin);
			}
			case "kill" -> {
				running().get(0).kill();
				await("the slots of a killed replica", false);
				gaps("kill", begin);
				start();
				await("another replica", false);
			}
			case "suspend" -> {
				ReplicaJvm process = running().get(0);
				process.suspend();
				TimeUnit.SECONDS.sleep(25);
				process.resume();
				await("the resumed replica", false);
				gaps("suspend", begin);
			}
			case "restart" -> {
				if (this.restart != null) {
					run(this.restart);
					await("the restarted API server", false);
					gaps("restart", begin);
				}
			}
			case "none" -> {
			}
			default -> throw new IllegalArgumentException("Unknown step '%s'".formatted(step));
		}
	}

	private static void run(String command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder("sh", "-c", command).inheritIO().start();
		if (process.waitFor() != 0) {
			throw new IOException("'%s' failed".formatted(command));
		}
	}

	private @Nullable Process change() throws IOException {
		return (this.changes != null)
				? new ProcessBuilder("sh", "-c", "while :; do %s; sleep 1; done".formatted(this.changes))
					.redirectErrorStream(true)
					.redirectOutput(this.out.resolve("changes.log").toFile())
					.start()
				: null;
	}

	private static void end(@Nullable Process changing) throws InterruptedException {
		if (changing != null) {
			changing.descendants().forEach(ProcessHandle::destroy);
			changing.destroy();
			changing.waitFor();
		}
	}

	private void start() throws IOException {
		String name = "replica-" + (this.processes.size() + 1);
		Path journal = this.out.resolve(this.group + "-" + name + ".journal");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + this.heap, "-cp",
						System.getProperty("java.class.path"), ShardReplica.class.getName(), this.kubeconfig.toString(),
						this.group, name, Integer.toString(this.slots), journal.toString()));
		if (this.whole) {
			command.add("whole");
		}
		this.processes.add(new ReplicaJvm(name, command, journal, this.out.resolve(this.group + "-" + name + ".log")));
	}

	private List<ReplicaJvm> running() {
		return this.processes.stream().filter(ReplicaJvm::isRunning).toList();
	}

	// Pods that are changed meanwhile are neither added nor removed.
	private void await(String what, boolean cached) throws IOException, InterruptedException {
		long begin = System.nanoTime();
		while (true) {
			List<ReplicaJvm.State> states = new ArrayList<>();
			for (ReplicaJvm process : running()) {
				states.add(process.state(false));
			}
			int held = states.stream().mapToInt(ReplicaJvm.State::slots).sum();
			int known = states.stream().mapToInt(ReplicaJvm.State::cached).sum();
			int handled = states.stream().mapToInt(ReplicaJvm.State::handled).sum();
			boolean even = this.whole || (held == this.slots
					&& states.stream().allMatch((state) -> state.slots() >= this.slots / states.size()));
			if (even && known == this.objects && (handled == this.objects || !cached)) {
				System.out.printf("%-36s after %5.1f s: %s%n", what, (System.nanoTime() - begin) / 1e9,
						states.stream()
							.map((state) -> state.slots() + " slots/" + state.cached())
							.collect(Collectors.joining(", ")));
				return;
			}
			if (System.nanoTime() - begin > this.settle.toNanos()) {
				throw new IllegalStateException("No rest after '%s': %s".formatted(what, states));
			}
			TimeUnit.MILLISECONDS.sleep(250);
		}
	}

	private void warmUp() throws InterruptedException {
		TimeUnit.NANOSECONDS.sleep(this.warmUp.toNanos());
	}

	private void costs() throws IOException, InterruptedException {
		Map<String, Double> before = new HashMap<>();
		for (ReplicaJvm process : running()) {
			before.put(process.name(), process.cpu());
		}
		long requests = leaseRequests();
		long begin = System.nanoTime();
		TimeUnit.NANOSECONDS.sleep(this.steady.toNanos());
		double seconds = (System.nanoTime() - begin) / 1e9;
		long sent = leaseRequests() - requests;
		for (ReplicaJvm process : running()) {
			double cpu = process.cpu() - before.getOrDefault(process.name(), 0.0);
			System.out.printf("    %s: %.2f s of CPU in %.0f s, heap %.1f MB%n", process.name(), cpu, seconds,
					process.state(true).heap() / 1e6);
		}
		System.out.printf("    %d requests for Leases in %.0f s by %d replicas%n", sent, seconds, running().size());
	}

	private long leaseRequests() throws IOException {
		try {
			String metrics = this.api.getApiClient()
				.<String>execute(this.api.getApiClient()
					.buildCall(this.api.getApiClient().getBasePath(), "/metrics", "GET", List.of(), List.of(), null,
							new HashMap<>(), new HashMap<>(), new HashMap<>(), new String[] { "BearerToken" }, null),
						String.class)
				.getData();
			return metrics.lines()
				.filter((line) -> line.startsWith("apiserver_request_total{") && line.contains("resource=\"leases\"")
						&& !line.contains("verb=\"WATCH\""))
				.mapToLong((line) -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
				.sum();
		}
		catch (ApiException ex) {
			throw new IOException("The meters of the API server cannot be read", ex);
		}
	}

	private void gaps(String what, long begin) throws IOException {
		Map<Integer, Long> gaps = history().gaps(begin - TimeUnit.SECONDS.toNanos(1), System.nanoTime());
		long longest = gaps.values().stream().mapToLong(Long::longValue).max().orElse(0);
		System.out.printf("    %s: %d slots moved, at most %.2f s without a holder%n", what, gaps.size(),
				longest / 1e9);
	}

	private History history() throws IOException {
		History history = new History();
		for (ReplicaJvm process : this.processes) {
			history.read(process);
		}
		return history;
	}

	private int check() throws IOException, ApiException {
		History history = history();
		List<String> problems = new ArrayList<>(history.overlaps());
		problems.addAll(history.sharedSlots());
		problems.addAll(history.missed(versions()));
		for (ReplicaJvm process : running()) {
			ReplicaJvm.State state = process.state(false);
			if (state.cached() != state.handled()) {
				problems.add("%s: %s".formatted(process.name(), state));
			}
		}
		System.out.printf("%d objects, %d runs, %d slots gained: %s%n", this.objects, history.runs(), history.moves(),
				problems.isEmpty() ? "right" : "WRONG");
		problems.forEach(System.out::println);
		return problems.isEmpty() ? 0 : 1;
	}

	private Map<String, String> versions() throws ApiException {
		Map<String, String> versions = new HashMap<>();
		String next = null;
		do {
			V1PodList page = this.api.listPodForAllNamespaces().limit(PAGE)._continue(next).execute();
			for (V1Pod pod : page.getItems()) {
				V1ObjectMeta metadata = pod.getMetadata();
				if (metadata != null) {
					versions.put(metadata.getNamespace() + "/" + metadata.getName(), metadata.getResourceVersion());
				}
			}
			next = (page.getMetadata() != null) ? page.getMetadata().getContinue() : null;
		}
		while (next != null && !next.isEmpty());
		return versions;
	}

}
