package dev.kubeinformer.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import okhttp3.Protocol;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.FastInformers;
import dev.kubeinformer.Informers;
import dev.kubeinformer.chaos.ChaosCluster.Kind;
import dev.kubeinformer.chaos.Temper.Brake;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ListMode;

import static org.awaitility.Awaitility.await;

/**
 * Informers of all kinds on a real cluster, behind a network with all kinds of faults,
 * while objects change all the time. After every few faults everything rests. Then the
 * list of the server, the Lister and the model that each handler has made from its events
 * are equal, no handler has received an event that does not follow the last one, and the
 * numbers of threads and connections are those of the beginning.
 * <p>
 * Replicas of an application with reconcilers and a leader run at the same time. Each
 * parent has one child of each kind, two replicas never lead and two runs of a key never
 * overlap, and the heap does not grow.
 * <p>
 * {@code -Dchaos.duration=PT10M} sets the duration; {@code -Dchaos.seed=…} repeats the
 * faults of a failed run in their order.
 */
@Tag("slow")
@RequiresCluster(properties = { ClusterSupport.ETCD, ClusterSupport.RESTART })
class ChaosClusterTests {

	private static final Logger figures = LoggerFactory.getLogger("figures");

	private static final Duration DURATION = Duration.ofMinutes(2);

	private static final int FAULTS_BETWEEN_RESTS = 6;

	/** So deep is a read of a connection below what the engine does. */
	private static final int FRAMES = 40;

	/**
	 * A request on a dead connection of HTTP/1.1 is given up after little more than a
	 * minute, and there may be two of them.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(200);

	/**
	 * Longer than any patience: a watch has to be noticed to be dead by something else.
	 */
	private static final Duration LONG_IDLE = Duration.ofMinutes(10);

	/**
	 * Wait for informers with production settings, in which an informer that failed often
	 * waits up to half a minute.
	 */
	private static final Duration PATIENCE_AS_SHIPPED = Duration.ofSeconds(300);

	private final Duration duration = setting("chaos.duration").isEmpty() ? DURATION
			: Duration.parse(setting("chaos.duration"));

	private final long seed = setting("chaos.seed").isEmpty() ? System.nanoTime()
			: Long.parseLong(setting("chaos.seed"));

	private final Random random = new Random(this.seed);

	private final Brake brake = new Brake();

	private final List<String> faults = new ArrayList<>();

	private final ch.qos.logback.classic.Logger failures = (ch.qos.logback.classic.Logger) LoggerFactory
		.getLogger(EventHandler.class);

	private final long begin = System.nanoTime();

	private final Heap heap = new Heap();

	private String difference = "";

	private int rests;

	private Duration longestRest = Duration.ZERO;

	private static String setting(String name) {
		return System.getProperty(name, "").strip();
	}

	@BeforeEach
	void failSilently() {
		this.failures.setLevel(Level.OFF);
	}

	@AfterEach
	void failAloud() {
		this.failures.setLevel(null);
	}

	@Test
	@Timeout(value = 24, unit = TimeUnit.MINUTES)
	void atEachRestServerListerAndEveryHandlerAgree(Path kubeconfig) throws Exception {
		figures.info("Chaos of seed {} for {}", this.seed, this.duration);
		try (ChaosCluster cluster = new ChaosCluster(ClusterSupport.client(kubeconfig));
				ChaosWriter writer = new ChaosWriter(cluster, new Random(this.seed), Duration.ofMillis(20));
				FaultProxy network = ClusterSupport.network(kubeconfig);
				Cohort streaming = streaming(pinging(ClusterSupport.proxied(kubeconfig, network)));
				Cohort paged = paged(pinging(ClusterSupport.proxied(kubeconfig, network)), cluster.namespaces());
				Cohort http1 = http1(ClusterSupport.proxied(kubeconfig, network));
				Cohort shipped = shipped(ClusterSupport.proxied(kubeconfig, network));
				Application application = new Application(kubeconfig, ChaosClusterTests::pinging)) {
			List<Cohort> quick = List.of(streaming, paged, http1);
			List<Cohort> all = List.of(streaming, paged, http1, shipped);
			ChaosSchedule schedule = new ChaosSchedule(this.random, network, application, quick,
					paged.stations().get(0), cluster.namespaces());
			try {
				all.forEach(Cohort::start);
				application.start();
				rest(cluster, all, application, PATIENCE);
				Levels first = Levels.of(network, all, application);
				while (System.nanoTime() - this.begin < this.duration.toNanos()) {
					writer.resume();
					for (int i = 0; i < FAULTS_BETWEEN_RESTS; i++) {
						did(schedule.next());
						check(all, application);
					}
					writer.pause();
					if (this.random.nextBoolean()) {
						did("DROP for a rest");
						network.dropConnections();
						application.replicas().forEach((replica) -> replica.network().dropConnections());
					}
					rest(cluster, quick, application, PATIENCE);
					quick.forEach((cohort) -> cohort.stations().forEach(Station::removeAllLate));
					first.awaitAgain(network, all, application);
					this.heap.measure();
				}
				rest(cluster, all, application, PATIENCE_AS_SHIPPED);
				first.awaitAgain(network, all, application);
				this.heap.isFlat();
			}
			catch (AssertionError | ConditionTimeoutException ex) {
				throw new AssertionError(report(ex.getMessage()), ex);
			}
			report(schedule, writer, all, application);
		}
	}

