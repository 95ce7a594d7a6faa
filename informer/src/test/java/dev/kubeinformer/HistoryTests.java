package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.FaultProxy;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Random histories of a cluster, seen through a network and a server that fail at random.
 * Whatever happens, at rest every handler has received what the server holds, and
 * received it in order: the versions of an object only grow, it is added first, after a
 * deletion added again, and updated from the state that was delivered last to another
 * one. That objects leave the selection, that the namespace comes and goes, and that
 * handlers fail and are tried again, changes none of it; nor does it that an informer has
 * a shard only, whether the server limits lists and watches to it, does not, or does at
 * times. A failure names the seed that gives it again: {@code -Dhistory.seed=…}.
 */
class HistoryTests {

	private static final Logger figures = (Logger) LoggerFactory.getLogger("figures");

	private static final int HISTORIES = Boolean.getBoolean("tests.thorough") ? 1000 : 100;

	private static final int STEPS = 25;

	private final Logger failures = (Logger) LoggerFactory.getLogger(EventHandler.class);

	@BeforeEach
	void failSilently() {
		this.failures.setLevel(Level.OFF);
	}

	@AfterEach
	void failAloud() {
		this.failures.setLevel(null);
	}

	@Test
	@Timeout(value = 15, unit = TimeUnit.MINUTES)
	void everyHandlerEndsWithWhatTheServerHolds() {
		Long only = Long.getLong("history.seed");
		if (only != null) {
			run(only);
			return;
		}
		long first = System.nanoTime();
		for (int i = 0; i < Integer.getInteger("history.count", HISTORIES); i++) {
			run(first + i);
		}
	}

	@Test
	@EnabledIfSystemProperty(named = "soak", matches = "P.+",
			disabledReason = "Soaks only when asked to, such as by -Dsoak=PT1H")
	void soak() {
		Instant end = Instant.now().plus(Duration.parse(System.getProperty("soak")));
		long first = System.nanoTime();
		long seed = first;
		for (; Instant.now().isBefore(end); seed++) {
			run(seed);
		}
		figures.info("{} random histories in {}", seed - first, System.getProperty("soak"));
	}

	private static void run(long seed) {
		try (History history = new History(new Random(seed))) {
			history.play();
			history.settle();
		}
		catch (RuntimeException | AssertionError ex) {
			throw new AssertionError(
					"The history of seed %d failed; run it again with -Dhistory.seed=%d".formatted(seed, seed), ex);
		}
	}

	/**
	 * One history.
	 */
	private static final class History implements AutoCloseable {

		private final Random random;

		private final EmbeddedKubernetes api;

		private final FaultProxy network;

		private final ApiResources<V1Pod> pods;

		private final Informers informers;

		private final Informer<V1Pod> informer;

		private final List<Witness> witnesses = new ArrayList<>();

		private final List<String> steps = new ArrayList<>();

		private final @Nullable Shard shard;

		private boolean serving = true;

		History(Random random) {
			this.random = random;
			boolean unfiltered = random.nextBoolean();
			this.api = EmbeddedKubernetes.builder()
				.bookmarkInterval(Duration.ofMillis(20))
				.unfilteredWatches(unfiltered)
				.start();
			this.network = FaultProxy.to("127.0.0.1", this.api.port());
			this.pods = this.api.resources(V1Pod.class);
			ShardKey key = (random.nextInt(4) > 0) ? ShardKey.UID : ShardKey.NAMESPACE;
			this.shard = random.nextBoolean() ? new Shard(key, random.nextInt(2), 2) : null;
			ListMode mode = random.nextBoolean() ? ListMode.AUTO : ListMode.PAGED;
			int pageSize = random.nextBoolean() ? 2 : 0;
			ApiClient client = EngineTestSupport.client("http://127.0.0.1:" + this.network.port());
			this.informers = EngineTestSupport.informers(client,
					(builder) -> builder.listMode(mode).pageSize(pageSize).idleTimeout(Duration.ofMillis(500)));
			this.informer = this.informers.informer(InformerSpec.of(V1Pod.class)
				.withNamespaces("blog", "other")
				.withLabelSelector("app!=hidden")
				.withShard(this.shard));
			addWitness();
			this.steps.add("mode " + mode + ", pages of " + pageSize + ", shard " + this.shard
					+ ((unfiltered) ? " of lists only" : ""));
		}

