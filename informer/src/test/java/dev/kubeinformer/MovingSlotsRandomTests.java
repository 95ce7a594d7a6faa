package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.shard.ManualShards;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots that move at random while objects change and the server fails. Whenever things
 * are at rest, the cache and the view of each handler (additions less deletions less
 * evictions) must equal the truth, and no handler may ever see an addition of what it
 * has, or a deletion of what it has not.
 * <p>
 * {@code -Dmoving.duration=PT5M} runs longer, {@code -Dmoving.seed} repeats a run.
 */
class MovingSlotsRandomTests {

	private static final Duration DURATION = Duration.parse(System.getProperty("moving.duration", "PT2S"));

	private static final List<String> NAMESPACES = List.of("alpha", "beta", "gamma-one", "delta-4", "omega");

	private static final int NAMES = 12;

	@ParameterizedTest
	@CsvSource({ "UID,AUTO,PROTOBUF,false", "UID,PAGED,JSON,true", "NAMESPACE,PAGED,PROTOBUF,false" })
	void cacheAndHandlersShouldEqualTheTruth(ShardKey key, ListMode mode, WireEncoding encoding, boolean partitions)
			throws Exception {
		long seed = Long.getLong("moving.seed", System.nanoTime());
		try (World world = new World(key, mode, encoding, partitions, seed)) {
			long end = System.nanoTime() + DURATION.toNanos();
			do {
				world.round();
			}
			while (System.nanoTime() - end < 0);
		}
		catch (AssertionError | Exception ex) {
			throw new AssertionError("Seed " + seed, ex);
		}
	}

	private static String nameOf(V1Pod pod) {
		V1ObjectMeta metadata = pod.getMetadata();
		return metadata.getNamespace() + "/" + metadata.getName() + "/" + metadata.getUid();
	}

	private static Map<String, String> versions(Collection<V1Pod> pods) {
		Map<String, String> versions = new TreeMap<>();
		pods.forEach((pod) -> versions.put(nameOf(pod), pod.getMetadata().getResourceVersion()));
		return versions;
	}

	/** Server, shards, informer and what happens to them. */
	private static final class World implements AutoCloseable {

		private final Random random;

		private final EmbeddedKubernetes api;

		private final ApiResources<V1Pod> pods;

		private final ManualShards shards;

		private final Informers informers;

		private final Informer<V1Pod> informer;

		private final List<View> views = new ArrayList<>();

		private final List<String> history = new CopyOnWriteArrayList<>();

		private final Set<Integer> kept = new TreeSet<>();

		World(ShardKey key, ListMode mode, WireEncoding encoding, boolean partitions, long seed) {
			this.random = new Random(seed);
			this.api = EmbeddedKubernetes.builder().protobuf(true).bookmarkInterval(Duration.ofMillis(40)).start();
			this.api.shardedListAndWatch(this.random.nextBoolean());
			this.pods = this.api.resources(V1Pod.class);
			this.shards = new ManualShards(new Slots(key, 4 + this.random.nextInt(12)));
			this.informers = EngineTestSupport.informers(EngineTestSupport.client(this.api.url()),
					(builder) -> builder.listMode(mode)
						.protobuf(encoding == WireEncoding.PROTOBUF)
						.pageSize(this.random.nextBoolean() ? 0 : 7));
			InformerSpec<V1Pod> spec = InformerSpec.of(V1Pod.class).withShards(this.shards);
			this.informer = this.informers.informer(partitions ? spec.withNamespaces(Set.copyOf(NAMESPACES)) : spec);
			for (int concurrency : List.of(1, 3)) {
				View view = new View(this.shards.division(), seed + concurrency, this.history);
				this.views.add(view);
				this.informer.addHandler(view,
						HandlerOptions.defaults()
							.withConcurrency(concurrency)
							.withQueueCapacity((concurrency > 1) ? 3 : 1000)
							.withRetry(RetryBackoff.exponential(50, Duration.ofMillis(5), 1, Duration.ofMillis(5),
									Duration.ZERO)));
			}
			for (int i = 0; i < 30; i++) {
				change();
			}
			this.informers.start();
			if (this.random.nextBoolean()) {
				this.shards.settle();
			}
		}

		void round() throws Exception {
			int steps = 1 + this.random.nextInt(12);
			for (int i = 0; i < steps; i++) {
				step();
			}
			rest();
		}

		private void step() throws Exception {
			int what = this.random.nextInt(100);
			if (what < 45) {
				int changes = 1 + this.random.nextInt(8);
				for (int i = 0; i < changes; i++) {
					change();
				}
			}
			else if (what < 65) {
				gain(some(false));
			}
			else if (what < 85) {
				move(some(true));
			}
			else if (what < 89) {
				this.history.add("drop connections");
				this.api.dropConnections();
			}
			else if (what < 92) {
				this.history.add("compact");
				this.api.compact();
				this.api.dropConnections();
			}
			else if (what < 94) {
				this.history.add("gate");
				this.api.stopServing();
				this.api.shardedListAndWatch(this.random.nextBoolean());
				this.api.resumeServing();
			}
			else if (what < 97) {
				expire();
			}
			else if (what < 98) {
				this.history.add("restart");
				this.informers.stop();
				for (int i = 0; i < 3; i++) {
					change();
				}
				if (this.random.nextBoolean()) {
					move(some(true));
				}
				this.informers.start();
			}
			else {
				Thread.sleep(this.random.nextInt(20));
			}
		}