	/**
	 * Makes a dead connection of HTTP/2 be noticed sooner, so that there are more rests.
	 */
	private static ApiClient pinging(ApiClient client) {
		return client.setHttpClient(client.getHttpClient().newBuilder().pingInterval(Duration.ofSeconds(4)).build());
	}

	private Cohort streaming(ApiClient client) {
		Cohort cohort = new Cohort("streaming", client,
				FastInformers.builder(client).listMode(ListMode.AUTO).idleTimeout(LONG_IDLE).build());
		cohort.all("all", Kind.CONFIG_MAPS, InformerSpec.of(V1ConfigMap.class))
			.with("fast", Temper.fast(), options())
			.with("slow", Temper.slow(Duration.ofMillis(5)), options())
			.with("concurrent", Temper.slow(Duration.ofMillis(30)), options().withConcurrency(4))
			.with("merging", Temper.slow(Duration.ofMillis(50)), options().withQueueCapacity(4));
		cohort.selected("selected", Kind.CONFIG_MAPS, InformerSpec.of(V1ConfigMap.class))
			.with("fast", Temper.fast(), options())
			.with("merging", Temper.slow(Duration.ofMillis(50)), options().withQueueCapacity(2))
			.with("throwing", throwing(), options().withRetry(retry()));
		return cohort;
	}

	private Cohort paged(ApiClient client, List<String> namespaces) {
		Cohort cohort = new Cohort("paged", client,
				FastInformers.builder(client).listMode(ListMode.PAGED).pageSize(10).build());
		cohort
			.inNamespaces("namespaces", Kind.CONFIG_MAPS,
					InformerSpec.of(V1ConfigMap.class).withNamespaces(namespaces.subList(0, 2)))
			.with("fast", Temper.fast(), options())
			.with("merging", Temper.slow(Duration.ofMillis(50)), options().withQueueCapacity(2))
			.with("blocking", blocking(), options().withQueueCapacity(2));
		cohort.transformed("transformed", Kind.CONFIG_MAPS, InformerSpec.of(V1ConfigMap.class))
			.with("fast", Temper.fast(), options())
			.with("concurrent", throwing(), options().withConcurrency(3).withRetry(retry()))
			.with("merging", Temper.slow(Duration.ofMillis(50)), options().withQueueCapacity(2));
		cohort.all("events", Kind.EVENTS, InformerSpec.of(CoreV1Event.class))
			.with("fast", Temper.fast(), options())
			.with("blocking", blocking(), options());
		return cohort;
	}

	private Cohort http1(ApiClient client) {
		client.setHttpClient(client.getHttpClient().newBuilder().protocols(List.of(Protocol.HTTP_1_1)).build());
		Cohort cohort = new Cohort("http1", client,
				FastInformers.builder(client)
					.listMode(ListMode.AUTO)
					.protobuf(false)
					.idleTimeout(Duration.ofSeconds(10))
					.build());
		cohort.all("gadgets", Kind.GADGETS, InformerSpec.of(Gadget.class))
			.with("fast", Temper.fast(), options())
			.with("throwing", throwing(), options().withRetry(retry()).withQueueCapacity(2))
			.with("resync", Temper.fast(), options().withResync(Duration.ofSeconds(3)));
		cohort.selected("selected", Kind.CONFIG_MAPS, InformerSpec.of(V1ConfigMap.class))
			.with("fast", Temper.fast(), options())
			.with("blocking", blocking(), options().withConcurrency(2).withQueueCapacity(2));
		return cohort;
	}

