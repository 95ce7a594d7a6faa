package dev.kubeinformer.spring.autoconfigure.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.ApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.RunOutcome;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.spring.FakeElection;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.shard.SlotHolders;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the dashboard of the documentation, and its table of meters, name what an
 * application exports to Prometheus, and all of it.
 */
class GrafanaDashboardTests {

	/** The meters that users are promised. */
	private static final Set<String> METERS = Set.of("kubernetes.informer.handler",
			"kubernetes.informer.handler.active", "kubernetes.informer.handler.queue.size",
			"kubernetes.informer.handler.queue.time", "kubernetes.informer.handler.retries",
			"kubernetes.informer.handler.exhausted", "kubernetes.informer.handler.merged",
			"kubernetes.informer.handler.synced", "kubernetes.informer.synced", "kubernetes.informer.cache.size",
			"kubernetes.informer.events", "kubernetes.informer.list", "kubernetes.informer.relists",
			"kubernetes.informer.watch.restarts", "kubernetes.informer.decode.errors", "kubernetes.informer.sync.time",
			"kubernetes.informer.last.event.age", "kubernetes.informer.stale.time", "kubernetes.informer.shard.server",
			"kubernetes.informer.quarantined", "kubernetes.informer.shards", "kubernetes.informer.shard.foreign",
			"kubernetes.reconciler", "kubernetes.reconciler.active", "kubernetes.reconciler.write",
			"kubernetes.reconciler.write.active", "kubernetes.reconciler.synced", "kubernetes.reconciler.queue.size",
			"kubernetes.reconciler.queue.time", "kubernetes.reconciler.parked", "kubernetes.reconciler.failing",
			"kubernetes.reconciler.slowed", "kubernetes.reconciler.retries", "kubernetes.reconciler.own.writes.wait",
			"kubernetes.reconciler.longest.running", "kubernetes.reconciler.loops", "kubernetes.reconciler.waiting",
			"kubernetes.leader", "kubernetes.leader.transitions", "kubernetes.leader.renewals",
			"kubernetes.leader.slack", "kubernetes.leader.skipped", "kubernetes.informer.warnings",
			"kubernetes.reconciler.warnings", "kubernetes.leader.warnings", "kubernetes.shards.held",
			"kubernetes.shards.members", "kubernetes.shards.imbalance", "kubernetes.shards.unheld",
			"kubernetes.shards.unheld.longest", "kubernetes.shards.gap", "kubernetes.shards.gained",
			"kubernetes.shards.lost", "kubernetes.shards.renewals");

	private static final String NAME = "(kubernetes_(?:informer|reconciler|leader|shards)[a-z_]*)";

	private static final Pattern SAMPLE = Pattern.compile("^" + NAME + "(?:\\{(.*)})? \\S+$");

