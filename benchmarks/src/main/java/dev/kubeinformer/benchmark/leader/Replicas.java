package dev.kubeinformer.benchmark.leader;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.kubeinformer.leader.LeaderState;

/** Replicas of one application in the same election. Each process has its own name. */
class Replicas implements AutoCloseable {

	static final String LEASE = "replicas";

	private static final Duration START = Duration.ofSeconds(90);

	private static final Duration LOOK = Duration.ofMillis(100);

	/** Jars that the application does not need. */
	private static final Pattern FOREIGN = Pattern
		.compile("fabric8|vertx|netty|zjsonpatch|vavr|[pP]aguro|pcollections|jmh|jopt|commons-math|xchart|picocli"
				+ "|kubernetes-informer-test|/test-support/|jetty|tomcat|/test-classes");

	private final Timeline timeline = new Timeline();

	private final List<ReplicaProcess> processes = new ArrayList<>();

	private final List<String> command;

	private final Path logs;

	private final String prefix;

	/**
	 * Prepares replicas.
	 * @param kubeconfig the cluster
	 * @param namespace the namespace of the Lease and the objects
	 * @param times the times of the election
	 * @param heap the maximum heap, in megabytes
	 * @param behaviour properties of {@link ReplicaProperties}, without their prefix
	 * @param logs the directory for the output of the processes
	 */
	Replicas(Path kubeconfig, String namespace, LeaderTimes times, int heap, Map<String, String> behaviour, Path logs) {
		this.prefix = namespace.substring(namespace.lastIndexOf('-') + 1) + "-";
		this.logs = logs;
		this.command = new ArrayList<>();
		this.command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		this.command.addAll(List.of("-Xmx" + heap + "m", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
		this.command.addAll(List.of(Replica.class.getName(), "--spring.main.banner-mode=off",
				"--kubernetes.client.kubeconfig=" + kubeconfig.toAbsolutePath(), "--kubernetes.leader.enabled=true",
				"--kubernetes.leader.lease.name=" + LEASE, "--kubernetes.leader.lease.namespace=" + namespace,
				"--kubernetes.leader.lease-duration=" + times.leaseDuration(),
				"--kubernetes.leader.renew-deadline=" + times.renewDeadline(),
				"--kubernetes.leader.retry-period=" + times.retryPeriod()));
		behaviour.forEach((name, value) -> this.command.add("--replica.%s=%s".formatted(name, value)));
	}

	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !FOREIGN.matcher(ending(entry)).find())
			.collect(Collectors.joining(File.pathSeparator));
	}

	// Returns the path below the local repository or a module's directory, because the
	// parents may have any name.
	private static String ending(String entry) {
		int repository = entry.lastIndexOf("/repository/");
		Path path = Path.of(entry);
		int names = path.getNameCount();
		return (repository >= 0) ? entry.substring(repository) : "/" + path.subpath(Math.max(0, names - 3), names);
	}

	Timeline timeline() {
		return this.timeline;
	}

	/**
	 * Starts processes, and waits until they are ready.
	 * @param count the number of processes
	 * @throws IOException if one does not start
	 * @throws InterruptedException if interrupted
	 */
	void start(int count) throws IOException, InterruptedException {
		List<ReplicaProcess> started = new ArrayList<>();
		long begin = System.nanoTime();
		for (int i = 0; i < count; i++) {
			String name = this.prefix + (this.processes.size() + 1);
			List<String> all = new ArrayList<>(this.command);
			all.add("--replica.name=" + name);
			ReplicaProcess process = new ReplicaProcess(name, all, this.timeline, this.logs.resolve(name + ".log"));
			this.processes.add(process);
			started.add(process);
		}
		for (ReplicaProcess process : started) {
			this.timeline.await("start of '%s', see '%s'".formatted(process.name(), this.logs), begin, START,
					(entry) -> entry.kind() == Entry.Kind.READY && entry.replica().equals(process.name()));
		}
	}

	/**
	 * Waits until one replica leads and is running, and all others are on standby.
	 * @return the leader
	 * @throws IOException if a replica cannot be asked
	 * @throws InterruptedException if interrupted
	 */
	ReplicaProcess awaitLeader() throws IOException, InterruptedException {
		long begin = System.nanoTime();
		while (true) {
			Map<ReplicaProcess, LeaderState> states = states();
			List<ReplicaProcess> leaders = states.keySet()
				.stream()
				.filter((process) -> states.get(process) == LeaderState.LEADING)
				.toList();
			long standbys = states.values().stream().filter((state) -> state == LeaderState.STANDBY).count();
			if (leaders.size() == 1 && standbys == states.size() - 1) {
				ReplicaProcess leader = leaders.get(0);
				this.timeline.await("run of the leader", 0, START,
						(entry) -> entry.kind() == Entry.Kind.BEGIN && entry.replica().equals(leader.name()));
				return leader;
			}
			if (System.nanoTime() - begin > START.toNanos()) {
				throw new IllegalStateException("No single leader within %s: %s".formatted(START, states.values()));
			}
			Thread.sleep(LOOK.toMillis());
		}
	}

	private Map<ReplicaProcess, LeaderState> states() throws IOException, InterruptedException {
		Map<ReplicaProcess, LeaderState> states = new HashMap<>();
		for (ReplicaProcess process : alive()) {
			long now = System.nanoTime();
			process.send(Replica.ASK);
			Entry state = this.timeline.await("state of '%s'".formatted(process.name()), now, START,
					(entry) -> entry.kind() == Entry.Kind.STATE && entry.replica().equals(process.name()));
			states.put(process, LeaderState.valueOf(state.detail(0)));
		}
		return states;
	}

	List<ReplicaProcess> alive() {
		return this.processes.stream().filter(ReplicaProcess::isAlive).toList();
	}

	/**
	 * Returns the spans of the leader's work.
	 * @return the spans, in the order in which they began
	 */
	List<Span> spans() {
		Map<String, Long> ends = new HashMap<>();
		for (ReplicaProcess process : this.processes) {
			Long end = process.end();
			if (end != null) {
				ends.put(process.name(), end);
			}
		}
		return this.timeline.spans(ends, System.nanoTime());
	}

	@Override
	public void close() {
		this.processes.forEach(ReplicaProcess::close);
	}

}