	/** With the durations of the protocol that applications have. */
	private Cohort shipped(ApiClient client) {
		Cohort cohort = new Cohort("shipped", client, Informers.builder(client).build());
		cohort.selected("selected", Kind.CONFIG_MAPS, InformerSpec.of(V1ConfigMap.class))
			.with("fast", Temper.fast(), options())
			.with("merging", Temper.slow(Duration.ofMillis(50)), options().withQueueCapacity(2));
		cohort.all("gadgets", Kind.GADGETS, InformerSpec.of(Gadget.class)).with("fast", Temper.fast(), options());
		return cohort;
	}

	private static HandlerOptions options() {
		return HandlerOptions.defaults().withDrainTimeout(Duration.ofSeconds(2));
	}

	private static RetryBackoff retry() {
		return RetryBackoff.exponential(3, Duration.ofMillis(10), 3, Duration.ofMillis(200), Duration.ofMillis(5));
	}

	private Temper throwing() {
		return Temper.throwing(new Random(this.seed), 0.3);
	}

	private Temper blocking() {
		return Temper.blocking(this.brake, new Random(this.seed), 50, Duration.ofSeconds(3));
	}

	private void did(String fault) {
		this.faults.add(LocalTime.now().truncatedTo(ChronoUnit.MILLIS) + " " + fault);
	}

	private static void check(List<Cohort> cohorts, Application application) {
		if (!application.wrong().isEmpty()) {
			throw new AssertionError(String.join("\n", application.wrong()));
		}
		for (Cohort cohort : cohorts) {
			for (Station<?> station : cohort.stations()) {
				List<String> wrong = station.wrong();
				if (!wrong.isEmpty()) {
					throw new AssertionError(wrong.get(0));
				}
			}
		}
	}

	private void rest(ChaosCluster cluster, List<Cohort> cohorts, Application application, Duration patience) {
		long start = System.nanoTime();
		this.brake.release();
		try {
			await().atMost(patience).pollInterval(Duration.ofMillis(250)).until(() -> {
				this.difference = difference(cluster, cohorts, application);
				return this.difference.isEmpty();
			});
		}
		catch (ConditionTimeoutException ex) {
			throw new AssertionError("After %s of rest: %s\n%s".formatted(patience, this.difference, reflectors()), ex);
		}
		check(cohorts, application);
		this.brake.apply();
		this.rests++;
		Duration length = Duration.ofNanos(System.nanoTime() - start);
		if (length.compareTo(this.longestRest) > 0) {
			this.longestRest = length;
		}
		did("rested for " + length.toMillis() + " ms");
	}

	private static String difference(ChaosCluster cluster, List<Cohort> cohorts, Application application) {
		Map<Kind, List<DynamicKubernetesObject>> server = new EnumMap<>(Kind.class);
		try {
			String difference = application.difference(cluster);
			if (!difference.isEmpty()) {
				return difference;
			}
			for (Kind kind : Kind.values()) {
				server.put(kind, cluster.list(kind));
			}
		}
		catch (IllegalStateException ex) {
			return "The server cannot be read: " + ex;
		}
		return cohorts.stream()
			.flatMap((cohort) -> cohort.stations().stream())
			.map((station) -> station.difference(server.get(station.kind())))
			.filter((difference) -> !difference.isEmpty())
			.findFirst()
			.orElse("");
	}

	/** Describes the waits of the reflectors. */
	private static String reflectors() {
		StringBuilder text = new StringBuilder();
		Thread.getAllStackTraces().forEach((thread, frames) -> {
			if (thread.getName().startsWith("informer-") && thread.getName().endsWith("-reflector")) {
				text.append(thread.getName()).append('\n');
				Stream.of(frames).limit(FRAMES).forEach((frame) -> text.append("\tat ").append(frame).append('\n'));
			}
		});
		return text.toString();
	}

	private String report(String failure) {
		return """
				The chaos of seed %d failed after %d s; -Dchaos.seed=%d repeats the order of its faults.
				%s
				The faults before, each with the time of its end:
				%s
				""".formatted(this.seed, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.begin), this.seed,
				failure, String.join("\n", this.faults));
	}

	private void report(ChaosSchedule schedule, ChaosWriter writer, List<Cohort> cohorts, Application application) {
		long events = cohorts.stream().flatMap((cohort) -> cohort.stations().stream()).mapToLong(Station::events).sum();
		long lists = cohorts.stream()
			.flatMap((cohort) -> cohort.stations().stream())
			.mapToLong((station) -> station.informer().status().lists().total())
			.sum();
		figures.info(
				"Chaos of seed {}: {} writes ({} failed), {} events delivered, {} lists, {}, {} rests, longest {} s, {}, {}",
				this.seed, writer.writes(), writer.failures(), events, lists, application, this.rests,
				this.longestRest.toSeconds(), this.heap, schedule.done());
	}

}
