package dev.kubeinformer.spring.settings;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerSpecDefaults;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnreadableClassException;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardKey;

/**
 * Creates {@link InformerSpec specs} from the settings of a handler or injection point
 * and the defaults in the configuration. A setting replaces its default; the two are
 * never combined.
 */
public final class InformerSpecs implements InformerSpecDefaults {

	private static final String ALL = "*";

	private static final String CURRENT = "@current";

	private final ConfiguredSettings configured;

	private final Supplier<String> currentNamespace;

	private final String clientPrefix;

	/**
	 * Creates a factory.
	 * @param configured the configuration
	 * @param currentNamespace the supplier of the namespace for {@code @current}; called
	 * only if a spec uses {@code @current}
	 */
	public InformerSpecs(ConfiguredSettings configured, Supplier<String> currentNamespace) {
		this(configured, currentNamespace, "kubernetes.client");
	}

	/**
	 * Creates a factory for one cluster.
	 * @param configured the configuration of the cluster
	 * @param currentNamespace the supplier of the namespace for {@code @current}; called
	 * only if a spec uses {@code @current}
	 * @param clientPrefix the prefix of the properties that may set a kubeconfig
	 */
	public InformerSpecs(ConfiguredSettings configured, Supplier<String> currentNamespace, String clientPrefix) {
		this.configured = configured;
		this.currentNamespace = currentNamespace;
		this.clientPrefix = clientPrefix;
	}

	/**
	 * Returns a factory for the same cluster with another configuration.
	 * @param configured the other configuration of the cluster
	 * @return the factory
	 */
	public InformerSpecs with(ConfiguredSettings configured) {
		return new InformerSpecs(configured, this.currentNamespace, this.clientPrefix);
	}

	/**
	 * Creates the spec for requested settings.
	 * @param <T> the model class
	 * @param where the requesting element, for messages
	 * @param type the resource
	 * @param asked the requested settings
	 * @return the spec
	 * @throws InformerConfigurationException if a value is not valid
	 */
	public <T extends KubernetesObject> InformerSpec<T> create(String where, ResourceType<T> type,
			InformerSettings asked) {
		InformerSettings explicit = asked.orElse(this.configured.forResource(type));
		InformerSettings settings = explicit.orElse(this.configured.forAll());
		// Common namespaces do not apply to cluster-scoped resources.
		List<String> namespaces = (type.namespaced() ? settings : explicit).get(Setting.NAMESPACES);
		Set<String> resolved = resolve(where, namespaces);
		if (!type.namespaced() && !resolved.isEmpty()) {
			throw new InformerConfigurationException(
					"%s names the namespaces %s, but '%s' are cluster-scoped: they are in no namespace".formatted(where,
							namespaces, type.name()),
					"Remove the namespaces, from the annotation or from what the configuration says about its id.",
					null);
		}
		try {
			return sharded(where,
					InformerSpec.of(type)
						.withNamespaces(resolved)
						.withLabelSelector(settings.get(Setting.LABEL_SELECTOR))
						.withFieldSelector(settings.get(Setting.FIELD_SELECTOR)),
					settings);
		}
		catch (UnreadableClassException ex) {
			throw new InformerConfigurationException("%s: %s".formatted(where, ex.getProblem()), ex.getAdvice(), ex);
		}
		catch (IllegalArgumentException ex) {
			throw InformerConfigurationException.ofValue("%s: %s".formatted(where, ex.getMessage()), ex);
		}
	}

	private <T extends KubernetesObject> InformerSpec<T> sharded(String where, InformerSpec<T> spec,
			InformerSettings settings) {
		Shard shard = this.configured.shard();
		Shards shards = this.configured.shards();
		ShardKey common = (shard != null) ? shard.key() : (shards != null) ? shards.division().key() : null;
		ShardKey key = (common != null) ? shardKey(where, spec.type(), settings, common) : null;
		if (key == null) {
			return spec;
		}
		return (shards != null) ? spec.withShards(KeyedShards.of(shards, key))
				: spec.withShard((shard != null) ? new Shard(key, shard.index(), shard.total()) : null);
	}

