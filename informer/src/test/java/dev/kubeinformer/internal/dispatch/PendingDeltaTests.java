package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.dispatch.PendingDelta.Merge;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Merges of two events of one object.
 */
class PendingDeltaTests {

	static Stream<Arguments> merges() {
		return Stream.of(
				// waiting, later -> merge, delivered
				arguments(added("1"), updated("1", "2"), Merge.MERGED, "+2"),
				arguments(added("1"), deleted("2", false), Merge.ANNIHILATED, null),
				arguments(updated("1", "2"), updated("2", "3"), Merge.MERGED, "1>3"),
				arguments(updated("1", "2"), deleted("3", false), Merge.MERGED, "-3"),
				arguments(updated("1", "2"), deleted("2", true), Merge.MERGED, "-2 unknown"),
				arguments(deleted("2", true), added("3"), Merge.MERGED, "2>3"),
				arguments(deleted("2", "3"), added("4"), Merge.MERGED, "2>4"),
				arguments(updated("1", "2"), deleted("2", "3"), Merge.MERGED, "-3"),
				arguments(deleted("2", false), addedAs("other", "3"), Merge.IMPOSSIBLE, "-2"));
	}

	@ParameterizedTest
	@MethodSource("merges")
	void twoEventsAreDeliveredAsOne(Delta<Note> waiting, Delta<Note> later, Merge merge, String delivered) {
		PendingDelta<Note> pending = PendingDelta.of(waiting);
		assertThat(pending.merge(PendingDelta.of(later))).isEqualTo(merge);
		if (delivered != null) {
			assertThat(describe(pending.event("test"))).isEqualTo(delivered);
		}
	}

	static Stream<Arguments> mergesOfAttempted() {
		return Stream.of(
				// failed, later -> merge, delivered
				arguments(PendingDelta.of(added("1")), updated("1", "2"), Merge.MERGED, "+2"),
				arguments(PendingDelta.of(added("1")), deleted("2", false), Merge.MERGED, "-2"),
				arguments(PendingDelta.of(added("1")), deleted("2", true), Merge.MERGED, "-2 unknown"),
				arguments(PendingDelta.of(updated("1", "2")), updated("2", "3"), Merge.MERGED, "1>3"),
				arguments(PendingDelta.of(updated("1", "2")), deleted("3", false), Merge.MERGED, "-3"),
				arguments(PendingDelta.of(deleted("2", false)), added("3"), Merge.IMPOSSIBLE, "-2"),
				arguments(PendingDelta.of(deleted("2", false)), addedAs("other", "3"), Merge.IMPOSSIBLE, "-2"),
				arguments(PendingDelta.resync(object("u", "1")), updated("1", "2"), Merge.MERGED, "1>2"),
				arguments(PendingDelta.resync(object("u", "1")), deleted("2", false), Merge.MERGED, "-2"));
	}

	@ParameterizedTest
	@MethodSource("mergesOfAttempted")
	void eventThatTheHandlerHasSeenIsNeverMergedAway(PendingDelta<Note> failed, Delta<Note> later, Merge merge,
			String delivered) {
		fail(failed, 3);
		assertThat(failed.merge(PendingDelta.of(later))).isEqualTo(merge);
		failed.handedOut();
		assertThat(describe(failed.event("test"))).isEqualTo(delivered);
		assertThat(failed.event("test").resync()).isFalse();
		assertThat(failed.event("test").attempt()).isEqualTo((merge == Merge.MERGED) ? 1 : 4);
		assertThat(failed.failures()).isEqualTo(3);
	}

	@Test
	void deletionThatAFailedEventBecameIsDeliveredBeforeTheObjectReturns() {
		PendingDelta<Note> pending = PendingDelta.of(added("1"));
		fail(pending, 1);
		assertThat(pending.merge(PendingDelta.of(deleted("2", false)))).isEqualTo(Merge.MERGED);
		assertThat(pending.merge(PendingDelta.of(added("3")))).isEqualTo(Merge.IMPOSSIBLE);
		assertThat(describe(pending.event("test"))).isEqualTo("-2");
	}

	@Test
	void attemptsAreCountedFromOne() {
		PendingDelta<Note> pending = PendingDelta.of(updated("1", "2"));
		fail(pending, 2);
		pending.handedOut();
		assertThat(pending.event("test").attempt()).isEqualTo(3);
	}

