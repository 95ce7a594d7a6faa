package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.ResourceShardKey;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

/**
 * Reads the shard of this replica from the properties. A fixed shard needs its key, index
 * and total.
 *
 * @param settings the reader of settings
 */
record ShardReader(SettingsReader settings) {

	private static final String PREFIX = InformersProperties.PREFIX + ".shard.";

	/** Properties that only apply to fixed shards. */
	private static final List<String> OF_STATIC = List.of("index", "total");

	/** Properties that only apply to moving shards. */
	private static final List<String> OF_LEASES = List.of("slots", "group", "identity", "cluster", "lease-namespace",
			"lease-duration", "renew-deadline", "retry-period", "settle-time", "sync-timeout", "unheld-after");

	private static final Logger logger = LoggerFactory.getLogger(ShardReader.class);

	private static final String KEY = "Set it to 'uid' for even shares, or to 'namespace' to keep the objects of a namespace "
			+ "together. It has no default.";

	static final String TOTAL = "Set it to the number of replicas that share the objects, the same for all of them.";

	static final String SLOTS = "Set it to a number from 1 to 1024 that is several times the highest number of replicas, the "
			+ "same for all of them. It cannot change while a replica is running. The default is 64.";

	/**
	 * Reads the shard and logs it.
	 * @param properties the properties
	 * @return the shard; {@code null} if none of the properties is set, slots move, or
	 * the mode is 'none'
	 * @throws InformerConfigurationException if a property is missing or has no effect in
	 * the mode, or the shard does not exist
	 */
	@Nullable Shard read(InformersProperties properties) {
		Shard shard = read(properties.shard());
		if (properties.shard().mode() == InformersProperties.Shard.Mode.LEASES) {
			logger.info("This replica shares {} slots by {} with other replicas{}", properties.shard().slots(),
					Objects.requireNonNull(properties.shard().key()).name().toLowerCase(Locale.ROOT),
					whole(properties));
		}
		else if (shard != null) {
			logger.info("This replica has shard {}{}", shard, whole(properties));
		}
		else if (properties.shard().mode() == InformersProperties.Shard.Mode.NONE) {
			logger.info("This replica has all objects: 'kubernetes.informers.shard.mode' is 'none'");
		}
		else if (Stream.of("key", "index", "total").anyMatch((name) -> this.settings.raw(PREFIX + name) != null)) {
			logger.info("This replica has all objects: 'kubernetes.informers.shard' is blank");
		}
		return shard;
	}

	private static String whole(InformersProperties properties) {
		List<String> whole = new ArrayList<>();
		properties.resources().forEach((resource, own) -> {
			if (own.shardKey() == ResourceShardKey.NONE) {
				whole.add(resource);
			}
		});
		return whole.isEmpty() ? "" : "; it has all objects of: " + String.join(", ", whole);
	}

	private @Nullable Shard read(InformersProperties.Shard properties) {
		if (properties.mode() == InformersProperties.Shard.Mode.LEASES) {
			checkMoving(properties);
			return null;
		}
		if (properties.mode() == InformersProperties.Shard.Mode.NONE) {
			return null;
		}
		rejectWritten(OF_LEASES, "static",
				"Set '%1$smode' to 'leases' so that slots move between the replicas, to 'none' so that each replica has "
						+ "all objects, or remove '%2$s%3$s': in the mode 'static' each replica has the shard of its "
						+ "index.");
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

	private void checkMoving(InformersProperties.Shard properties) {
		rejectWritten(OF_STATIC, "leases",
				"Remove '%2$s%3$s': the replicas agree by their Leases which slots each of them holds. For a fixed "
						+ "shard of each replica, set '%1$smode' to 'static'.");
		required("key", properties.key(), KEY);
		try {
			new Slots(ShardKey.UID, properties.slots());
		}
		catch (IllegalArgumentException ex) {
			throw InvalidPropertyValueException.wrong(PREFIX + "slots", ex);
		}
	}

	private void rejectWritten(List<String> names, String mode, String action) {
		for (String name : names) {
			if (StringUtils.hasText(this.settings.raw(PREFIX + name))) {
				throw new InformerConfigurationException("'%s%s' is set, but has no effect because '%smode' is '%s'"
					.formatted(PREFIX, name, PREFIX, mode), action.formatted(PREFIX, PREFIX, name));
			}
		}
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
