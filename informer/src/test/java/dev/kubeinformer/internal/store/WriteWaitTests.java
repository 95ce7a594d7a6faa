package dev.kubeinformer.internal.store;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a write counts as seen by a store. What happens at the store is written such as
 * {@code put:u1:7} (an object of UID u1 in version 7), {@code deleting:u1:7} (with a
 * deletionTimestamp), {@code remove:u1:7}, {@code bookmark:7}, {@code list:7} (an empty
 * one), {@code older:7} (one that knows of no object and takes the version back) and
 * {@code verified:7} (one that is compared by content).
 */
class WriteWaitTests {

	private static final ObjectKey KEY = new ObjectKey("ns", "a");

	private final ObjectStore<V1ConfigMap> store = new ObjectStore<>(Set.of(""));

	private PartitionWriter<V1ConfigMap> writer = this.store.writer("");

	private final AtomicInteger seen = new AtomicInteger();

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			# what           | before           | not seen by                        | seen by
			written:u1:10    |                  | put:u1:9                           | put:u1:10
			written:u1:10    | put:u1:8         | put:u1:9                           | put:u1:12
			written:u1:10    | put:u1:8         |                                    | bookmark:10
			written:u1:10    | put:u1:8         | bookmark:9 remove:u1:9             | bookmark:11
			written:u1:10    |                  |                                    | remove:u1:12
			written:u1:10    |                  | put:u2:9                           | put:u3:11
			written:u1:10    |                  | list:9                             | list:10
			written:u1:9     |                  |                                    | bookmark:10
			written:u1:10    | put:u1:9         |                                    | older:3
			written:u1:10    | put:u1:8         | verified:9                         | verified:10
			written:u1:x7    |                  | put:u1:x6 bookmark:99 put:u1:100   | put:u1:x7
			written:u1:x7    |                  | bookmark:x6 bookmark:x8            | bookmark:x7
			hidden:u1:10     | put:u1:8         | put:u1:9                           | remove:u1:10
			hidden:u1:10     | put:u1:8         |                                    | put:u1:10
			deleted:u1:5     | put:u1:5         | put:u1:6 bookmark:20               | remove:u1:21
			deleted:u1:5     | put:u1:5         |                                    | deleting:u1:6
			deleted:u1:5     | put:u1:5         | unread:u1:6                        | unreaddel:u1:7
			deleted:u1:5     | put:u1:5         | unread:u1:6                        | remove:u1:7
			written:u1:10    | put:u1:8         | unread:u1:9                        | unread:u1:10
			deleted:u1:5     | put:u1:5         |                                    | put:u2:6
			deleted:u1:      | put:u1:5         | bookmark:20                        | list:21
			deleted:u1:7     | put:u1:5         | remove:u1:6 put:u1:7               | remove:u1:8
			deleted:u1:7     |                  | put:u1:7                           | remove:u1:8
			deleted:u1:7     |                  | bookmark:6                         | bookmark:8
			deleted::7       | put:u1:5         | put:u2:8                           | remove:u2:9
			deleted:u1:x7    | put:u1:x5        | put:u1:x7                          | remove:u1:x9
			deleted:u1:5     | put:u1:5         |                                    | older:3
			gone:u1:7        | put:u1:5         | bookmark:9                         | remove:u1:9
			""")
	void writeIsSeenWhenTheCacheIsNotOlder(String what, String before, String notSeenBy, String seenBy) {
		apply("list:1");
		apply(before);
		WriteWait wait = wait(what);
		this.store.whenSeen(wait);
		for (String step : steps(notSeenBy).toList()) {
			apply(step);
			assertThat(this.seen).as(step).hasValue(0);
		}
		apply(seenBy);
		assertThat(this.seen).hasValue(1);
		apply("put:u9:500");
		apply("remove:u9:501");
		this.store.endWaits();
		assertThat(this.seen).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			written:u1:5  | put:u1:5
			written:u1:5  | bookmark:6
			written:u1:5  | put:u2:7
			hidden:u1:10  |
			deleted:u1:5  | put:u1:5 remove:u1:6
			deleted:u1:5  | deleting:u1:5
			deleted:u1:5  | put:u2:7
			gone:u1:99    |
			""")
	void writeThatIsSeenAlreadyIsNotWaitedFor(String what, String before) {
		apply("list:1");
		apply(before);
		this.store.whenSeen(wait(what));
		assertThat(this.seen).hasValue(1);
	}

	@Test
	void forgottenWaitIsNeverRun() {
		apply("list:1");
		WriteWait first = wait("written:u1:5");
		WriteWait second = wait("written:u1:x5");
		WriteWait third = wait("deleted:u1:5");
		Stream.of(first, second, third).forEach(this.store::whenSeen);
		Stream.of(first, second, third, first).forEach(this.store::forget);
		apply("put:u1:6");
		apply("remove:u1:7");
		apply("bookmark:x5");
		this.store.endWaits();
		assertThat(this.seen).hasValue(0);
	}

	@Test
	void endOfWaitsReleasesAlsoThoseThatBeginAfterwards() {
		apply("list:1");
		this.store.whenSeen(wait("written:u1:5"));
		this.store.endWaits();
		assertThat(this.seen).hasValue(1);
		this.store.whenSeen(wait("written:u1:5"));
		assertThat(this.seen).hasValue(2);
		this.store.awaitFullStateAgain();
		this.store.whenSeen(wait("written:u1:5"));
		assertThat(this.seen).hasValue(2);
		this.store.wakeWaits();
		assertThat(this.seen).hasValue(3);
		this.store.whenSeen(wait("written:u1:5"));
		assertThat(this.seen).hasValue(3);
	}

	@Test
	void removedPartitionReleasesItsWaitsOnly() {
		ObjectStore<V1ConfigMap> parts = new ObjectStore<>(Set.of("ns", "other"));
		parts.whenSeen(wait("ns", "written:u1:5"));
		parts.whenSeen(wait("other", "written:u1:5"));
		parts.writer("other").replace(List.of(), List.of(), false, "4", false);
		assertThat(this.seen).hasValue(0);
		parts.removePartition("ns");
		assertThat(this.seen).hasValue(1);
		parts.whenSeen(wait("ns", "written:u1:5"));
		assertThat(this.seen).hasValue(2);
		parts.writer("other").advance("5");
		assertThat(this.seen).hasValue(3);
		assertThat(parts.partitionOf("ns")).isNull();
		assertThat(parts.partitionOf("other")).isEqualTo("other");
		assertThat(this.store.partitionOf("any")).isEmpty();
	}

	@Test
	void waitsRunAfterTheSinksHadTheChange() {
		apply("list:1");
		this.store.addSink(new SeenSink());
		this.store.whenSeen(wait("written:u1:5"));
		this.store.whenSeen(WriteWait.written("", KEY, "5", false, () -> this.seen.addAndGet(10)));
		apply("put:u1:5");
		assertThat(this.seen).hasValue(11);
	}

	private WriteWait wait(String what) {
		return wait("", what);
	}

	private WriteWait wait(String partition, String what) {
		String[] parts = what.split(":", -1);
		return switch (parts[0]) {
			case "written" -> WriteWait.written(partition, KEY, parts[2], false, this.seen::incrementAndGet);
			case "hidden" -> WriteWait.written(partition, KEY, parts[2], true, this.seen::incrementAndGet);
			case "deleted" -> WriteWait.deleted(partition, KEY, parts[1], parts[2], false, this.seen::incrementAndGet);
			case "gone" -> WriteWait.deleted(partition, KEY, parts[1], parts[2], true, this.seen::incrementAndGet);
			default -> throw new IllegalArgumentException(what);
		};
	}

	private static Stream<String> steps(String steps) {
		return (steps != null) ? Stream.of(steps.split(" ")) : Stream.empty();
	}

	private void apply(String steps) {
		steps(steps).forEach((step) -> {
			String[] parts = step.split(":");
			switch (parts[0]) {
				case "put" -> this.writer.put(object(parts[1], parts[2], null), parts[2]);
				case "deleting" -> this.writer.put(object(parts[1], parts[2], OffsetDateTime.now()), parts[2]);
				case "remove" -> this.writer.remove(new DeletedObject(KEY, parts[1], parts[2]), null, false, parts[2]);
				case "unread" -> this.writer.quarantine(unreadable(parts[1], parts[2], null), parts[2]);
				case "unreaddel" ->
					this.writer.quarantine(unreadable(parts[1], parts[2], OffsetDateTime.now()), parts[2]);
				case "bookmark" -> this.writer.advance(parts[1]);
				case "list" -> this.writer.replace(List.of(), List.of(), false, parts[1], false);
				case "older", "verified" -> this.writer.replace(List.of(), List.of(), true, parts[1], true);
				default -> throw new IllegalArgumentException(step);
			}
		});
	}

	private static UnreadableObject unreadable(String uid, String version, OffsetDateTime deletion) {
		return Unreadables.of(KEY.namespace(), KEY.name(), uid,
				new V1ObjectMeta().resourceVersion(version).deletionTimestamp(deletion));
	}

	private static StoredObject<V1ConfigMap> object(String uid, String version, OffsetDateTime deletion) {
		V1ConfigMap object = new V1ConfigMap().metadata(new V1ObjectMeta().deletionTimestamp(deletion));
		return new StoredObject<>(KEY.namespace(), KEY.name(), uid, version, object);
	}

	/** Sink that expects to come before the waits. */
	private final class SeenSink implements DeltaSink<V1ConfigMap> {

		@Override
		public void delta(Delta<V1ConfigMap> delta) {
			assertThat(WriteWaitTests.this.seen).hasValue(0);
		}

		@Override
		public void resync(StoredObject<V1ConfigMap> object) {
		}

		@Override
		public void initialStateComplete() {
		}

		@Override
		public void initialStateReset() {
		}

	}

}
