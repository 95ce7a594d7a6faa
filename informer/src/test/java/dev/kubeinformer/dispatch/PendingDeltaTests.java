package dev.kubeinformer.dispatch;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.dispatch.PendingDelta.Merge;
import dev.kubeinformer.store.Delta;
import dev.kubeinformer.store.StoredObject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What two events of one object become when they are told as one.
 */
class PendingDeltaTests {

	static Stream<Arguments> merges() {
		return Stream.of(
				// waiting, later -> merge, told
				arguments(added("1"), updated("1", "2"), Merge.MERGED, "+2"),
				arguments(added("1"), deleted("2", false), Merge.ANNIHILATED, null),
				arguments(updated("1", "2"), updated("2", "3"), Merge.MERGED, "1>3"),
				arguments(updated("1", "2"), deleted("3", false), Merge.MERGED, "-3"),
				arguments(updated("1", "2"), deleted("2", true), Merge.MERGED, "-2 unknown"),
				arguments(deleted("2", true), added("3"), Merge.MERGED, "2>3"),
				arguments(deleted("2", false), addedAs("other", "3"), Merge.IMPOSSIBLE, "-2"));
	}

	@ParameterizedTest
	@MethodSource("merges")
	void twoEventsAreToldAsOne(Delta<String> waiting, Delta<String> later, Merge merge, String told) {
		PendingDelta<String> pending = PendingDelta.of(waiting);
		assertThat(pending.merge(later)).isEqualTo(merge);
		if (told != null) {
			assertThat(tell(pending.delivery())).isEqualTo(told);
		}
	}

	@Test
	void mergedEventInheritsTheInitialStateAndItsTickets() {
		PendingDelta<String> pending = PendingDelta
			.of(new Delta<>(Delta.Kind.ADDED, null, object("u", "1"), true, false));
		pending.merge(updated("1", "2"));
		assertThat(pending.delivery().initial()).isTrue();
		assertThat(pending.tickets()).isEqualTo(1);
	}

	@Test
	void recreatedInitialObjectCountsOnBothSides() {
		PendingDelta<String> pending = PendingDelta.of(deleted("1", true));
		pending.merge(new Delta<>(Delta.Kind.ADDED, null, object("u", "2"), true, false));
		assertThat(pending.tickets()).isEqualTo(1);
		assertThat(pending.delivery().initial()).isTrue();
	}

	private static String tell(Delivery<String> delivery) {
		return switch (delivery.kind()) {
			case ADDED -> "+" + delivery.after().object();
			case UPDATED -> delivery.before().object() + ">" + delivery.after().object();
			case DELETED -> "-" + delivery.before().object() + (delivery.finalStateUnknown() ? " unknown" : "");
		};
	}

	private static Delta<String> added(String version) {
		return addedAs("u", version);
	}

	private static Delta<String> addedAs(String uid, String version) {
		return new Delta<>(Delta.Kind.ADDED, null, object(uid, version), false, false);
	}

	private static Delta<String> updated(String before, String after) {
		return new Delta<>(Delta.Kind.UPDATED, object("u", before), object("u", after), false, false);
	}

	private static Delta<String> deleted(String version, boolean finalStateUnknown) {
		return new Delta<>(Delta.Kind.DELETED, object("u", version), null, false, finalStateUnknown);
	}

	private static StoredObject<String> object(String uid, String version) {
		return new StoredObject<>("ns", "a", uid, version, version);
	}

}
