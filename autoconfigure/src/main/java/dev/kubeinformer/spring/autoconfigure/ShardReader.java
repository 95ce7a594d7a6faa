package dev.kubeinformer.spring.autoconfigure;

import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Reader of the shard of this replica from the properties, which are all there or none.
 */
final class ShardReader {

	private static final String PREFIX = InformersProperties.PREFIX + ".shard.";

	private final SettingsReader settings;

	ShardReader(SettingsReader settings) {
		this.settings = settings;
	}

	/**
	 * Reads the shard.
	 * @param properties the properties
	 * @return the shard; {@code null} if none of them is set
	 * @throws InvalidShardException if one is missing, or there is no such shard
	 */
	@Nullable Shard read(InformersProperties.Shard properties) {
		if (Stream.of(properties.getKey(), properties.getIndex(), properties.getTotal()).allMatch(Objects::isNull)) {
			return null;
		}
		ShardKey key = required("key", properties.getKey(), InvalidShardException.KEY);
		int total = required("total", properties.getTotal(), InvalidShardException.TOTAL);
		if (total < 1) {
			throw new InvalidShardException(
					"'%stotal' is '%d', and there must be at least 1 shard".formatted(PREFIX, total),
					InvalidShardException.TOTAL);
		}
		int index = required("index", properties.getIndex(), InvalidShardException.indexAction(total));
		if (index < 0 || index >= total) {
			throw new InvalidShardException("'%sindex' is '%d', which is none of the %d shards of '%stotal'"
				.formatted(PREFIX, index, total, PREFIX), InvalidShardException.indexAction(total));
		}
		return new Shard(key, index, total);
	}

	private <V> V required(String name, @Nullable V value, String action) {
		if (value != null) {
			return value;
		}
		String written = this.settings.raw(PREFIX + name);
		String problem = (written != null) ? "is '%s', of which nothing is left when it is resolved".formatted(written)
				: "is missing, while others beside it are set";
		throw new InvalidShardException("'%s%s' %s".formatted(PREFIX, name, problem), action);
	}

}