		void play() {
			this.informers.start();
			for (int i = 0; i < STEPS; i++) {
				step();
			}
		}

		private void step() {
			if (this.shard != null && this.random.nextInt(4) == 0) {
				boolean gate = this.random.nextBoolean();
				did("shards by the server " + gate);
				this.api.shardedListAndWatch(gate);
			}
			String name = "p" + this.random.nextInt(5);
			boolean exists = this.pods.get("blog", name) != null;
			switch (this.random.nextInt(20)) {
				case 0, 1, 2, 3, 4, 5 -> write(name, exists);
				case 6 -> {
					if (exists) {
						did("recreate " + name);
						this.pods.delete("blog", name);
						this.pods.create(EngineTestSupport.pod("blog", name));
					}
				}
				case 7 -> {
					did("compact");
					this.api.compact();
				}
				case 8 -> {
					did("drop connections");
					this.api.dropConnections();
				}
				case 9 -> {
					did("cut or restore the network");
					if (this.random.nextBoolean()) {
						this.network.cut();
					}
					else {
						this.network.restore();
					}
				}
				case 10 -> {
					did(this.serving ? "stop serving" : "resume serving");
					if (this.serving) {
						this.api.stopServing();
					}
					else {
						this.api.resumeServing();
					}
					this.serving = !this.serving;
				}
				case 11 -> {
					if (this.serving) {
						did("restart the server");
						this.api.restart();
					}
				}
				case 12 -> {
					did("fail once or cut a watch");
					if (this.random.nextBoolean()) {
						this.api.faults()
							.on(Requests.of("pods"))
							.times(1)
							.status(List.of(429, 500, 503, 410).get(this.random.nextInt(4)));
					}
					else {
						this.api.faults().on(Requests.watch("pods")).times(1).cutAfter(1 + this.random.nextInt(3));
					}
				}
				case 13 -> {
					if (this.witnesses.size() < 4) {
						did("add a handler");
						addWitness();
					}
				}
				case 14 -> {
					did("stop and start the informers");
					this.informers.stop();
					this.informers.start();
				}
				case 15, 16 -> moveNamespace();
				case 17, 18 -> {
					did("hold handlers back or let them go on");
					this.informer.handlers().forEach((handler) -> {
						if (this.random.nextInt(3) > 0) {
							handler.pause();
						}
						else {
							handler.resume();
						}
					});
				}
				default -> {
					did("wait for the watch to catch up");
					if (this.serving) {
						this.network.restore();
						settled();
					}
				}
			}
		}

		private void write(String name, boolean exists) {
			if (!exists) {
				did("create " + name);
				this.pods.create(EngineTestSupport.pod("blog", name));
			}
			else if (this.random.nextInt(3) == 0) {
				did("delete " + name);
				this.pods.delete("blog", name);
			}
			else {
				String label = (this.random.nextInt(3) == 0) ? "hidden" : "v" + this.random.nextInt(1000);
				did("update " + name + " to " + label);
				this.pods.update(EngineTestSupport.relabelled(EngineTestSupport.pod("blog", name), label));
			}
		}

		private void moveNamespace() {
			if (!this.informer.namespaces().contains("blog")) {
				did("add the namespace");
				this.informer.addNamespace("blog");
			}
			else {
				did("remove the namespace");
				this.informer.removeNamespace("blog");
				if (this.random.nextBoolean()) {
					did("add the namespace at once");
					this.informer.addNamespace("blog");
				}
			}
		}

		private void addWitness() {
			double failures = List.of(0.0, 0.2, 0.7).get(this.random.nextInt(3));
			Witness witness = new Witness((this.random.nextInt(3) != 0) ? 0 : 2, failures);
			this.witnesses.add(witness);
			int maxRetries = this.random.nextBoolean() ? this.random.nextInt(4) : Integer.MAX_VALUE;
			this.informer.addHandler(witness,
					HandlerOptions.defaults()
						.withConcurrency(1 + this.random.nextInt(4))
						.withQueueCapacity(this.random.nextBoolean() ? 1 + this.random.nextInt(3) : 10_000)
						.withRetry(RetryBackoff.exponential(maxRetries, Duration.ofMillis(1), 2, Duration.ofMillis(10),
								Duration.ofMillis(1)))
						.withExhausted(witness::exhausted));
		}

		private void did(String step) {
			this.steps.add(step);
		}

