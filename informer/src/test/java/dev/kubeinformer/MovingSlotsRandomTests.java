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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
import dev.kubeinformer.test.Faults;
import dev.kubeinformer.test.RecordedRequest;
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

	private static Set<String> differences(Map<String, String> truth, Map<String, String> seen) {
		Set<String> differences = new TreeSet<>();
		truth.forEach((name, version) -> {
			if (!version.equals(seen.get(name))) {
				differences.add("%s is %s and not %s".formatted(name, version, seen.get(name)));
			}
		});
		seen.forEach((name, version) -> {
			if (!truth.containsKey(name)) {
				differences.add("%s at %s does not exist".formatted(name, version));
			}
		});
		return differences;
	}

	private static Map<String, String> versions(Collection<V1Pod> pods) {
		Map<String, String> versions = new TreeMap<>();
		pods.forEach((pod) -> versions.put(nameOf(pod), pod.getMetadata().getResourceVersion()));
		return versions;
	}

	/** Server, shards, informer and what happens to them. */
	private static final class World implements AutoCloseable {

		private final Random random;

		/** Source of the changes by a thread of their own. */
		private final Random concurrent;

		private volatile boolean changing;

		private final EmbeddedKubernetes api;

		private final ApiResources<V1Pod> pods;

		private final ManualShards shards;

		private final Informers informers;

		private final Informer<V1Pod> informer;

		private final List<View> views = new ArrayList<>();

		private final List<String> history = new CopyOnWriteArrayList<>();

		private final Set<Integer> kept = new TreeSet<>();

		private final Semaphore delivered = new Semaphore(0);

		World(ShardKey key, ListMode mode, WireEncoding encoding, boolean partitions, long seed) {
			this.random = new Random(seed);
			this.concurrent = new Random(seed + 7);
			this.api = EmbeddedKubernetes.builder()
				.protobuf(true)
				.bookmarkInterval(Duration.ofMillis(this.random.nextBoolean() ? 40 : 400))
				.start();
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
				View view = new View(this.shards.division(), seed + concurrency, this.history, this.delivered);
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
			Thread changer = new Thread(this::changeUntilRest, "changer");
			this.changing = true;
			changer.start();
			try {
				int steps = 1 + this.random.nextInt(12);
				for (int i = 0; i < steps; i++) {
					step();
				}
			}
			finally {
				this.changing = false;
				changer.join();
			}
			rest();
		}

		// Changes while slots move, so that lists, watches and events overlap.
		private void changeUntilRest() {
			while (this.changing) {
				change(this.concurrent);
				if (this.concurrent.nextInt(4) == 0) {
					LockSupport.parkNanos(this.concurrent.nextInt(2_000_000));
				}
			}
		}

		private void step() throws Exception {
			int what = this.random.nextInt(100);
			if (what < 8) {
				this.history.add("fault");
				fault();
			}
			else if (what < 45) {
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
				awaitEvent();
			}
		}

		// Events may be delivered before the next step, or not.
		private void awaitEvent() throws InterruptedException {
			this.delivered.drainPermits();
			this.delivered.tryAcquire(this.random.nextInt(20), TimeUnit.MILLISECONDS);
		}

		private void change() {
			change(this.random);
		}

		// Late events let lists overtake the watch, and slow lists let the watch
		// overtake.
		private void fault() {
			Faults faults = this.api.faults();
			faults.clear();
			switch (this.random.nextInt(6)) {
				case 0, 1 -> faults.watchLag(Duration.ofMillis(5 + this.random.nextInt(60)));
				case 2 -> faults.on(RecordedRequest::isList)
					.times(3)
					.dribble(2000 + this.random.nextInt(4000), Duration.ofMillis(3));
				case 3 -> faults.on(RecordedRequest::isList).times(1 + this.random.nextInt(3)).status(500);
				case 4 -> faults.on(RecordedRequest::isList).times(1).cutAfter(1000);
				default -> {
					// No fault for a while.
				}
			}
		}

		private synchronized void change(Random source) {
			String namespace = NAMESPACES.get(source.nextInt(NAMESPACES.size()));
			String name = "p" + source.nextInt(NAMES);
			V1Pod present = this.pods.get(namespace, name);
			if (present == null) {
				this.pods.create(EngineTestSupport.pod(namespace, name));
			}
			else if (source.nextInt(3) == 0) {
				this.pods.delete(namespace, name);
				if (source.nextBoolean()) {
					this.pods.create(EngineTestSupport.pod(namespace, name));
				}
			}
			else {
				this.pods.update(
						EngineTestSupport.relabelled(EngineTestSupport.pod(namespace, name), "v" + source.nextInt()));
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
			this.api.faults().clear();
			Set<Integer> held = this.shards.slots();
			Map<String, String> truth = versions(
					this.pods.list().stream().filter((pod) -> held.contains(this.shards.slotOf(pod))).toList());
			await().untilAsserted(() -> {
				assertThat(this.informer.hasSynced()).isTrue();
				assertThat(this.informer.status().sharding().listed()).isEqualTo(held);
				assertThat(differences(truth, versions(this.informer.lister().list())))
					.as("cache after %s", this.history)
					.isEmpty();
				for (View view : this.views) {
					assertThat(view.problems).isEmpty();
					assertThat(differences(truth, view.versions())).as("handler after %s", this.history).isEmpty();
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

		private final Semaphore delivered;

		View(Slots division, long seed, List<String> history, Semaphore delivered) {
			this.delivered = delivered;
			this.division = division;
			this.random = new Random(seed);
			this.history = history;
		}

		@Override
		public synchronized void handle(ResourceEvent<V1Pod> event) {
			this.delivered.release();
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
