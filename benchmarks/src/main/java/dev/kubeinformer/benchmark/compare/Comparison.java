package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.Sample.Row;
import dev.kubeinformer.benchmark.compare.client.ClientMain;
import dev.kubeinformer.benchmark.custom.MakeWidgets;

/**
 * Runs of a comparison, one after another. Clients take turns, in the opposite order in
 * every second round.
 */
final class Comparison {

	/** Heaps of {@link Scenario#FIT}, as multiples of the retained heap. */
	private static final double[] FITS = { 2, 1.4 };

	private static final int CATCH_UP_SECONDS = 60;

	private final Compare options;

	private final List<External> externals;

	private final SampleWriter writer;

	private List<ClientJvm> jvms = List.of();

	private String classPath = System.getProperty("java.class.path");

	/** Retained heap of each row of syncs. */
	private final Map<Row, List<Double>> retained = new HashMap<>();

	Comparison(Compare options, List<External> externals, SampleWriter writer) {
		this.options = options;
		this.externals = externals;
		this.writer = writer;
	}

	void run() throws IOException, InterruptedException {
		if (!this.options.custom().isEmpty()) {
			prepare(Resource.WIDGETS);
		}
		for (int widgets : this.options.custom()) {
			withCluster(Resource.WIDGETS, widgets, true, (kubeconfig) -> syncs(kubeconfig, Resource.WIDGETS, widgets));
		}
		if (!this.options.pods().isEmpty() || measures(Scenario.WATCH) || measures(Scenario.SLOW)) {
			prepare(Resource.PODS);
		}
		for (int pods : this.options.pods()) {
			if (measures(Scenario.SYNC) || measures(Scenario.FIT)) {
				withCluster(Resource.PODS, pods, true, (kubeconfig) -> syncs(kubeconfig, Resource.PODS, pods));
			}
			if (measures(Scenario.RELIST) || measures(Scenario.GET)) {
				withReplay(pods, (server) -> {
					replayed(Scenario.RELIST, server, pods, 0);
					replayed(Scenario.GET, server, pods, this.options.getRate());
				});
			}
		}
		if (measures(Scenario.WATCH) || measures(Scenario.SLOW)) {
			int pods = this.options.watchPods();
			withReplay(pods, (server) -> {
				for (int rate : this.options.rates()) {
					replayed(Scenario.WATCH, server, pods, rate);
				}
				replayed(Scenario.SLOW, server, pods, this.options.slowRate());
			});
		}
	}

	private boolean measures(Scenario scenario) {
		return this.options.measures(scenario);
	}

	private void withCluster(Resource resource, int objects, boolean exact, Use<Path> use)
			throws IOException, InterruptedException {
		Path kubeconfig = this.options.kubeconfig();
		if (kubeconfig == null) {
			try (ServerJvm server = ServerJvm.embedded(resource, objects, this.options.diverse(), this.options.out())) {
				use.use(server.kubeconfig());
			}
			return;
		}
		if (exact) {
			fill(kubeconfig, resource, objects);
		}
		use.use(kubeconfig);
	}

	private void fill(Path kubeconfig, Resource resource, int objects) throws IOException, InterruptedException {
		List<String> command = filling(kubeconfig, resource, objects);
		if (!command.isEmpty()) {
			int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
			if (exit != 0) {
				throw new IllegalStateException("'%s' ended with exit code %d".formatted(command, exit));
			}
		}
		ServerState server = new ServerState(kubeconfig, resource.path());
		long there = server.count();
		// The server may still be reading objects that were written directly to etcd.
		for (int seconds = 0; !command.isEmpty() && there < objects && seconds < CATCH_UP_SECONDS; seconds++) {
			TimeUnit.SECONDS.sleep(1);
			there = server.count();
		}
		if (there != objects) {
			throw new IllegalStateException(
					"The cluster has %d %s, not %d: name its number, or a command that makes them with --fill"
						.formatted(there, resource.plural(), objects));
		}
	}

	private List<String> filling(Path kubeconfig, Resource resource, int objects) {
		if (resource == Resource.WIDGETS && this.options.etcd() != null) {
			List<String> command = new ArrayList<>(Forked.java(List.of()));
			command.addAll(List.of(MakeWidgets.class.getName(), kubeconfig.toString(), this.options.etcd(),
					Integer.toString(objects), this.options.kind()));
			return command;
		}
		String fill = this.options.fill();
		return (fill != null) ? External.shell(fill, kubeconfig, resource, objects) : List.of();
	}

	// An embedded API is no longer needed once its pods have been read.
	private void withReplay(int pods, Use<ServerJvm> use) throws IOException, InterruptedException {
		List<ServerJvm> started = new ArrayList<>();
		try {
			withCluster(Resource.PODS, pods, false,
					(kubeconfig) -> started.add(ServerJvm.replay(kubeconfig, pods, this.options.out())));
			use.use(started.get(0));
		}
		finally {
			started.forEach(ServerJvm::close);
		}
	}

	private void syncs(Path kubeconfig, Resource resource, int objects) throws IOException, InterruptedException {
		StateCheck check = new StateCheck(new ServerState(kubeconfig, resource.path())::read, false);
		List<String> names = new ArrayList<>(names());
		this.externals.forEach((external) -> names.add(external.name()));
		for (int run = 1; run <= this.options.runs(); run++) {
			for (String name : inTurn(names, run)) {
				boolean jvm = names().contains(name);
				Row row = new Row(Scenario.SYNC, resource, name, objects,
						jvm ? this.options.variant() : this.options.kind());
				sync(row, run, kubeconfig, null, check);
			}
		}
		if (measures(Scenario.FIT)) {
			fits(kubeconfig, resource, objects, check);
		}
	}

