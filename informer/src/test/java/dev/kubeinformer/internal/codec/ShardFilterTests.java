package dev.kubeinformer.internal.codec;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which objects are foreign, by their bytes and by their texts.
 */
class ShardFilterTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 1000 })
	void eachObjectShouldBeInOneShardOnly(int total) {
		Random random = new Random(total);
		for (int i = 0; i < 200; i++) {
			String uid = new UUID(random.nextLong(), random.nextLong()).toString();
			int shards = 0;
			for (int index = 0; index < total; index++) {
				Shard shard = new Shard(ShardKey.UID, index, total);
				boolean foreign = ShardFilter.of(shard).isForeign(identity("blog", "a", uid));
				assertThat(foreign).isNotEqualTo(shard.contains("blog", uid));
				shards += foreign ? 0 : 1;
			}
			assertThat(shards).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "0x0, 0x7fffffffffffffff", "0x8000000000000000, 0xffffffffffffffff",
			"0x3333333333333333, 0xcccccccccccccccb", "0x0, 0xffffffffffffffff", "0x7, 0x7" })
	void rangeShouldHoldItsBoundsAndWhatIsBetween(String first, String last) {
		long low = Long.parseUnsignedLong(first.substring(2), 16);
		long high = Long.parseUnsignedLong(last.substring(2), 16);
		ShardFilter range = new ShardFilter(ShardKey.UID, low, high, "");
		assertThat(range.contains(low)).isTrue();
		assertThat(range.contains(high)).isTrue();
		assertThat(range.contains(low + Long.divideUnsigned(high - low, 2))).isTrue();
		boolean everything = low == high + 1;
		assertThat(range.contains(low - 1)).isEqualTo(everything);
		assertThat(range.contains(high + 1)).isEqualTo(everything);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "blog", "bücher", "\ud83d\ude00" })
	void namespaceShouldBeHashedAsUtf8(String namespace) {
		for (int index = 0; index < 5; index++) {
			Shard shard = new Shard(ShardKey.NAMESPACE, index, 5);
			ShardFilter filter = ShardFilter.of(shard);
			boolean foreign = !shard.contains(namespace, "u");
			assertThat(filter.isForeign(identity(namespace, "a", "u"))).isEqualTo(foreign);
			assertThat(filter.isForeign(decoded(namespace, "a", "u", "object"))).isEqualTo(foreign);
			assertThat(filter.isForeign(decoded(namespace, "a", "", null))).isEqualTo(foreign);
		}
	}

	@ParameterizedTest
	@EnumSource(ShardKey.class)
	void whatCannotBeIdentifiedShouldNotBeForeign(ShardKey key) {
		for (int index = 0; index < 4; index++) {
			ShardFilter filter = ShardFilter.of(new Shard(key, index, 4));
			assertThat(filter.isForeign(identity("", "", ""))).isFalse();
			assertThat(filter.isForeign(decoded("", "", "", null))).isFalse();
		}
	}

	@Test
	void unreadableObjectWithoutUidShouldNotBeForeignByUid() {
		for (int index = 0; index < 4; index++) {
			ShardFilter filter = ShardFilter.of(new Shard(ShardKey.UID, index, 4));
			assertThat(filter.isForeign(identity("blog", "a", ""))).isFalse();
			assertThat(filter.isForeign(decoded("blog", "a", "", null))).isFalse();
			assertThat(filter.isForeign(decoded("blog", "a", "", "object")))
				.isNotEqualTo(new Shard(ShardKey.UID, index, 4).contains("blog", ""));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 64, 100, 1024 })
	void filterOfSlotsShouldHoldTheirObjectsOnly(int total) {
		Random random = new Random(total);
		Slots division = new Slots(ShardKey.UID, total);
		for (int round = 0; round < 20; round++) {
			Set<Integer> slots = new TreeSet<>();
			for (int slot = 0; slot < total; slot++) {
				if (random.nextInt(3) > 0) {
					slots.add(slot);
				}
			}
			ShardFilter filter = ShardFilter.of(division, slots);
			for (int i = 0; i < 200; i++) {
				String uid = new UUID(random.nextLong(), random.nextLong()).toString();
				assertThat(filter.isForeign(identity("blog", "a", uid)))
					.isNotEqualTo(slots.contains(division.slotOf("blog", uid)));
			}
			for (int slot : slots) {
				assertThat(filter.contains(division.slot(slot).firstHash())).isTrue();
				assertThat(filter.contains(division.slot(slot).lastHash())).isTrue();
			}
			assertThat(filter.selector().split(Pattern.quote(" || ")))
				.hasSizeLessThanOrEqualTo(ShardFilter.MOST_RANGES);
		}
	}

	@Test
	void adjacentSlotsShouldBeOneRange() {
		Slots division = new Slots(ShardKey.UID, 4);
		assertThat(ShardFilter.of(division, Set.of(0, 1, 2, 3)).selector())
			.isEqualTo("shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')");
		assertThat(ShardFilter.of(division, Set.of(3, 0, 1)).selector())
			.isEqualTo("shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')"
					+ " || shardRange(object.metadata.uid, '0xc000000000000000', '0x10000000000000000')");
		assertThat(ShardFilter.of(division, Set.of(2)).selector()).isEqualTo(division.slot(2).selector());
		ShardFilter none = ShardFilter.of(division, Set.of());
		assertThat(none.selector()).isEmpty();
		assertThat(none.contains(0)).isFalse();
	}

	@Test
	void manyRangesShouldBeJoinedWhereTheyAreClosest() {
		Slots division = new Slots(ShardKey.UID, 1024);
		Set<Integer> slots = new TreeSet<>();
		for (int i = 0; i < ShardFilter.MOST_RANGES; i++) {
			slots.add(i * 10);
		}
		slots.add(312);
		ShardFilter filter = ShardFilter.of(division, slots);
		assertThat(filter.selector()).contains(division.selector(310, 312)).contains(division.selector(300, 300));
		// Only the selector is wider.
		assertThat(filter.contains(division.slot(311).firstHash())).isFalse();
	}

	private static ObjectIdentity identity(String namespace, String name, String uid) {
		ObjectIdentity identity = new ObjectIdentity();
		set(identity.namespace(), namespace);
		set(identity.name(), name);
		set(identity.uid(), uid);
		return identity;
	}

	private static void set(TextBytes target, String text) {
		byte[] bytes = ("x" + text + "x").getBytes(StandardCharsets.UTF_8);
		target.set(bytes, 1, bytes.length - 1);
	}

	private static DecodedObject<String> decoded(String namespace, String name, String uid, String object) {
		return new DecodedObject<>(new ObjectMetadata(namespace, name, uid, "1"), object,
				(object != null) ? null : "unreadable");
	}

}
