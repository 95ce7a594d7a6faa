package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.benchmark.compare.MarkdownTable;
import dev.kubeinformer.benchmark.compare.Spread;

/**
 * Measures controllers while the watch of their children is held back: ten primaries are
 * changed, changed again, and changed back. For each change, it measures the time until
 * the children are right.
 */
@Command(name = "held-watch", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Measures controllers whose watch of children is held back.")
public final class HeldWatch implements Callable<Integer> {

	private static final int CHANGED = 10;

	private static final long POLL_MILLIS = 5;

	private static final long REST_SECONDS = 60;

	private static final List<String> CHANGES = List.of("changed", "changed again", "changed back");

	@Option(names = "--kubeconfig", required = true, paramLabel = "FILE", description = "The cluster.")
	private Path kubeconfig = Path.of("");

	@Option(names = "--objects", defaultValue = "100", paramLabel = "N", description = "Custom objects.")
	private int objects;

	@Option(names = "--workers", defaultValue = "16", paramLabel = "N", description = "Workers of each controller.")
	private int workers;

	@Option(names = "--rounds", defaultValue = "5", paramLabel = "N", description = "Runs of each client, in turns.")
	private int rounds;

	@Option(names = "--clients", split = ",", defaultValue = "ours,josdk,client-go,controller-runtime",
			paramLabel = "NAME", description = "What to measure, by the names of ControllerComparison.")
	private List<String> clients = List.of();

	@Option(names = "--limit", defaultValue = "PT8S", paramLabel = "TIME",
			description = "How long each change is waited for.")
	private Duration limit = Duration.ZERO;

	@Option(names = "--out", defaultValue = "target/held-watch", paramLabel = "DIRECTORY",
			description = "Where tables.md and what the programs print to standard error go.")
	private Path out = Path.of("");

	/**
	 * Runs the measurement.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		System.exit(new CommandLine(new HeldWatch()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException, InterruptedException {
		Files.createDirectories(this.out);
		RawCluster cluster = new RawCluster(this.kubeconfig);
		Preparation preparation = new Preparation(cluster, this.objects, this.workers);
		preparation.widgets();
		Map<String, List<Trial>> trials = new LinkedHashMap<>();
		try (HoldingProxy proxy = new HoldingProxy(cluster, "configmaps")) {
			Path through = this.out.resolve("kubeconfig");
			proxy.kubeconfig(through);
			Contenders all = new Contenders(through, this.objects, this.workers, List.of(), this.out);
			List<Contender> contenders = new ArrayList<>();
			for (String name : this.clients) {
				contenders.add(all.named(name));
			}
			for (int round = 0; round < this.rounds; round++) {
				for (Contender contender : contenders) {
					preparation.noChildren();
					change(cluster, CHANGES.get(CHANGES.size() - 1));
					Trial trial = measure(cluster, preparation, proxy, contender);
					System.out.println(contender.name() + " " + trial);
					trials.computeIfAbsent(contender.name(), (name) -> new ArrayList<>()).add(trial);
				}
			}
		}
		String table = table(trials);
		Files.writeString(this.out.resolve("tables.md"), table);
		System.out.println("\n" + table);
		return 0;
	}

	private Trial measure(RawCluster cluster, Preparation preparation, HoldingProxy proxy, Contender contender)
			throws IOException, InterruptedException {
		try (MeasuredProcess process = new MeasuredProcess(contender.command().apply(new Task(false, null, null)),
				this.out.resolve(contender.name() + "-errors.txt"))) {
			awaitRest(preparation, process);
			List<Double> seconds = new ArrayList<>();
			int writes;
			int refusals;
			proxy.hold();
			try {
				for (String change : CHANGES) {
					seconds.add(awaitChange(cluster, change));
				}
			}
			finally {
				writes = proxy.writes();
				refusals = proxy.refusals();
				proxy.release();
			}
			long released = System.nanoTime();
			awaitRest(preparation, process);
			return new Trial(seconds, writes, refusals, (System.nanoTime() - released) / 1e9);
		}
	}

	private void awaitRest(Preparation preparation, MeasuredProcess process) throws IOException, InterruptedException {
		long begin = System.nanoTime();
		Status before = process.ask("status");
		while (true) {
			TimeUnit.SECONDS.sleep(1);
			Status now = process.ask("status");
			try {
				if (now.equals(before) && now.reconciles() >= this.objects) {
					preparation.check(false, true);
					return;
				}
			}
			catch (IllegalStateException ex) {
				if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(REST_SECONDS)) {
					throw ex;
				}
			}
			before = now;
			if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(REST_SECONDS)) {
				throw new IOException("No rest: " + now);
			}
		}
	}

	private double awaitChange(RawCluster cluster, String change) throws IOException, InterruptedException {
		long begin = System.nanoTime();
		change(cluster, change);
		int right = 0;
		while (true) {
			while (right < CHANGED && isRight(cluster, change, right)) {
				right++;
			}
			double passed = (System.nanoTime() - begin) / 1e9;
			if (right == CHANGED || passed > this.limit.toMillis() / 1e3) {
				return (right == CHANGED) ? passed : Double.NaN;
			}
			TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
		}
	}

	private static void change(RawCluster cluster, String change) throws IOException {
		for (int index = 0; index < CHANGED; index++) {
			RawCluster.Answer answer = cluster.send("PATCH", Preparation.WIDGETS + "/" + Widgets.name(index),
					RawCluster.MERGE, "{\"spec\": {\"message\": \"%s\"}}".formatted(message(change, index)));
			if (answer.code() >= 300) {
				throw new IOException("HTTP %d %s".formatted(answer.code(), answer.body()));
			}
		}
	}

	private static String message(String change, int index) {
		return change.equals("changed back") ? Widgets.message(index) : change;
	}

	private static boolean isRight(RawCluster cluster, String change, int index) throws IOException {
		JsonNode child = JsonMapper.shared()
			.readTree(cluster.require("GET", Children.CONFIG_MAPS.path() + "/" + Widgets.name(index), null));
		return child.at("/data/message").asString().equals(message(change, index));
	}

	private String table(Map<String, List<Trial>> trials) {
		List<List<String>> lines = new ArrayList<>();
		List<String> heading = new ArrayList<>(List.of("client", "rounds"));
		CHANGES.forEach((change) -> heading.add(change + ", s"));
		heading.addAll(List.of("writes while held", "refused", "right after the release, s"));
		lines.add(heading);
		trials.forEach((client, all) -> {
			List<String> line = new ArrayList<>(List.of(client, Integer.toString(all.size())));
			for (int i = 0; i < CHANGES.size(); i++) {
				int change = i;
				line.add(text(all.stream().map((trial) -> trial.seconds().get(change)).toList(), 2));
			}
			line.add(text(all.stream().map((trial) -> (double) trial.writes()).toList(), 0));
			line.add(text(all.stream().map((trial) -> (double) trial.refusals()).toList(), 0));
			line.add(text(all.stream().map(Trial::afterRelease).toList(), 1));
			lines.add(line);
		});
		return MarkdownTable.format(lines);
	}

	private String text(List<Double> values, int decimals) {
		List<Double> there = values.stream().filter((value) -> !value.isNaN()).toList();
		@Nullable String missed = (there.size() < values.size()) ? "%d of %d not within %d s"
			.formatted(values.size() - there.size(), values.size(), this.limit.toSeconds()) : null;
		if (there.isEmpty()) {
			return "not within %d s".formatted(this.limit.toSeconds());
		}
		return Spread.of(there).text(decimals) + ((missed != null) ? ", " + missed : "");
	}

	/**
	 * Result of one run.
	 *
	 * @param seconds the time until the children were right after each change; not a
	 * number if the limit was exceeded
	 * @param writes the writes of children while the watch was held
	 * @param refusals the requests that were rejected meanwhile
	 * @param afterRelease the time after the release until everything was right and at
	 * rest
	 */
	private record Trial(List<Double> seconds, int writes, int refusals, double afterRelease) {

	}

}
