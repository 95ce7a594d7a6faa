package dev.kubeinformer.benchmark.leader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import dev.kubeinformer.benchmark.compare.Machine;

/**
 * Measures on a cluster how replicas of an application take over from each other: each is
 * a Spring application in a separate JVM.
 */
@Command(name = "replicas", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
		description = "Measures how replicas of an application take over from each other.")
public final class LeaderReplicas implements Callable<Integer> {

	private static final Duration PAUSE = Duration.ofMillis(250);

	@Option(names = "--kubeconfig", required = true, paramLabel = "FILE",
			description = "The cluster, whose API server is on this machine. A namespace is created for each trial.")
	private Path kubeconfig = Path.of("");

	@Option(names = "--server", paramLabel = "COMMAND",
			description = "Runs the API server, which is killed and started again; without it, connections are refused instead.")
	private @Nullable String server;

	@Option(names = "--trials", defaultValue = "10", paramLabel = "N", description = "How often each is tried.")
	private int trials;

	@Option(names = "--kinds", split = ",", defaultValue = "KILLED,STOPPED,BUSY,FROZEN,AWAY,SLACK", paramLabel = "KIND",
			description = "What is tried: ${COMPLETION-CANDIDATES}.")
	private List<Trial.Kind> kinds = List.of();

	@Option(names = "--lease-duration", defaultValue = "PT15S", paramLabel = "TIME", description = "Of the election.")
	private Duration leaseDuration = Duration.ZERO;

	@Option(names = "--renew-deadline", defaultValue = "PT10S", paramLabel = "TIME", description = "Of the election.")
	private Duration renewDeadline = Duration.ZERO;

	@Option(names = "--retry-period", defaultValue = "PT2S", paramLabel = "TIME", description = "Of the election.")
	private Duration retryPeriod = Duration.ZERO;

	@Option(names = "--work", defaultValue = "PT5S", paramLabel = "TIME",
			description = "How long the run in flight takes.")
	private Duration work = Duration.ZERO;

	@Option(names = "--away", defaultValue = "PT60S", paramLabel = "TIME",
			description = "How long the API server is away, and how long collections go on. Both are tried once in five trials.")
	private Duration away = Duration.ZERO;

	@Option(names = "--out", defaultValue = "target/replicas", paramLabel = "DIRECTORY",
			description = "Where the logs of the replicas go.")
	private Path out = Path.of("");

	/**
	 * Runs the trials.
	 * @param arguments see {@code --help}
	 */
	public static void main(String... arguments) {
		System.exit(new CommandLine(new LeaderReplicas()).execute(arguments));
	}

	@Override
	public Integer call() throws IOException, ApiException, InterruptedException {
		Files.createDirectories(this.out);
		System.out.println(Machine.current() + "\n");
		List<TrialResult> results = new ArrayList<>();
		try (Outage outage = outage()) {
			for (Trial.Kind kind : this.kinds) {
				boolean takesLong = kind == Trial.Kind.AWAY || kind == Trial.Kind.SLACK;
				try (Fleet fleet = fleet(kind, outage.kubeconfig())) {
					Trial trial = trial(kind, fleet, outage);
					for (int i = 0; i < (takesLong ? (this.trials + 4) / 5 : this.trials); i++) {
						results.add(trial.run());
						System.out.println(results.get(results.size() - 1));
					}
					if (trial instanceof SlackTrial slack) {
						System.out.println("The longest collection took " + slack.longestCollection());
					}
				}
			}
		}
		System.out.println("\n" + TrialTable.text(results));
		List<String> problems = TrialTable.problems(results);
		problems.forEach(System.out::println);
		return problems.isEmpty() ? 0 : 1;
	}

	private Outage outage() throws IOException, InterruptedException {
		return (this.server != null) ? new ServerOutage(this.server, this.kubeconfig)
				: new ProxyOutage(this.kubeconfig);
	}

	private Fleet fleet(Trial.Kind kind, Path kubeconfig) throws IOException, ApiException {
		LeaderTimes times = new LeaderTimes(this.leaseDuration, this.renewDeadline, this.retryPeriod);
		return switch (kind) {
			case KILLED, AWAY -> Fleet.of(times, kubeconfig, Duration.ZERO, PAUSE, this.out);
			case STOPPED -> Fleet.of(times, kubeconfig, Duration.ZERO, Duration.ofHours(1), this.out);
			case BUSY -> Fleet.of(times, kubeconfig, this.work, PAUSE, this.out);
			case FROZEN -> Fleet.of(times, kubeconfig, this.work.dividedBy(10), PAUSE, this.out);
			case SLACK -> Fleet.blocked(times, kubeconfig, 2 * SlackTrial.WORKERS, this.out);
		};
	}

	private Trial trial(Trial.Kind kind, Fleet fleet, Outage outage) {
		return switch (kind) {
			case KILLED -> new KilledTrial(fleet);
			case STOPPED -> new StoppedTrial(fleet);
			case BUSY -> new BusyTrial(fleet, this.work);
			case FROZEN -> new FrozenTrial(fleet);
			case AWAY -> new AwayTrial(fleet, outage, this.away);
			case SLACK -> new SlackTrial(fleet, this.away);
		};
	}

}