	private void fits(Path kubeconfig, Resource resource, int objects, StateCheck check)
			throws IOException, InterruptedException {
		for (double fit : FITS) {
			for (int run = 1; run <= this.options.runs(); run++) {
				for (String client : inTurn(names(), run)) {
					List<Double> figures = this.retained
						.get(new Row(Scenario.SYNC, resource, client, objects, this.options.variant()));
					if (figures != null) {
						String heap = (int) Math.ceil(fit * Spread.of(figures).median() * 1e6 / (1 << 20)) + "m";
						String variant = (this.options.variant() + " " + fit + " × retained").strip();
						sync(new Row(Scenario.FIT, resource, client, objects, variant), run, kubeconfig, heap, check);
					}
				}
			}
		}
	}

	private void sync(Row row, int run, Path kubeconfig, @Nullable String heap, StateCheck check)
			throws IOException, InterruptedException {
		for (External external : this.externals) {
			if (external.name().equals(row.client())) {
				finished(row, run, check.check(run(external, row, kubeconfig)));
				return;
			}
		}
		finished(row, run, check.check(fork(row, kubeconfig, heap, List.of())));
	}

	private void replayed(Scenario scenario, ServerJvm server, int pods, int rate)
			throws IOException, InterruptedException {
		if (!measures(scenario)) {
			return;
		}
		String variant = ((rate > 0) ? rate + "/s" : "") + (this.options.variant().isEmpty() ? "" : " ")
				+ this.options.variant();
		List<String> names = new ArrayList<>(names());
		Map<String, External> programs = new HashMap<>();
		if (scenario == Scenario.WATCH) {
			this.externals.stream().filter((external) -> external.name().equals(GoInformer.NAME)).forEach((program) -> {
				names.add(program.name());
				programs.put(program.name(), program
					.with(GoInformer.watching(server.url(), rate, this.options.warmUp(), this.options.window())));
			});
		}
		StateCheck check = new StateCheck(new ServerState(server.kubeconfig(), Resource.PODS.path())::read, true);
		for (int run = 1; run <= this.options.runs(); run++) {
			for (String name : inTurn(names, run)) {
				Row row = new Row(scenario, name, pods, variant.strip());
				External program = programs.get(name);
				Forked forked = (program != null) ? run(program, row, server.kubeconfig())
						: fork(row, server.kubeconfig(), null, List.of("control=" + server.url(), "rate=" + rate,
								"warmUp=" + this.options.warmUp(), "window=" + this.options.window()));
				finished(row, run, check.check(forked));
			}
		}
	}

	private Forked run(External program, Row row, Path kubeconfig) throws IOException, InterruptedException {
		return Forked.run(program.command(kubeconfig, row.resource(), row.objects()), this.options.externalLine(),
				this.options.limit(), this.options.out());
	}

	private Forked fork(Row row, Path kubeconfig, @Nullable String heap, List<String> further)
			throws IOException, InterruptedException {
		ClientJvm jvm = jvm(row.client());
		List<String> arguments = new ArrayList<>(List.of("client=" + jvm.client(), "scenario=" + row.scenario(),
				"resource=" + row.resource(), "kubeconfig=" + kubeconfig, "objects=" + row.objects(),
				"launched=" + System.currentTimeMillis()));
		arguments.addAll(further);
		List<String> flags = new ArrayList<>(jvm.flags());
		flags.addAll(this.options.flags(heap));
		return Forked.jvm(jvm.home(), this.classPath, ClientMain.class, flags, arguments, this.options.limit(),
				this.options.out());
	}

	private ClientJvm jvm(String name) {
		return this.jvms.stream().filter((jvm) -> jvm.name().equals(name)).findFirst().orElseThrow();
	}

	// Returns the clients in their JVMs, in the order of the table; some of them are
	// trained with the resource first.
	private void prepare(Resource resource) throws IOException, InterruptedException {
		this.jvms = this.options.jvms(resource);
		Set<String> trained = this.options.trained();
		if (trained.isEmpty()) {
			return;
		}
		Training training = new Training(this.options);
		this.classPath = training.classPath();
		List<ClientJvm> all = new ArrayList<>();
		for (ClientJvm jvm : this.jvms) {
			all.add(jvm);
			if (trained.contains(jvm.client())) {
				all.add(training.train(jvm, resource));
			}
		}
		this.jvms = all;
	}

	private List<String> names() {
		return this.jvms.stream().map(ClientJvm::name).toList();
	}

	private static List<String> inTurn(List<String> names, int run) {
		List<String> order = new ArrayList<>(names);
		if (run % 2 == 0) {
			Collections.reverse(order);
		}
		return order;
	}

	private void finished(Row row, int run, Forked forked) throws IOException {
		Map<Measure, Double> values = new EnumMap<>(Measure.class);
		values.putAll(forked.values());
		Double heap = values.get(Measure.RETAINED);
		if (heap != null) {
			values.putIfAbsent(Measure.PER_OBJECT, heap * 1000 / row.objects());
			this.retained.computeIfAbsent(row, (key) -> new ArrayList<>()).add(heap);
		}
		Sample sample = new Sample(row, run, forked.outcome(), values);
		System.out
			.println(sample.title() + " " + (forked.outcome().isMeasured() ? ResultLine.of(values) : forked.problem()));
		this.writer.write(sample);
	}

	/** Receives samples as they are measured. */
	interface SampleWriter {

		void write(Sample sample) throws IOException;

	}

	/**
	 * Uses a server while it is running.
	 *
	 * @param <S> the server
	 */
	private interface Use<S> {

		void use(S server) throws IOException, InterruptedException;

	}

}