		void settle() {
			this.api.faults().clear();
			if (!this.serving) {
				this.api.resumeServing();
			}
			this.network.restore();
			this.informer.addNamespace("blog");
			settled();
		}

		private void settled() {
			this.informer.handlers().forEach(HandlerRegistration::resume);
			await().alias(String.join("; ", this.steps)).pollInterval(Duration.ofMillis(2)).untilAsserted(() -> {
				Map<String, String> server = versions(selected());
				assertThat(versions(this.informer.lister().list())).isEqualTo(server);
				for (Witness witness : this.witnesses) {
					assertThat(witness.wrong).isEmpty();
					assertThat(new TreeMap<>(witness.state)).isEqualTo(server);
				}
			});
		}

		private List<V1Pod> selected() {
			return this.informer.namespaces().contains("blog") ? this.pods.list()
				.stream()
				.filter((pod) -> !"hidden".equals(pod.getMetadata().getLabels().get("app")))
				.filter((pod) -> this.shard == null
						|| this.shard.contains(pod.getMetadata().getNamespace(), pod.getMetadata().getUid()))
				.toList() : List.of();
		}

		private static Map<String, String> versions(List<V1Pod> pods) {
			return pods.stream()
				.collect(Collectors.toMap((pod) -> pod.getMetadata().getName(),
						(pod) -> pod.getMetadata().getResourceVersion(), (a, b) -> b, TreeMap::new));
		}

		@Override
		public void close() {
			this.informers.close();
			this.network.close();
			this.api.close();
		}

	}

	/**
	 * A handler that fails at random, keeps the state that it handled or gave up, and
	 * notes what should not have been delivered to it.
	 */
	private static final class Witness implements EventHandler<V1Pod> {

		private final Map<String, String> state = new ConcurrentHashMap<>();

		private final Map<String, String> newest = new ConcurrentHashMap<>();

		/** The last event that failed and was not given up, by name. */
		private final Map<String, ResourceEvent<?>> failed = new ConcurrentHashMap<>();

		private final Set<String> running = ConcurrentHashMap.newKeySet();

		private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());

		private final Random random = new Random();

		private final int slowness;

		private final double failures;

		Witness(int slowness, double failures) {
			this.slowness = slowness;
			this.failures = failures;
		}

		@Override
		public void handle(ResourceEvent<V1Pod> event) {
			String name = event.object().getMetadata().getName();
			if (!this.running.add(name)) {
				this.wrong.add("%s of %s while another is handled".formatted(event.type(), name));
			}
			try {
				handle(event, name, event.object().getMetadata().getResourceVersion());
			}
			finally {
				this.running.remove(name);
			}
		}

		private void handle(ResourceEvent<V1Pod> event, String name, String version) {
			for (int i = 0; i < this.slowness * 1000; i++) {
				Thread.onSpinWait();
			}
			String last = this.newest.put(name, version);
			if (last != null && ResourceVersions.isOlder(version, last)) {
				this.wrong.add("%s of %s@%s after %s".formatted(event.type(), name, version, last));
			}
			String before = this.state.get(name);
			ResourceEvent<?> tried = this.failed.get(name);
			boolean expected = switch (event.type()) {
				case ADD -> before == null;
				case UPDATE -> event.oldObject().getMetadata().getResourceVersion().equals(before)
						&& (event.resync() || !version.equals(before));
				case DELETE -> before != null || tried != null;
			};
			boolean deletionLost = tried != null && tried.type() == ResourceEvent.Type.DELETE
					&& event.type() != ResourceEvent.Type.DELETE;
			if (!expected || deletionLost) {
				this.wrong.add("%s of %s@%s when it was %s and failed was %s".formatted(event.type(), name, version,
						before, (tried != null) ? tried.type() : "nothing"));
			}
			if (this.random.nextDouble() < this.failures) {
				this.failed.put(name, event);
				throw new IllegalStateException("at random");
			}
			apply(event);
		}

		void exhausted(ResourceEvent<?> event, Throwable cause) {
			apply(event);
		}

		private void apply(ResourceEvent<?> event) {
			String name = event.object().getMetadata().getName();
			this.failed.remove(name);
			if (event.type() == ResourceEvent.Type.DELETE) {
				this.state.remove(name);
			}
			else {
				this.state.put(name, event.object().getMetadata().getResourceVersion());
			}
		}

	}

}