	@Test
	void objectThatWasDeletedAndReturnedIsDeliveredFromItsFirstState() {
		PendingDelta<Note> pending = PendingDelta.of(updated("1", "2"));
		pending.merge(PendingDelta.of(deleted("3", false)));
		assertThat(pending.merge(PendingDelta.of(added("4")))).isEqualTo(Merge.MERGED);
		assertThat(describe(pending.event("test"))).isEqualTo("1>4");
	}

	@Test
	void objectThatCameBackAsItWasDeliveredIsNothing() {
		PendingDelta<Note> pending = PendingDelta.of(deleted("1", true));
		pending.merge(PendingDelta.of(added("1")));
		pending.handedOut();
		assertThat(pending.isNothing()).isTrue();
	}

	@Test
	void objectThatCameBackWithOtherContentIsAnUpdate() {
		PendingDelta<Note> pending = PendingDelta.of(deleted("1", true));
		pending.merge(PendingDelta.of(new Delta<>(Delta.Kind.ADDED, null,
				new StoredObject<>("ns", "a", "u", "1", new Note("a", "u", "other")), false, false)));
		pending.handedOut();
		assertThat(pending.isNothing()).isFalse();
		assertThat(describe(pending.event("test"))).isEqualTo("1>other");
	}

	@Test
	void whatTheHandlerHasSeenAnotherStateOfIsNotNothing() {
		PendingDelta<Note> pending = PendingDelta.of(updated("1", "2"));
		fail(pending, 1);
		pending.merge(PendingDelta.of(updated("2", "1")));
		pending.handedOut();
		assertThat(pending.isNothing()).isFalse();
	}

	@Test
	void ticketsOfEventsThatWereMergedBeforeAreKept() {
		PendingDelta<Note> pending = PendingDelta.of(updated("1", "2"));
		PendingDelta<Note> later = PendingDelta
			.of(new Delta<>(Delta.Kind.UPDATED, object("u", "2"), object("u", "3"), true, false));
		later.merge(PendingDelta.of(new Delta<>(Delta.Kind.UPDATED, object("u", "3"), object("u", "4"), true, false)));
		pending.merge(later);
		assertThat(pending.tickets()).isEqualTo(2);
		assertThat(pending.event("test").initial()).isTrue();
	}

	@Test
	void mergedEventInheritsTheInitialStateAndItsTickets() {
		PendingDelta<Note> pending = PendingDelta
			.of(new Delta<>(Delta.Kind.ADDED, null, object("u", "1"), true, false));
		pending.merge(PendingDelta.of(updated("1", "2")));
		assertThat(pending.event("test").initial()).isTrue();
		assertThat(pending.tickets()).isEqualTo(1);
	}

	@Test
	void recreatedInitialObjectCountsOnBothSides() {
		PendingDelta<Note> pending = PendingDelta.of(deleted("1", true));
		pending.merge(PendingDelta.of(new Delta<>(Delta.Kind.ADDED, null, object("u", "2"), true, false)));
		assertThat(pending.tickets()).isEqualTo(1);
		assertThat(pending.event("test").initial()).isTrue();
	}

	private static void fail(PendingDelta<Note> pending, int times) {
		for (int i = 0; i < times; i++) {
			pending.handedOut();
			pending.failed(Duration.ofSeconds(1));
		}
	}

	private static String describe(ResourceEvent<Note> event) {
		String version = event.object().version();
		return switch (event.type()) {
			case ADD -> "+" + version;
			case UPDATE -> event.oldObject().version() + ">" + version;
			case DELETE -> "-" + version + (event.finalStateUnknown() ? " unknown" : "");
		};
	}

	private static Delta<Note> added(String version) {
		return addedAs("u", version);
	}

	private static Delta<Note> addedAs(String uid, String version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(uid, version), false, false);
	}

	private static Delta<Note> updated(String before, String after) {
		return new Delta<>(Delta.Kind.UPDATED, object("u", before), object("u", after), false, false);
	}

	private static Delta<Note> deleted(String version, boolean finalStateUnknown) {
		return new Delta<>(Delta.Kind.DELETED, object("u", version), null, false, finalStateUnknown);
	}

	private static Delta<Note> deleted(String version, String lastVersion) {
		return new Delta<>(Delta.Kind.DELETED, object("u", version), null, object("u", lastVersion), false, false);
	}

	private static StoredObject<Note> object(String uid, String version) {
		return new StoredObject<>("ns", "a", uid, version, new Note("a", uid, version));
	}

}