	private @Nullable ShardKey shardKey(String where, ResourceType<?> type, InformerSettings settings,
			ShardKey common) {
		Boolean sharded = settings.get(Setting.SHARDED);
		if (Boolean.FALSE.equals(sharded)) {
			return null;
		}
		ResourceShardKey key = settings.get(Setting.SHARD_KEY);
		if (key == null) {
			// Cluster-scoped objects have no namespace, so they cannot be sharded by it.
			key = (common == ShardKey.UID) ? ResourceShardKey.UID
					: type.namespaced() ? ResourceShardKey.NAMESPACE : ResourceShardKey.NONE;
		}
		if (key == ResourceShardKey.NONE && sharded != null) {
			throw notShared(where, type, settings);
		}
		if (key == ResourceShardKey.NAMESPACE && !type.namespaced()) {
			throw new InformerConfigurationException(
					"'%s' is 'namespace', but '%s' are cluster-scoped: they are in no namespace"
						.formatted(shardKeyProperty(type), type.name()),
					"Set it to 'uid', or to 'none' for all of them on each replica.", null);
		}
		return switch (key) {
			case UID -> ShardKey.UID;
			case NAMESPACE -> ShardKey.NAMESPACE;
			case NONE -> null;
		};
	}

	private InformerConfigurationException notShared(String where, ResourceType<?> type, InformerSettings settings) {
		String property = shardKeyProperty(type);
		String contradiction = (settings.get(Setting.SHARD_KEY) != null) ? "'%s' is 'none'".formatted(property)
				: "'%s' are in no namespace to be shared by".formatted(type.name());
		return new InformerConfigurationException(
				"%s has 'sharded' set to 'true', but %s".formatted(where, contradiction),
				("Set '%s' to 'uid', or leave 'sharded' out of the annotation and of what the configuration says about "
						+ "its id, for all of them on each replica.")
					.formatted(property),
				null);
	}

	/**
	 * Returns the property that sets the shard key of a resource, for messages.
	 * @param type the resource
	 * @return the name of the property
	 */
	public String shardKeyProperty(ResourceType<?> type) {
		return PropertyRanges.entry(this.configured.prefix() + ".resources", type.name()) + ".shard-key";
	}

	/**
	 * Returns whether the configuration excludes the objects of a resource from sharding.
	 * @param type the resource
	 * @return {@code true} if each replica has all objects
	 */
	public boolean isWhole(ResourceType<?> type) {
		return this.configured.forResource(type).get(Setting.SHARD_KEY) == ResourceShardKey.NONE;
	}

	/**
	 * Creates the spec for {@link dev.kubeinformer.Informers} that are requested by class
	 * alone.
	 */
	@Override
	public <T extends KubernetesObject> InformerSpec<T> apply(InformerSpec<T> spec) {
		return create("Informer on '%s'".formatted(spec.type().name()), spec.type(), InformerSettings.none());
	}

	/**
	 * Checks namespaces as written. They are either only {@code *}, or names and
	 * {@code @current}.
	 * @param namespaces the namespaces
	 * @throws IllegalArgumentException if a name is not valid, or {@code *} is not the
	 * only element
	 */
	public static void checkNamespaces(List<String> namespaces) {
		Set<String> names = new LinkedHashSet<>(namespaces);
		if (names.remove(ALL) && !names.isEmpty()) {
			throw new IllegalArgumentException(allAndOthers(namespaces));
		}
		names.remove(CURRENT);
		InformerSpec.of(V1Pod.class).withNamespaces(names);
	}

	private static String allAndOthers(@Nullable List<String> namespaces) {
		return "'%s' among the namespaces %s means all of the cluster already; write '%s' alone, or only names"
			.formatted(ALL, namespaces, ALL);
	}

	private Set<String> resolve(String where, @Nullable List<String> namespaces) {
		Set<String> resolved = new TreeSet<>();
		for (String namespace : (namespaces != null) ? namespaces : List.<String>of()) {
			resolved.add(namespace.equals(CURRENT) ? currentNamespace(where) : namespace);
		}
		if (resolved.remove(ALL) && !resolved.isEmpty()) {
			throw InformerConfigurationException.ofValue("%s: %s".formatted(where, allAndOthers(namespaces)));
		}
		return resolved;
	}

	private String currentNamespace(String where) {
		try {
			return this.currentNamespace.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InformerConfigurationException("%s: %s".formatted(where, ex.getMessage()),
					"Write the name of the namespace instead of '%s', or set '%s.kubeconfig'.".formatted(CURRENT,
							this.clientPrefix),
					ex);
		}
	}

}
