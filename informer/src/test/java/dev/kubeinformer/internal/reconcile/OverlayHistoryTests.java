package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.overlay.OverlaidSnapshot;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random writes of runs and of others, while the watch is held, moves on, is cut and
 * lists again, from states before the writes as well, and answers come late and in any
 * order: no run sees an older state of an object than it has written, or than a run has
 * seen before.
 */
class OverlayHistoryTests {

	private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

	private static final int HISTORIES = 400;

	private static final int STEPS = 300;

	private static final int NAMES = 4;

	@Test
	void noRunSeesAnOlderStateThanWasWrittenOrSeen() {
		int laid = 0;
		for (int seed = 0; seed < HISTORIES; seed++) {
			laid += new World(seed).run();
		}
		assertThat(laid).isGreaterThan(HISTORIES * 10);
	}

	/**
	 * Server, watch, cache and runs.
	 */
	private static final class World {

		private final Random random;

		private final int seed;

		private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

		private final CachedModels<V1ConfigMap> cache = new CachedModels<>(this.store, "");

		private final WriteOverlay<V1ConfigMap> overlay = CachedSources.overlay(this.store, () -> 0);

		private final OwnWrites writes = new OwnWrites(
				List.of(new OwnWriteSource<>(TYPE, this.overlay,
						new OwnWriteSource.Selection((labels) -> labels == null || !labels.containsKey("hidden"), false,
								ObjectShare.ALL),
						true, (object) -> new DecodedObject<>(new ObjectMetadata("", "", "", ""), object, null))),
				new OwnVersions(), Duration.ofMinutes(10), () -> 0);

		/**
		 * Result of each version for its object; {@code null} if the object was deleted.
		 */
		private final TreeMap<Integer, Change> history = new TreeMap<>();

		private final Map<String, V1ConfigMap> server = new HashMap<>();

		private final List<Runnable> answers = new ArrayList<>();

		/** The least version that a run may see of each object. */
		private final Map<String, Integer> floors = new HashMap<>();

		private int version = 1;

		private int shown = 1;

		private int laid;

		private final List<String> notes = new ArrayList<>();

		World(int seed) {
			this.seed = seed;
			this.random = new Random(seed);
			OwnedSource.index(this.store);
			this.cache.list("1");
		}

		int run() {
			for (int step = 0; step < STEPS; step++) {
				switch (this.random.nextInt(8)) {
					case 0, 1 -> write(new ObjectKey("ns", "p" + this.random.nextInt(2)));
					case 2 -> write(null);
					case 3 -> show(1);
					case 4 -> relist();
					case 5 -> answer();
					default -> look();
				}
			}
			while (!this.answers.isEmpty()) {
				answer();
				look();
			}
			show(Integer.MAX_VALUE);
			this.cache.bookmark(Integer.toString(this.version));
			look();
			assertThat(this.writes.size()).as("seed %d", this.seed).isZero();
			return this.laid;
		}

