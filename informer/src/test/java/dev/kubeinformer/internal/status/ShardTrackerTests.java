package dev.kubeinformer.internal.status;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.Widget;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.internal.reflector.Listing;
import dev.kubeinformer.internal.status.ShardTracker.Received;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.ShardMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Table of the mode: the statement and the content of a list on the left, the mode on the
 * right.
 */
class ShardTrackerTests {

	private static final Shard FIRST_OF_TWO = new Shard(ShardKey.UID, 0, 2);

	private static final String OTHER = new Shard(ShardKey.UID, 1, 2).selector();

	private ShardTracker tracker;

	@BeforeEach
	void track() {
		this.tracker = ShardTracker.of("pods", InformerSpec.of(V1Pod.class).withShard(FIRST_OF_TWO));
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = {
			// selector in the answer, whether it is repeated, own, foreign -> mode
			"asked,  true,  0,   0, SERVER", "asked,  false, 0,   0, SERVER", "asked,  true,  100, 0, SERVER",
			"asked,  true,  100, 1, CLIENT", "asked,  false, 0,   1, CLIENT",
			// lists of these objects would have it
			"none,   true,  0,   0, CLIENT", "none,   true,  100, 0, CLIENT", "other,  true,  100, 0, CLIENT",
			"none,   true,  0,   1, CLIENT",
			// lists of these objects never have it
			"none,   false, 0,   0, -", "none,   false, 19,  0, -", "none,   false, 20,  0, SERVER",
			"none,   false, 100, 1, CLIENT", "other,  false, 19,  0, -",
			// streaming lists never have it
			"stream, true,  0,   0, -", "stream, true,  19,  0, -", "stream, true,  20,  0, SERVER",
			"stream, false, 20,  0, SERVER", "stream, true,  100, 1, CLIENT", "stream, false, 0,   1, CLIENT" })
	void listShouldTellTheMode(String answered, boolean repeated, int own, int foreign, @Nullable ShardMode mode) {
		String selector = switch (answered) {
			case "asked" -> FIRST_OF_TWO.selector();
			case "other" -> OTHER;
			case "none" -> "";
			default -> null;
		};
		assertThat(ShardTracker.decide(FIRST_OF_TWO, repeated, selector, new Received(own, Set.of("a"), foreign)))
			.isEqualTo(mode);
	}

	@ParameterizedTest
	@CsvSource({ "2, 20", "3, 13", "5, 9", "10, 6", "64, 4" })
	void fewerObjectsShouldSufficeOfASmallerShare(int total, int enough) {
		Shard shard = new Shard(ShardKey.UID, 1, total);
		assertThat(ShardTracker.decide(shard, true, null, new Received(enough - 1, Set.of(), 0))).isNull();
		assertThat(ShardTracker.decide(shard, true, null, new Received(enough, Set.of(), 0)))
			.isEqualTo(ShardMode.SERVER);
	}

	@ParameterizedTest
	@CsvSource({ "UID, stream", "NAMESPACE, stream", "UID, none", "NAMESPACE, none" })
	void onlyShardShouldHaveNoModeUnlessTheServerSaysIt(ShardKey key, String answered) {
		Shard only = new Shard(key, 0, 1);
		Received all = new Received(5_000, names("%d-team", 1_000), 0);
		String selector = answered.equals("none") ? "" : null;
		assertThat(ShardTracker.decide(only, false, selector, all)).isNull();
		assertThat(ShardTracker.decide(only, false, only.selector(), all)).isEqualTo(ShardMode.SERVER);
	}

	static Stream<Set<String>> namespacesThatComeTogether() {
		return Stream.of(Set.of(), Set.of("kube-system"), Set.of("", "a", "b", "c", "d", "e", "f", "g", "h", "i"),
				names("team-%d", 999), names("tenant-%02d", 100), names("ab%02d", 99));
	}

	@ParameterizedTest
	@MethodSource("namespacesThatComeTogether")
	void namespacesWithNearlyTheSameNameShouldProveNothing(Set<String> namespaces) {
		for (int total : new int[] { 2, 5 }) {
			Shard shard = new Shard(ShardKey.NAMESPACE, 0, total);
			assertThat(ShardTracker.decide(shard, true, null, new Received(5_000, namespaces, 0))).isNull();
		}
	}

