package dev.kubeinformer.types;

import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The table of {@code docs/large-caches.md}: how even five shares are. The ranges are
 * those of the API server, so that this is not for us to choose.
 */
class ShardEvennessTests {

	private static final int TOTAL = 5;

	/** Characters of the random names of Kubernetes. */
	private static final String SUFFIX = "bcdfghjklmnpqrstvwxz2456789";

	static Stream<Arguments> keys() {
		Random random = new Random(20261126);
		return Stream.of(arguments(ShardKey.NAMESPACE, keys(100, "team-%d"::formatted), 90, 0),
				arguments(ShardKey.NAMESPACE, keys(100, "team-%03d"::formatted), 100, 0),
				arguments(ShardKey.NAMESPACE, keys(100, "team-%d-prod"::formatted), 21, 18),
				arguments(ShardKey.NAMESPACE, keys(100, (i) -> "team-" + suffix(random)), 28, 15),
				arguments(ShardKey.UID, keys(100, (i) -> uid(random)), 27, 16),
				arguments(ShardKey.UID, keys(10_000, (i) -> uid(random)), 21, 20));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void sharesShouldBeAsEvenAsTheDocumentationSays(ShardKey key, String[] keys, int largest, int smallest) {
		int[] shares = IntStream.range(0, TOTAL)
			.map((index) -> percent(new Shard(key, index, TOTAL), keys))
			.sorted()
			.toArray();
		assertThat(shares[TOTAL - 1]).as(Arrays.toString(shares)).isEqualTo(largest);
		assertThat(shares[0]).as(Arrays.toString(shares)).isEqualTo(smallest);
	}

	private static int percent(Shard shard, String[] keys) {
		long own = Arrays.stream(keys).filter((key) -> shard.contains(key, key)).count();
		return (int) Math.round(100.0 * own / keys.length);
	}

	private static String[] keys(int count, IntFunction<String> key) {
		return IntStream.rangeClosed(1, count).mapToObj(key).toArray(String[]::new);
	}

	private static String suffix(Random random) {
		return random.ints(5, 0, SUFFIX.length())
			.mapToObj((i) -> String.valueOf(SUFFIX.charAt(i)))
			.collect(Collectors.joining());
	}

	private static String uid(Random random) {
		byte[] seed = new byte[16];
		random.nextBytes(seed);
		return UUID.nameUUIDFromBytes(seed).toString();
	}

}