		private void write(@Nullable ObjectKey primary) {
			String name = "c" + this.random.nextInt(NAMES);
			V1ConfigMap present = this.server.get(name);
			int next = ++this.version;
			V1ConfigMap after = (present != null) ? ModelCopies.copy(present)
					: CachedModels.configMap("ns", name, "", CachedModels.owner("apps/v1", "Deployment", "p", true));
			if (present == null) {
				after.getMetadata().setUid(name + "-" + next);
				after.getMetadata().setFinalizers((this.random.nextInt(3) == 0) ? List.of("f") : null);
			}
			after.getMetadata().setResourceVersion(Integer.toString(next));
			// The answer to a deletion tells no version: of an object that leaves the
			// selection
			// and comes back meanwhile, nobody knows which of the two was its end.
			boolean selected = name.equals("c0");
			boolean deletes = present != null && !selected && this.random.nextInt(3) == 0;
			boolean gone = false;
			if (deletes && after.getMetadata().getFinalizers() != null) {
				if (after.getMetadata().getDeletionTimestamp() != null && primary == null) {
					gone = true;
				}
				else {
					after.getMetadata().setDeletionTimestamp(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
				}
			}
			else if (deletes) {
				gone = true;
			}
			else {
				after.getMetadata().setLabels((selected && this.random.nextBoolean()) ? Map.of("hidden", "") : null);
			}
			record(next, name, after, gone);
			note("%d %s %s", next, (primary != null) ? "run" : "other", describe(after, gone));
			if (primary != null) {
				V1ConfigMap last = (present != null) ? lastKnown(present) : after;
				boolean isGone = gone;
				this.answers.add(() -> answered(primary, next, name, isGone ? last : after, deletes, isGone));
				if (this.random.nextInt(4) != 0) {
					this.answers.remove(this.answers.size() - 1).run();
				}
			}
		}

		// A run deletes what it has seen.
		private V1ConfigMap lastKnown(V1ConfigMap present) {
			StoredObject<V1ConfigMap> seen = this.overlay.snapshot().find(ObjectKey.of(present));
			return (seen != null && seen.uid().equals(present.getMetadata().getUid())) ? seen.object() : present;
		}

		private void record(int next, String name, V1ConfigMap after, boolean gone) {
			boolean visible = !gone && after.getMetadata().getLabels() == null;
			this.history.put(next, new Change(name, after, visible));
			if (gone) {
				this.server.remove(name);
			}
			else {
				this.server.put(name, after);
			}
		}

		private void note(String format, Object... values) {
			this.notes.add(format.formatted(values));
		}

		private static String describe(V1ConfigMap object, boolean gone) {
			return "%s%s%s%s".formatted(object.getMetadata().getUid(), gone ? " gone" : "",
					(object.getMetadata().getLabels() != null) ? " hidden" : "",
					(object.getMetadata().getDeletionTimestamp() != null) ? " deleting" : "");
		}

		private void answered(ObjectKey primary, int at, String name, V1ConfigMap object, boolean deletes,
				boolean gone) {
			note("answer %d", at);
			if (gone) {
				this.writes.gone(primary, TYPE, object);
			}
			else if (deletes) {
				this.writes.deleting(primary, TYPE, object);
			}
			else {
				this.writes.written(primary, TYPE, object);
			}
			assertThat(this.writes.parking(primary)).as("seed %d", this.seed).isNull();
			this.floors.merge(name, at, Math::max);
			this.laid = Math.max(this.laid, this.overlay.size()) + ((this.overlay.size() > 0) ? 1 : 0);
			look();
		}

		private void answer() {
			if (!this.answers.isEmpty()) {
				this.answers.remove(this.random.nextInt(this.answers.size())).run();
			}
		}

		private void show(int most) {
			int left = most;
			while (this.shown < this.version && left > 0) {
				this.shown++;
				left--;
				note("shown %d", this.shown);
				Change change = this.history.get(this.shown);
				if (change == null) {
					continue;
				}
				if (change.visible()) {
					this.cache.put(change.after());
				}
				else if (this.store.snapshot().find("ns", change.name()) != null) {
					this.cache.remove(change.after(), Integer.toString(this.shown));
				}
				else {
					this.cache.bookmark(Integer.toString(this.shown));
				}
			}
		}

		// From any state that is not older than the cache, as an API server that lags
		// has.
		private void relist() {
			int at = this.shown + this.random.nextInt(this.version - this.shown + 1);
			Map<String, Change> state = new HashMap<>();
			this.history.headMap(at, true).values().forEach((change) -> state.put(change.name(), change));
			this.cache.list(Integer.toString(at),
					state.values().stream().filter(Change::visible).map(Change::after).toArray(V1ConfigMap[]::new));
			this.shown = at;
			note("list %d", at);
		}

		private void look() {
			OverlaidSnapshot<V1ConfigMap> seen = this.overlay.snapshot();
			IntStream.range(0, NAMES).forEach((i) -> look(seen, "c" + i));
			assertThat(seen.byIndex(OwnedSource.INDEX, "uid-p").stream().map((each) -> each.getMetadata().getName()))
				.containsExactlyInAnyOrderElementsOf(IntStream.range(0, NAMES)
					.mapToObj((i) -> "c" + i)
					.filter((name) -> seen.find(new ObjectKey("ns", name)) != null)
					.toList());
		}

		private void look(OverlaidSnapshot<V1ConfigMap> seen, String name) {
			StoredObject<V1ConfigMap> stored = seen.find(new ObjectKey("ns", name));
			int floor = this.floors.getOrDefault(name, 0);
			if (stored != null) {
				int at = Integer.parseInt(stored.resourceVersion());
				assertThat(at).as("seed %d, %s: %s", this.seed, name, this.notes).isGreaterThanOrEqualTo(floor);
				assertThat(this.history.get(at).after()).isEqualTo(stored.object());
				this.floors.put(name, at);
				return;
			}
			int absentSince = absentSince(name, floor);
			assertThat(absentSince).as("seed %d, absent %s after %d: %s", this.seed, name, floor, this.notes)
				.isNotNegative();
			this.floors.put(name, Math.max(floor, absentSince));
		}

		// The first version from the floor on at which the object was not there.
		private int absentSince(String name, int floor) {
			boolean visible = false;
			int since = 0;
			for (Map.Entry<Integer, Change> each : this.history.entrySet()) {
				if (!each.getValue().name().equals(name)) {
					continue;
				}
				if (!visible && each.getKey() > floor) {
					return Math.max(since, floor);
				}
				visible = each.getValue().visible();
				since = each.getKey();
			}
			return visible ? -1 : since;
		}

		/** Result of a write for an object. */
		private record Change(String name, V1ConfigMap after, boolean visible) {

		}

	}

}