	@Test
	void namespacesShouldCountByTheirNames() {
		Shard shard = new Shard(ShardKey.NAMESPACE, 0, 2);
		assertThat(ShardTracker.decide(shard, true, null, new Received(20, names("%02d-team", 19), 0))).isNull();
		assertThat(ShardTracker.decide(shard, true, null, new Received(20, names("%02d-team", 20), 0)))
			.isEqualTo(ShardMode.SERVER);
	}

	@Test
	void onlyListsOfWholeBuiltInObjectsShouldBeExpectedToRepeatTheSelector() {
		assertThat(modeWithoutSelector(ResourceType.of(V1Pod.class))).isEqualTo(ShardMode.CLIENT);
		assertThat(modeWithoutSelector(ResourceType.of(V1Pod.class).metadata())).isEqualTo(ShardMode.SERVER);
		assertThat(modeWithoutSelector(ResourceType.of(Widget.class))).isEqualTo(ShardMode.SERVER);
		assertThat(modeWithoutSelector(ResourceType.of(Widget.class).metadata())).isEqualTo(ShardMode.SERVER);
	}

	private static @Nullable ShardMode modeWithoutSelector(ResourceType<?> type) {
		ShardTracker tracker = ShardTracker.of("any", InformerSpec.of(type).withShard(FIRST_OF_TWO));
		tracker.listed("", answered(""), own(20));
		return tracker.status().mode();
	}

	@Test
	void foreignEventShouldMeanThatTheServerSendsEverything() {
		this.tracker.listed("", answered(FIRST_OF_TWO.selector()), own(3));
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		this.tracker.watchedForeign("");
		assertThat(mode()).isEqualTo(ShardMode.CLIENT);
		this.tracker.listed("", answered(FIRST_OF_TWO.selector()), own(3));
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		assertThat(this.tracker.status().foreign()).isEqualTo(1);
	}

	@Test
	void modeShouldNotOutliveTheListThatToldIt() {
		this.tracker.listed("", answered(null), own(20));
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		this.tracker.listed("", answered(null), own(3));
		assertThat(mode()).isNull();
		this.tracker.watchedForeign("");
		assertThat(mode()).isEqualTo(ShardMode.CLIENT);
		this.tracker.listed("", answered(null), own(3));
		assertThat(mode()).isNull();
	}

	@Test
	void partitionThatGetsEverythingShouldCountForAll() {
		assertThat(mode()).isNull();
		this.tracker.listed("a", answered(null), own(3));
		this.tracker.listed("b", answered(null), own(20));
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		this.tracker.listedForeign();
		this.tracker.listed("c", answered(null), new Received(20, Set.of("c"), 1));
		assertThat(mode()).isEqualTo(ShardMode.CLIENT);
		this.tracker.removed("c");
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
		this.tracker.removed("b");
		assertThat(mode()).isNull();
		assertThat(this.tracker.status().foreign()).isEqualTo(1);
	}

	@Test
	void lostServerMayHaveAnotherGateWhenItIsBack() {
		this.tracker.watchedForeign("a");
		this.tracker.serverLost("a");
		assertThat(mode()).isNull();
		this.tracker.watchedForeign("a");
		assertThat(mode()).isEqualTo(ShardMode.CLIENT);
		this.tracker.listed("a", answered(FIRST_OF_TWO.selector()), own(1));
		this.tracker.serverLost("a");
		assertThat(mode()).isEqualTo(ShardMode.SERVER);
	}

	@Test
	void startShouldForgetWhatWasKnown() {
		this.tracker.watchedForeign("");
		this.tracker.started();
		assertThat(this.tracker.status()).isEqualTo(new InformerStatus.Sharding(FIRST_OF_TWO, null, 0));
	}

	@Test
	void informerOnAllObjectsShouldHaveNone() {
		assertThat(ShardTracker.of("pods", InformerSpec.of(V1Pod.class))).isNull();
	}

	private @Nullable ShardMode mode() {
		return this.tracker.status().mode();
	}

	private static Received own(int objects) {
		return new Received(objects, Set.of("a"), 0);
	}

	private static Listing answered(@Nullable String selector) {
		return new Listing("7", false, ListReason.INITIAL, Duration.ZERO, selector);
	}

	private static Set<String> names(String pattern, int count) {
		return IntStream.rangeClosed(1, count).mapToObj(pattern::formatted).collect(Collectors.toSet());
	}

}
