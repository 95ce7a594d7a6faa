package dev.kubeinformer.types;

import java.util.HexFormat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Hashes and their ranges as KEP-5866 has them: one that is off by one is found by no
 * object that a test would create.
 */
class ShardTests {

	@ParameterizedTest
	@CsvSource({ "0, 1, 0x0000000000000000, 0x10000000000000000", "0, 2, 0x0000000000000000, 0x8000000000000000",
			"1, 2, 0x8000000000000000, 0x10000000000000000", "0, 3, 0x0000000000000000, 0x5555555555555555",
			"1, 3, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa", "2, 3, 0xaaaaaaaaaaaaaaaa, 0x10000000000000000" })
	void selectorShouldBeThatOfTheApiServer(int index, int total, String start, String end) {
		assertThat(new Shard(ShardKey.UID, index, total).selector())
			.isEqualTo("shardRange(object.metadata.uid, '%s', '%s')", start, end);
		assertThat(new Shard(ShardKey.NAMESPACE, index, total).selector())
			.isEqualTo("shardRange(object.metadata.namespace, '%s', '%s')", start, end);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 7, 64, 1000 })
	void rangesShouldFollowEachOtherFromTheFirstHashToTheLast(int total) {
		long next = 0;
		for (int index = 0; index < total; index++) {
			Shard shard = new Shard(ShardKey.UID, index, total);
			assertThat(shard.firstHash()).isEqualTo(next);
			assertThat(shard.containsHash(shard.firstHash())).isTrue();
			assertThat(shard.containsHash(shard.lastHash())).isTrue();
			// The neighbours of the only shard are its own ends.
			assertThat(shard.containsHash(shard.firstHash() - 1)).isEqualTo(total == 1);
			assertThat(shard.containsHash(shard.lastHash() + 1)).isEqualTo(total == 1);
			next = shard.lastHash() + 1;
			String end = (index == total - 1) ? "10000000000000000" : HexFormat.of().toHexDigits(next);
			assertThat(shard.selector()).endsWith(", '0x" + end + "')");
		}
		assertThat(next).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "'', cbf29ce484222325", "a, af63dc4c8601ec8c", "foobar, 85944171f73967e8", "ä, 0ac21207b7181582",
			"default, ebada5168620c5fe" })
	void hashShouldBeFnv1aOfTheBytes(String text, String hash) {
		assertThat(Shard.hash(text)).isEqualTo(Long.parseUnsignedLong(hash, 16));
	}

	@ParameterizedTest
	@CsvSource({ "0, 0, 'Invalid number of shards ''0'': use at least 1'",
			"-1, 2, 'Invalid index ''-1'' for 2 shards: use 0 to 1'",
			"2, 2, 'Invalid index ''2'' for 2 shards: use 0 to 1'" })
	void shardThatThereIsNotShouldBeRefused(int index, int total, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Shard(ShardKey.UID, index, total))
			.withMessage(message);
	}

}
