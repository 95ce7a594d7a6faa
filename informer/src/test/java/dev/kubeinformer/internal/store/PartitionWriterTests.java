package dev.kubeinformer.internal.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.ObjectKey;

import static dev.kubeinformer.internal.store.StoredObjects.deleted;
import static dev.kubeinformer.internal.store.StoredObjects.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Differences that lists and watch events make in a store, and the deltas of them.
 */
class PartitionWriterTests {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	private final RecordingSink recorder = new RecordingSink();

	@Test
	void firstListIsAddedAsInitialState() {
		this.store.addSink(this.recorder);
		list("5", object("a", "u1", "1"), object("b", "u2", "2"));
		assertThat(this.recorder.events()).containsExactly("+a@1 initial", "+b@2 initial", "complete");
		assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@1", "b@2");
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("5");
	}

	@Test
	void relistDeliversDifferencesOnlyAndDeletesFirst() {
		list("5", object("a", "u1", "1"), object("b", "u2", "2"), object("c", "u3", "3"), object("d", "u4", "4"));
		String unchanged = this.store.snapshot().get("ns", "a");
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		list("9", object("e", "u5", "8"), object("c", "u3", "7"), object("a", "u1", "1"), object("d", "u44", "6"));
		assertThat(this.recorder.events()).containsExactly("-b@2 unknown", "-d@4 unknown", "+e@8", "c@3>c@7", "+d@6");
		assertThat(this.store.snapshot().get("ns", "a")).isSameAs(unchanged);
	}