		private void change() {
			String namespace = NAMESPACES.get(this.random.nextInt(NAMESPACES.size()));
			String name = "p" + this.random.nextInt(NAMES);
			V1Pod present = this.pods.get(namespace, name);
			if (present == null) {
				this.pods.create(EngineTestSupport.pod(namespace, name));
			}
			else if (this.random.nextInt(3) == 0) {
				this.pods.delete(namespace, name);
				if (this.random.nextBoolean()) {
					this.pods.create(EngineTestSupport.pod(namespace, name));
				}
			}
			else {
				this.pods.update(EngineTestSupport.relabelled(EngineTestSupport.pod(namespace, name),
						"v" + this.random.nextInt()));
			}
		}

		private Set<Integer> some(boolean held) {
			Set<Integer> some = new TreeSet<>();
			int share = 1 + this.random.nextInt(4);
			for (int slot = 0; slot < this.shards.division().total(); slot++) {
				if (this.shards.slots().contains(slot) == held && this.random.nextInt(4) < share) {
					some.add(slot);
				}
			}
			return some;
		}

		private void gain(Set<Integer> slots) {
			if (!slots.isEmpty()) {
				this.history.add("gain " + slots);
				this.kept.removeAll(slots);
				this.shards.gain(slots);
			}
		}

		private void move(Set<Integer> slots) {
			if (!slots.isEmpty()) {
				this.history.add("move " + slots);
				assertThat(this.shards.move(slots)).isTrue();
				this.views.forEach((view) -> view.evict(slots));
				this.history.add("moved " + slots);
			}
		}

		private void expire() {
			this.history.add("expire");
			Set<Integer> lost = this.shards.slots();
			this.shards.lose();
			this.kept.addAll(lost);
			for (int i = 0; i < 3; i++) {
				change();
			}
			Set<Integer> again = new TreeSet<>();
			lost.stream().filter((slot) -> this.random.nextBoolean()).forEach(again::add);
			gain(again);
			Set<Integer> taken = new TreeSet<>(this.kept);
			if (!taken.isEmpty()) {
				this.history.add("taken " + taken);
				assertThat(this.shards.taken(taken.toArray(Integer[]::new))).isTrue();
				this.views.forEach((view) -> view.evict(taken));
				this.kept.clear();
			}
		}

		private void rest() {
			if (!this.shards.isSettled()) {
				return;
			}
			Set<Integer> held = this.shards.slots();
			Map<String, String> truth = versions(
					this.pods.list().stream().filter((pod) -> held.contains(this.shards.slotOf(pod))).toList());
			await().untilAsserted(() -> {
				assertThat(this.informer.hasSynced()).isTrue();
				assertThat(this.informer.status().sharding().listed()).isEqualTo(held);
				assertThat(versions(this.informer.lister().list())).isEqualTo(truth);
				for (View view : this.views) {
					assertThat(view.problems).isEmpty();
					assertThat(view.versions()).isEqualTo(truth);
				}
			});
			this.history.clear();
		}

		@Override
		public void close() {
			this.informers.close();
			this.api.close();
		}

	}

	/** What a handler believes to exist. */
	private static final class View implements EventHandler<V1Pod> {

		private final Slots division;

		private final Random random;

		private final List<String> history;

		private final Map<String, V1Pod> objects = new HashMap<>();

		private final Set<String> failed = new HashSet<>();

		private final List<String> problems = new CopyOnWriteArrayList<>();

		View(Slots division, long seed, List<String> history) {
			this.division = division;
			this.random = new Random(seed);
			this.history = history;
		}

		@Override
		public synchronized void handle(ResourceEvent<V1Pod> event) {
			String name = nameOf(event.object());
			if (this.random.nextInt(20) == 0) {
				this.failed.add(name);
				throw new IllegalStateException("The handler fails at times");
			}
			V1Pod before = this.objects.get(name);
			boolean known = before != null;
			// Its addition may have failed, and then been merged with the deletion.
			boolean deleted = event.type() == ResourceEvent.Type.DELETE && this.failed.contains(name);
			if (known == (event.type() == ResourceEvent.Type.ADD) && !deleted) {
				problem(event, known ? "is known already" : "is not known");
			}
			if (before != null && Long.parseLong(before.getMetadata().getResourceVersion()) > Long
				.parseLong(event.object().getMetadata().getResourceVersion())) {
				problem(event, "is older than " + before.getMetadata().getResourceVersion());
			}
			if (event.type() == ResourceEvent.Type.DELETE) {
				this.objects.remove(name);
			}
			else {
				this.objects.put(name, event.object());
			}
		}

		private void problem(ResourceEvent<V1Pod> event, String what) {
			this.problems.add("%s of %s in slot %d at %s initial=%s %s; before: %s".formatted(event.type(),
					nameOf(event.object()),
					this.division.slotOf(event.object().getMetadata().getNamespace(),
							event.object().getMetadata().getUid()),
					event.object().getMetadata().getResourceVersion(), event.initial(), what,
					List.copyOf(this.history)));
		}

		synchronized void evict(Set<Integer> slots) {
			this.objects.values()
				.removeIf((pod) -> slots
					.contains(this.division.slotOf(pod.getMetadata().getNamespace(), pod.getMetadata().getUid())));
		}

		synchronized Map<String, String> versions() {
			return MovingSlotsRandomTests.versions(this.objects.values());
		}

	}

}
