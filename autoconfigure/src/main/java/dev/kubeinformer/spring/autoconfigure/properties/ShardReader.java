package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Reads the shard of this replica from the properties, which must be set together.
 *
 * @param settings the reader of settings
 */
record ShardReader(SettingsReader settings) {

	private static final String PREFIX = InformersProperties.PREFIX + ".shard.";

	private static final Logger logger = LoggerFactory.getLogger(ShardReader.class);

	private static final String KEY = "Set it to 'uid' for even shares, or to 'namespace' to keep the objects of a namespace "
			+ "together. It has no default.";

	static final String TOTAL = "Set it to the number of replicas that share the objects, the same for all of them.";

	/**
	 * Reads the shard and logs it.
	 * @param properties the properties
	 * @return the shard; {@code null} if none of the properties is set
	 * @throws InformerConfigurationException if a property is missing, or the shard does
	 * not exist
	 */
	@Nullable Shard read(InformersProperties properties) {
		Shard shard = read(properties.shard());
		if (shard != null) {
			List<String> whole = new ArrayList<>();
			properties.resources().forEach((resource, own) -> {
				if (own.shardKey() == ResourceShardKey.NONE) {
					whole.add(resource);
				}
			});
			logger.info("This replica has shard {}{}", shard,
					whole.isEmpty() ? "" : "; it has all objects of: " + String.join(", ", whole));
		}
		else if (Stream.of("key", "index", "total").anyMatch((name) -> this.settings.raw(PREFIX + name) != null)) {
			logger.info("This replica has all objects: 'kubernetes.informers.shard' is blank");
		}
		return shard;
	}

	private @Nullable Shard read(InformersProperties.Shard properties) {
		if (Stream.of(properties.key(), properties.index(), properties.total()).allMatch(Objects::isNull)) {
			return null;
		}
		ShardKey key = required("key", properties.key(), KEY);
		int total = required("total", properties.total(), TOTAL);
		if (total < 1) {
			throw new InformerConfigurationException(
					"'%stotal' is '%d', and there must be at least 1 shard".formatted(PREFIX, total), TOTAL);
		}
		int index = required("index", properties.index(), indexAction(total));
		if (index < 0 || index >= total) {
			throw new InformerConfigurationException("'%sindex' is '%d', which is not one of the %d shards of '%stotal'"
				.formatted(PREFIX, index, total, PREFIX), indexAction(total));
		}
		return new Shard(key, index, total);
	}

	private static String indexAction(int total) {
		return indexAction("from 0 to %d".formatted(total - 1));
	}

	static String indexAction(String range) {
		return ("Set it to the index of this replica, %s, another one for each. In a StatefulSet it is the "
				+ "label 'apps.kubernetes.io/pod-index' of the pod: hand it over as the environment variable "
				+ "KUBERNETES_INFORMERS_SHARD_INDEX by the downward API, with the fieldPath "
				+ "metadata.labels['apps.kubernetes.io/pod-index'].")
			.formatted(range);
	}

	private <V> V required(String name, @Nullable V value, String action) {
		if (value != null) {
			return value;
		}
		String written = this.settings.raw(PREFIX + name);
		String problem = (written != null) ? "is '%s', which resolves to an empty value".formatted(written)
				: "is missing, while related properties are set";
		throw new InformerConfigurationException("'%s%s' %s".formatted(PREFIX, name, problem), action);
	}

}