	@Test
	void regressionIsComparedByContent() {
		list("9", object("a", "u1", "5"), object("b", "u2", "6"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		StoredObject<String> sameVersionOtherContent = new StoredObject<>("ns", "a", "u1", "5", "other");
		this.writer.replace(List.of(sameVersionOtherContent, object("b", "u2", "6")), List.of(), false, "7", true);
		assertThat(this.recorder.events()).containsExactly("a@5>other");
	}

	@Test
	void unreadableObjectsCountAsPresentUnlessTheyWereRecreated() {
		list("5", object("a", "u1", "1"), object("b", "u2", "2"), object("c", "u3", "3"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.replace(List.of(), List.of(Unreadables.of("ns", "a", "u1"), Unreadables.of("ns", "b", "u9")), false,
				"9", false);
		assertThat(this.recorder.events()).containsExactlyInAnyOrder("-b@2 unknown", "-c@3 unknown");
		assertThat(this.store.snapshot().list()).containsExactly("a@1");
	}

	@Test
	void whatCannotBeReadIsToldUntilItCanOrIsGone() {
		list("5", object("a", "u1", "1"), object("b", "u2", "2"));
		List<String> told = new ArrayList<>();
		this.store.addSinkWithoutReplay(new RecordingSink() {

			@Override
			public void quarantined(QuarantineChange<String> change) {
				told.add("%s %s>%s %s%s".formatted(change.key().name(), version(change.before()),
						version(change.after()), (change.cached() != null) ? change.cached().object() : "-",
						change.gone() ? " gone" : ""));
			}

		});
		this.writer.quarantine(unreadable("a", "u1", "6"), "6");
		this.writer.quarantine(unreadable("c", "u3", "7"), "7");
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("7");
		assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@1", "b@2");
		assertThat(this.store.snapshot().isUnreadable()).isFalse();
		this.writer.quarantine(unreadable("c", "u3", "7"), "8");
		this.writer.quarantine(unreadable("c", "u3", "9"), "9");
		this.writer.remove(new DeletedObject(new ObjectKey("ns", "c"), "u3", "10"), null, true, "10");
		this.writer.put(object("a", "u1", "11"), "11");
		assertThat(told).containsExactly("a >6 a@1", "c >7 -", "c 7>9 -", "c 9> - gone", "a 6> a@1");
		assertThat(this.store.snapshot().unreadable()).isEmpty();
		told.clear();
		this.writer.quarantine(unreadable("b", "u9", "12"), "12");
		assertThat(this.store.snapshot().list()).as("b was recreated").containsExactly("a@11");
		this.writer.replace(List.of(), List.of(unreadable("a", "u1", "13"), unreadable("d", "u4", "13")), false, "13",
				false);
		assertThat(told).containsExactly("b >12 -", "b 12> -", "a >13 a@11", "d >13 -");
		assertThat(this.store.snapshot().isUnreadable()).isTrue();
		assertThat(this.store.unreadableKeys()).containsExactlyInAnyOrder(new ObjectKey("ns", "a"),
				new ObjectKey("ns", "d"));
		told.clear();
		this.writer.replace(List.of(), List.of(), true, "14", false);
		assertThat(told).as("one of them may be the object without a name").isEmpty();
		this.store.removePartition("");
		assertThat(told).containsExactlyInAnyOrder("a 13> a@11", "d 13> -");
	}

	private static UnreadableObject unreadable(String name, String uid, String version) {
		return Unreadables.of("ns", name, uid, new V1ObjectMeta().resourceVersion(version));
	}

	private static String version(@Nullable UnreadableObject unreadable) {
		return (unreadable != null) ? unreadable.resourceVersion() : "";
	}

	@ParameterizedTest
	@CsvSource({ "u1,''", "'',u1" })
	void unreadableObjectOfAnUnknownUidCountsAsPresent(String cached, String unreadable) {
		list("5", object("a", cached, "1"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.replace(List.of(), List.of(Unreadables.of("ns", "a", unreadable)), false, "9", false);
		assertThat(this.recorder.events()).isEmpty();
		assertThat(this.store.snapshot().list()).containsExactly("a@1");
	}

	@Test
	void nothingIsDeletedByAListOfWhichNotEvenAllKeysAreKnown() {
		list("5", object("a", "u1", "1"));
		this.writer.replace(List.of(object("b", "u2", "6")), List.of(), true, "9", false);
		assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@1", "b@6");
	}

	@Test
	void objectThatSurvivesARegressionUnreadTakesAnyNextVersion() {
		list("900", object("a", "u1", "900"), object("b", "u2", "800"));
		this.writer.replace(List.of(object("b", "u2", "100")), List.of(Unreadables.of("ns", "a", "u1")), false, "100",
				true);
		this.writer.put(object("a", "u1", "150"), "150");
		assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@150", "b@100");
	}

	@ParameterizedTest
	@CsvSource({ "u1, true", "u2, true", "u1, false", "u2, false" })
	void objectThatARegressionKeptForAnObjectWithoutANameTakesAnyNextVersion(String uid, boolean readable) {
		list("900", object("a", "u1", "900"), object("b", "u2", "800"));
		this.writer.replace(List.of(object("b", "u2", "100")), List.of(), true, "100", true);
		assertThat(this.store.snapshot().list()).contains("b@100").hasSize(2);
		assertThat(this.writer.isOutdated(new ObjectKey("ns", "a"), "150")).isFalse();
		if (readable) {
			this.writer.put(object("a", uid, "150"), "150");
			assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@150", "b@100");
		}
		else {
			this.writer.quarantine(unreadable("a", uid, "150"), "150");
			assertThat(this.store.unreadableKeys()).containsExactly(new ObjectKey("ns", "a"));
		}
		this.writer.remove(deleted("a", uid, "160"), null, true, "160");
		assertThat(this.store.snapshot().list()).containsExactly("b@100");
		assertThat(this.store.unreadableKeys()).isEmpty();
	}

	@Test
	void everyDifferenceOfARestartBelongsToTheInitialState() {
		list("5", object("a", "u1", "1"), object("b", "u2", "2"));
		List<Boolean> initial = new ArrayList<>();
		this.store.awaitFullStateAgain();
		this.store.addSink(new RecordingSink() {

			@Override
			public void delta(Delta<String> delta) {
				initial.add(delta.initial());
			}

		});
		initial.clear();
		this.store.writer("").replace(List.of(object("a", "u1", "7")), List.of(), false, "8", false);
		assertThat(initial).containsExactly(true, true);
	}

	@Test
	void changeThatDidNotReachASinkIsADifferenceOfTheNextList() {
		list("5", object("a", "u1", "1"));
		AtomicBoolean memory = new AtomicBoolean();
		RecordingSink failing = new RecordingSink() {

			@Override
			public void delta(Delta<String> delta) {
				if (!memory.getAndSet(true)) {
					throw new InternalError("no event");
				}
				super.delta(delta);
			}

			@Override
			public void initialStateComplete() {
				// Not the subject.
			}

		};
		memory.set(true);
		this.store.addSink(failing);
		failing.events().clear();
		memory.set(false);
		assertThatExceptionOfType(InternalError.class).isThrownBy(() -> this.writer.put(object("a", "u1", "6"), "6"));
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("5");
		list("7", object("a", "u1", "6"));
		assertThat(failing.events()).containsExactly("a@1>a@6");
	}

	@Test
	void eventsThatAreNotNewerAreIgnored() {
		list("5", object("a", "u1", "4"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.put(object("a", "u1", "4"), "5");
		this.writer.put(object("a", "u1", "3"), "5");
		assertThat(this.recorder.events()).isEmpty();
		this.writer.put(object("a", "u1", "6"), "6");
		assertThat(this.recorder.events()).containsExactly("a@4>a@6");
	}

	@Test
	void recreatedObjectIsDeletedAndAdded() {
		list("5", object("a", "u1", "4"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.put(object("a", "u2", "6"), "6");
		assertThat(this.recorder.events()).containsExactly("-a@4 unknown", "+a@6");
	}

	@ParameterizedTest
	@CsvSource({
			// cached, received -> delivered
			"u2 5,   u1 3,   ''", "u2 10,  u1 9,   ''", "u2 5,   u1 5,   -a@5 unknown +a@5",
			"u2 5,   u3 6,   -a@5 unknown +a@6", "u2 abc, u1 3,   -a@abc unknown +a@3",
			"u2 5,   u1 abc, -a@5 unknown +a@abc", "- 5,    u1 3,   ''", "u2 5,   - 3,    ''" })
	void eventOfAnOlderVersionIsIgnoredWhateverItsUid(String cached, String received, String delivered) {
		list("5", object("a", uid(cached), cached.split(" ")[1]));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.put(object("a", uid(received), received.split(" ")[1]), "20");
		assertThat(String.join(" ", this.recorder.events())).isEqualTo(delivered);
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("20");
	}

	private static String uid(String notation) {
		return notation.split(" ")[0].replace("-", "");
	}

	@Test
	void unreadableEventOfAPredecessorIsIgnored() {
		list("5", object("a", "u2", "5"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.quarantine(unreadable("a", "u1", "4"), "6");
		assertThat(this.recorder.events()).isEmpty();
		assertThat(this.store.snapshot().unreadable()).isEmpty();
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("6");
	}

	@Test
	void eventsOfAPredecessorDoNotEndTheQuarantineOfItsSuccessor() {
		list("5", object("b", "u9", "5"));
		this.writer.quarantine(unreadable("a", "u2", "8"), "8");
		this.writer.put(object("a", "u1", "6"), "8");
		this.writer.remove(deleted("a", "u1", "7"), object("a", "u1", "7"), false, "8");
		assertThat(this.store.snapshot().list()).containsExactly("b@5");
		assertThat(this.store.unreadableKeys()).containsExactly(new ObjectKey("ns", "a"));
		this.writer.put(object("a", "u2", "9"), "9");
		assertThat(this.store.snapshot().list()).containsExactlyInAnyOrder("a@9", "b@5");
		assertThat(this.store.snapshot().unreadable()).isEmpty();
	}

	@Test
	void quarantineThatSurvivesARegressionEndsWithAnyNextVersion() {
		list("9", object("b", "u9", "5"));
		this.writer.quarantine(unreadable("a", "u2", "8"), "9");
		this.writer.replace(List.of(), List.of(), true, "4", true);
		assertThat(this.store.unreadableKeys()).containsExactly(new ObjectKey("ns", "a"));
		this.writer.put(object("a", "u2", "5"), "5");
		assertThat(this.store.snapshot().unreadable()).isEmpty();
		assertThat(this.store.snapshot().list()).contains("a@5");
	}

	@ParameterizedTest
	@CsvSource({
			// cached, listed twice -> delivered
			"'',  u1 5,  u2 12, +a@12", "'',   u2 12, u1 5,  +a@12", "'',  u1 5,  u1 6,  +a@6",
			"'',  u1 6,  u1 5,  +a@6", "'',   u1 x,  u2 y,  +a@y", "u1 5, u1 5,  u2 12, -a@5 unknown +a@12",
			"u2 9, u2 9,  u1 5,  ''", "u2 9, u1 5,  u2 9,  ''", "u2 9, u1 5,  u2 12, a@9>a@12",
			"u2 9, u2 12, u1 5,  a@9>a@12" })
	void listThatHoldsAnObjectTwiceHoldsItsNewestState(String cached, String first, String second, String delivered) {
		if (cached.isEmpty()) {
			list("9");
		}
		else {
			list("9", object("a", uid(cached), cached.split(" ")[1]));
		}
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		list("10", object("a", uid(first), first.split(" ")[1]), object("b", "u8", "3"),
				object("a", uid(second), second.split(" ")[1]));
		assertThat(this.recorder.events()).contains("+b@3");
		assertThat(String.join(" ", this.recorder.events().stream().filter((each) -> !each.equals("+b@3")).toList()))
			.isEqualTo(delivered);
	}

	@Test
	void predecessorInAListDoesNotReplaceWhatTheSameListHoldsUnchanged() {
		list("9", object("a", "u2", "9"), object("b", "u8", "3"));
		UnchangedObjects<String> unchanged = new UnchangedObjects<>(this.store.snapshot(), "");
		unchanged.include(text("ns"), text("a"), text("u2"), text("9"));
		this.writer.replace(List.of(object("a", "u1", "5")), unchanged, List.of(unreadable("a", "u1", "4")), false,
				"10", false);
		assertThat(this.store.snapshot().list()).containsExactly("a@9");
		assertThat(this.store.snapshot().unreadable()).isEmpty();
	}

	private static TextBytes text(String value) {
		byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
		TextBytes text = new TextBytes();
		text.set(bytes, 0, bytes.length);
		return text;
	}

	@Test
	void listedObjectOlderThanTheCachedOneIsWhatTheServerHas() {
		list("9", object("a", "u2", "9"));
		list("10", object("a", "u1", "5"));
		assertThat(this.store.snapshot().list()).as("restored from a backup, and past the version")
			.containsExactly("a@5");
	}

	@Test
	void deletionDeliversTheLastStateOfTheServer() {
		list("5", object("a", "u1", "4"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.remove(deleted("a", "u1", "7"), object("a", "u1", "7"), false, "7");
		this.writer.remove(deleted("a", "u1", "7"), object("a", "u1", "7"), false, "8");
		assertThat(this.recorder.events()).containsExactly("-a@7");
		assertThat(this.store.snapshot().size()).isZero();
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("8");
	}

	@Test
	void deletionOfWhichOnlyTheKeyIsKnownDeliversTheCachedState() {
		list("5", object("a", "u1", "4"));
		this.store.addSink(this.recorder);
		this.recorder.events().clear();
		this.writer.remove(deleted("a", "", ""), null, true, "7");
		assertThat(this.recorder.events()).containsExactly("-a@4 unknown");
	}

	@Test
	void deletionOfAPredecessorDoesNotRemoveARecreatedObject() {
		list("5", object("a", "u2", "5"));
		this.writer.remove(deleted("a", "u1", "3"), object("a", "u1", "3"), false, "5");
		assertThat(this.store.snapshot().list()).containsExactly("a@5");
	}

	@Test
	void writersOfAnEarlierLifeAreRefused() {
		list("5", object("a", "u1", "1"));
		this.store.awaitFullStateAgain();
		list("6");
		this.writer.put(object("b", "u2", "7"), "7");
		this.writer.remove(deleted("a", "u1", "8"), null, false, "8");
		this.writer.advance("9");
		assertThat(this.store.snapshot().list()).containsExactly("a@1");
		assertThat(this.store.snapshot().resourceVersion()).isEqualTo("5");
		assertThat(this.store.hasFullState()).isFalse();
	}

	@Test
	void writersOfARemovedPartitionAreRefusedAlsoWhenItIsAddedAgain() throws InterruptedException {
		ObjectStore<String> some = new ObjectStore<>(Set.of("x", "y"));
		PartitionWriter<String> before = some.writer("y");
		for (boolean addedAgain : new boolean[] { false, true }) {
			if (addedAgain) {
				some.addPartition("y");
			}
			else {
				some.removePartition("y");
			}
			before.replace(List.of(object("y", "b", "u2", "2")), List.of(), false, "4", false);
			before.put(object("y", "b", "u2", "3"), "5");
			before.advance("6");
			assertThat(some.snapshot().size()).isZero();
			assertThat(some.snapshot().resourceVersion("y")).isEmpty();
		}
		assertThat(some.awaitFullState("y", Duration.ZERO)).isFalse();
		some.writer("y").replace(List.of(), List.of(), false, "7", false);
		assertThat(some.awaitFullState("y", Duration.ZERO)).isTrue();
		some.removePartition("y");
		assertThat(some.awaitFullState("y", Duration.ofSeconds(10))).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> some.writer("y")).withMessageContaining("'y'");
	}

	@SafeVarargs
	@SuppressWarnings("varargs") // the array is only read
	private void list(String version, StoredObject<String>... objects) {
		this.writer.replace(List.of(objects), List.of(), false, version, false);
	}

}
