package dev.kubeinformer.internal.codec;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.text.TextBytes;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

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
