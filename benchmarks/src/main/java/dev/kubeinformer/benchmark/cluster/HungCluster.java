package dev.kubeinformer.benchmark.cluster;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import dev.kubeinformer.benchmark.compare.MarkdownTable;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;

/**
 * Measures the effect of a second cluster that accepts connections but never responds: on
 * the start, the readiness and the events of the first cluster; and how soon its removal
 * frees its resources. Argument: the number of runs.
 */
public final class HungCluster implements AutoCloseable {

	static final String NAME = "far";

	private static final int PODS = 100;

	private static final int EVENTS = 20;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final EmbeddedKubernetes first = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final EmbeddedKubernetes second = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final FaultProxy network = FaultProxy.to("127.0.0.1", this.second.port());

	private int created;

	HungCluster() {
		this.first.resources(V1Pod.class).fill(PODS, HungCluster::pod);
		this.second.resources(V1Pod.class).fill(PODS, HungCluster::pod);
	}

	/**
	 * Runs the measurement.
	 * @param args the number of runs
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String[] args) throws InterruptedException {
		int runs = (args.length > 0) ? Integer.parseInt(args[0]) : 20;
		List<Sample> alone = new ArrayList<>();
		List<Sample> disturbed = new ArrayList<>();
		List<Duration> removals = new ArrayList<>();
		try (HungCluster hung = new HungCluster()) {
			hung.measure(false);
			hung.measure(true);
			for (int i = 0; i < runs; i++) {
				alone.add(hung.measure(false));
				disturbed.add(hung.measure(true));
			}
			for (int i = 0; i < Math.min(runs, 5); i++) {
				removals.add(hung.measureRemoval());
			}
		}
		System.out.println(MarkdownTable.format(List.of(List.of("median of " + runs, "alone", "with a hung cluster"),
				line("start", alone, disturbed, Sample::start), line("ready", alone, disturbed, Sample::ready),
				line("event", alone, disturbed, Sample::event))));
		System.out.println("Removal until threads, connections and cache are gone: at most "
				+ text(removals.stream().max(Duration::compareTo).orElseThrow()));
		System.exit(0);
	}

	private static List<String> line(String name, List<Sample> alone, List<Sample> disturbed,
			Function<Sample, Duration> figure) {
		return List.of(name, text(median(alone.stream().map(figure).toList())),
				text(median(disturbed.stream().map(figure).toList())));
	}

	private static Duration median(List<Duration> figures) {
		return figures.stream().sorted().skip(figures.size() / 2).findFirst().orElseThrow();
	}

	private static String text(Duration duration) {
		return "%.1f ms".formatted(duration.toNanos() / 1e6);
	}

	/**
	 * Starts the application and lets it process events.
	 * @param hung whether the second cluster exists
	 * @return the times
	 * @throws InterruptedException if interrupted
	 */
	Sample measure(boolean hung) throws InterruptedException {
		this.network.hang();
		long begin = System.nanoTime();
		try (ConfigurableApplicationContext context = run(
				hung ? List.of("--kubernetes.clusters.%s.url=%s".formatted(NAME, secondUrl())) : List.of())) {
			Duration start = since(begin);
			HealthEndpoint health = context.getBean(HealthEndpoint.class);
			await("readiness",
					() -> Objects.requireNonNull(health.healthForPath("readiness")).getStatus().equals(Status.UP));
			Duration ready = since(begin);
			return new Sample(start, ready, events(context.getBean(ClustersApplication.Pods.class)));
		}
		finally {
			this.network.dropConnections();
		}
	}

	private Duration events(ClustersApplication.Pods pods) throws InterruptedException {
		List<Duration> latencies = new ArrayList<>();
		for (int i = 0; i < EVENTS; i++) {
			V1Pod pod = pod(PODS + this.created++);
			long begin = System.nanoTime();
			this.first.resources(V1Pod.class).create(pod);
			ClustersApplication.Seen seen = pods.live.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
			if (seen == null) {
				throw new IllegalStateException("No event within " + LIMIT);
			}
			latencies.add(Duration.ofNanos(seen.nanos() - begin));
			this.first.resources(V1Pod.class)
				.delete("default", Objects.requireNonNull(Objects.requireNonNull(pod.getMetadata()).getName()));
		}
		return median(latencies);
	}

	/**
	 * Adds a cluster, makes it hang once its cache is filled, and removes it.
	 * @return the time until all of its resources were freed
	 * @throws InterruptedException if interrupted
	 */
	Duration measureRemoval() throws InterruptedException {
		try (FaultProxy connections = FaultProxy.to("127.0.0.1", this.second.port());
				ConfigurableApplicationContext context = run(List.of())) {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			ApiClient client = new ApiClient();
			client.setBasePath("http://127.0.0.1:" + connections.port());
			clusters.add(NAME, client);
			ClustersApplication.Reader reader = context.getBean(ClustersApplication.Reader.class);
			await("cache", () -> reader.listers().get(NAME).list().size() == PODS);
			WeakReference<V1Pod> cached = new WeakReference<>(reader.listers().get(NAME).list().get(0));
			connections.swallow();
			long begin = System.nanoTime();
			clusters.remove(NAME);
			// The owner of the client must close the idle connections of its pool.
			client.getHttpClient().connectionPool().evictAll();
			await("end of connections", () -> connections.connections() == 0);
			await("end of threads",
					() -> Thread.getAllStackTraces().keySet().stream().noneMatch(HungCluster::isOfTheCluster));
			await("free cache", () -> {
				System.gc();
				return cached.get() == null;
			});
			return since(begin);
		}
	}

	private static boolean isOfTheCluster(Thread thread) {
		return thread.getName().startsWith("informer") && thread.getName().contains(NAME);
	}

	private ConfigurableApplicationContext run(List<String> more) {
		List<String> arguments = new ArrayList<>(more);
		arguments.addAll(List.of("--spring.main.banner-mode=off", "--spring.jmx.enabled=false",
				"--logging.level.root=error", "--management.endpoint.health.probes.enabled=true",
				"--management.endpoint.health.group.readiness.include=readinessState,informers",
				"--kubernetes.client.url=" + this.first.url()));
		SpringApplication application = new SpringApplication(ClustersApplication.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		return application.run(arguments.toArray(String[]::new));
	}

	private String secondUrl() {
		return "http://127.0.0.1:" + this.network.port();
	}

	private static V1Pod pod(int number) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name("pod-" + number).labels(Map.of()));
	}

	private static Duration since(long begin) {
		return Duration.ofNanos(System.nanoTime() - begin);
	}

	private static void await(String what, BooleanSupplier condition) throws InterruptedException {
		long begin = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (since(begin).compareTo(LIMIT) > 0) {
				throw new IllegalStateException("No %s within %s".formatted(what, LIMIT));
			}
			Thread.sleep(1);
		}
	}

	@Override
	public void close() {
		this.network.close();
		this.second.close();
		this.first.close();
	}

	/**
	 * Times of one application.
	 *
	 * @param start the time until it was started
	 * @param ready the time until it was ready
	 * @param event the median time from the creation of an object until its handler was
	 * called
	 */
	record Sample(Duration start, Duration ready, Duration event) {

	}

}