	private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"[^\"]*\"");

	private static final Pattern SELECTOR = Pattern.compile(NAME + "(?:\\{([^}]*)})?");

	private static final Pattern MATCHER = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");

	private static final Pattern LITERAL = Pattern.compile("([a-z_]+!?=\"[^$\"]+\")");

	private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without)\\s*\\(([^)]*)\\)");

	private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*([a-z_]+)\\s*}}");

	private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\(" + NAME + "[^,]*,\\s*([a-z_]+)\\)");

	private static final Set<String> ADDED_BY_PROMETHEUS = Set.of("job", "instance");

	private final FakeReconciler reconciler = FakeReconciler.ofPods("podReconciler");

	private final FakeElection election = new FakeElection().grant();

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void dashboardShouldAskForWhatIsExportedWithLabelsThatItHas() {
		JsonNode dashboard = dashboard();
		run((context) -> {
			Map<String, Set<String>> exported = exported(registry(context).scrape());
			for (JsonNode panel : panels(dashboard)) {
				for (JsonNode target : panel.path("targets")) {
					String query = target.path("expr").asString();
					assertThat(query).as(panel.path("title").asString()).isNotBlank();
					assertThat(SELECTOR.matcher(query).find()).as(query).isTrue();
					assertNames(query, target.path("legendFormat").asString(""), registry(context).scrape());
				}
			}
			for (JsonNode variable : dashboard.path("templating").path("list")) {
				Matcher values = LABEL_VALUES.matcher(variable.path("definition").asString(""));
				if (values.find()) {
					assertThat(exported).containsKey(values.group(1));
					Set<String> labels = new HashSet<>(exported.get(values.group(1)));
					labels.addAll(ADDED_BY_PROMETHEUS);
					assertThat(labels).contains(values.group(2));
				}
			}
		});
	}

	private static void assertNames(String query, String legend, String scrape) {
		Map<String, Set<String>> exported = exported(scrape);
		Set<String> common = null;
		Matcher selector = SELECTOR.matcher(query);
		while (selector.find()) {
			assertThat(exported.keySet()).as(query).contains(selector.group(1));
			Set<String> labels = exported.get(selector.group(1));
			assertThat(labels).as(query).containsAll(found(MATCHER, selector.group(2)));
			assertValues(selector.group(1), selector.group(2), scrape);
			common = (common != null) ? common : new HashSet<>(labels);
			common.retainAll(labels);
		}
		Set<String> used = new HashSet<>();
		Matcher grouping = GROUPING.matcher(query);
		while (grouping.find()) {
			Stream.of(grouping.group(1).split(",")).map(String::strip).forEach(used::add);
		}
		Matcher named = LEGEND.matcher(legend);
		while (named.find()) {
			used.add(named.group(1));
		}
		used.removeAll(ADDED_BY_PROMETHEUS);
		assertThat(common).as(query + " " + legend).isNotNull().containsAll(used);
	}

	private static void assertValues(String name, String matchers, String scrape) {
		Matcher literal = LITERAL.matcher((matchers != null) ? matchers : "");
		while (literal.find()) {
			String value = literal.group(1).replace("!=", "=");
			assertThat(scrape.lines()).as(name + " with " + value)
				.anyMatch((line) -> line.startsWith(name + "{") && line.contains(value));
		}
	}

	private static List<String> found(Pattern pattern, String text) {
		List<String> found = new ArrayList<>();
		Matcher matcher = pattern.matcher((text != null) ? text : "");
		while (matcher.find()) {
			found.add(matcher.group(1));
		}
		found.removeAll(ADDED_BY_PROMETHEUS);
		return found;
	}

	@Test
	void alertsOfTheDocumentationShouldAskForWhatIsExported() throws Exception {
		List<String> queries = new ArrayList<>();
		boolean alerts = false;
		for (String line : Files.readAllLines(documentation("metrics.md"))) {
			alerts = line.startsWith("#") ? line.equals("## What to alert on") : alerts;
			if (alerts && line.startsWith("| ") && line.contains("`")) {
				queries.add(line.split("`")[1]);
			}
		}
		assertThat(queries).hasSizeGreaterThan(10);
		run((context) -> {
			String scrape = registry(context).scrape();
			queries.forEach((query) -> assertNames(query, "", scrape));
		});
	}

	@Test
	void dashboardShouldHaveAPanelForEveryMeter() {
		Set<String> queried = new TreeSet<>();
		for (JsonNode panel : panels(dashboard())) {
			for (JsonNode target : panel.path("targets")) {
				Matcher selector = SELECTOR.matcher(target.path("expr").asString());
				while (selector.find()) {
					queried.add(selector.group(1));
				}
			}
		}
		run((context) -> assertThat(exportedByMeter(registry(context)))
			.allSatisfy((meter, samples) -> assertThat(samples).as(meter).containsAnyElementsOf(queried)));
	}

	@Test
	void promisedMetersShouldBeThereAndNoOthers() {
		run((context) -> assertThat(registry(context).getMeters()).extracting((meter) -> meter.getId().getName())
			.filteredOn((name) -> name.startsWith("kubernetes."))
			.containsAll(METERS)
			.isSubsetOf(METERS));
	}

	@Test
	void tableOfTheDocumentationShouldNameEveryMeterAsItIsExported() throws Exception {
		Map<String, String> rows = new HashMap<>();
		for (String line : Files.readAllLines(documentation("metrics.md"))) {
			String[] cells = line.split("\\|");
			if (line.startsWith("| `kubernetes.")) {
				rows.put(cells[1].strip().replace("`", ""), line);
			}
		}
		assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(METERS);
		run((context) -> {
			Map<String, Set<String>> exported = exported(registry(context).scrape());
			exportedByMeter(registry(context)).forEach((meter, samples) -> {
				Matcher named = Pattern.compile("`" + NAME + "`").matcher(rows.get(meter));
				assertThat(named.find()).as(rows.get(meter)).isTrue();
				assertThat(samples).as(meter).anyMatch((sample) -> sample.startsWith(named.group(1)));
				assertThat(samples.stream().flatMap((sample) -> exported.get(sample).stream()))
					.allSatisfy((label) -> assertThat(rows.get(meter)).contains("`" + label + "`"));
			});
		});
	}

	private static JsonNode dashboard() {
		return JsonMapper.shared().readTree(documentation("grafana-dashboard.json"));
	}

	private static Path documentation(String name) {
		Path file = Path.of("..", "docs", name);
		assertThat(file).exists();
		return file;
	}

	private static List<JsonNode> panels(JsonNode parent) {
		List<JsonNode> panels = new ArrayList<>();
		for (JsonNode panel : parent.path("panels")) {
			if (panel.path("type").asString().equals("row")) {
				panels.addAll(panels(panel));
			}
			else {
				panels.add(panel);
			}
		}
		return panels;
	}

	private void run(ContextConsumer<ApplicationContext> consumer) {
		InformerContextRunner.with(this.kubernetes)
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, ObservationAutoConfiguration.class,
					InformerMetricsAutoConfiguration.class, InformerObservationAutoConfiguration.class))
			.withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
			.withBean(PodHandler.class)
			.withBean(FailingHandler.class)
			.withBean(ShardReader.class)
			.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(this.reconciler))
			.withBean(LeaderMetrics.class, () -> new LeaderMetrics(this.election::elected))
			.withBean(ShardGroupMetrics.class,
					() -> new ShardGroupMetrics(() -> new SlotHolders(ManualShards.of(4), Clock.systemUTC())))
			// All meters have their tags where there are several clusters.
			.withPropertyValues("kubernetes.informers.retry.max-retries=0",
					"kubernetes.clusters.edge.url=" + this.kubernetes.url())
			.run((context) -> {
				InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
				await().until(() -> handlers.all().stream().allMatch(InformerHandlerContainer::hasSynced));
				// A sync is known before its last event is measured.
				await().until(() -> registry(context).get("kubernetes.informer.handler.queue.time")
					.timers()
					.stream()
					.allMatch((timer) -> timer.count() > 0));
				this.reconciler.run(context, RunOutcome.ERROR, new IllegalStateException());
				consumer.accept(context);
			});
	}

	private static PrometheusMeterRegistry registry(ApplicationContext context) {
		return context.getBean(PrometheusMeterRegistry.class);
	}

	/** Returns the names of the exported metrics, with the names of their labels. */
	private static Map<String, Set<String>> exported(String scrape) {
		Map<String, Set<String>> exported = new TreeMap<>();
		scrape.lines().map(SAMPLE::matcher).filter(Matcher::matches).forEach((sample) -> {
			Set<String> labels = exported.computeIfAbsent(sample.group(1), (name) -> new TreeSet<>());
			Matcher label = LABEL.matcher((sample.group(2) != null) ? sample.group(2) : "");
			while (label.find()) {
				labels.add(label.group(1));
			}
		});
		return exported;
	}

	/** Returns the exported metrics of each meter. */
	private static Map<String, Set<String>> exportedByMeter(PrometheusMeterRegistry registry) {
		Set<String> exported = exported(registry.scrape()).keySet();
		Map<String, Set<String>> byMeter = new TreeMap<>();
		for (Meter meter : registry.getMeters()) {
			Meter.Id id = meter.getId();
			if (METERS.contains(id.getName())) {
				String name = registry.config().namingConvention().name(id.getName(), id.getType(), id.getBaseUnit());
				Set<String> samples = Stream.of("", "_total", "_count", "_sum", "_max")
					.map((suffix) -> name + suffix)
					.filter(exported::contains)
					.collect(Collectors.toSet());
				assertThat(samples).as(id.getName()).isNotEmpty();
				byMeter.put(id.getName(), samples);
			}
		}
		return byMeter;
	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
		}

	}

	static class ShardReader {

		ShardReader(Informers informers) {
			informers.informer(InformerSpec.of(V1Pod.class).withShard(new Shard(ShardKey.UID, 0, 3)));
		}

	}

	@InformerHandler(id = "failingHandler")
	static class FailingHandler {

		@OnAdd
		void added(V1Pod pod) {
			throw new IllegalStateException();
		}

	}

}
