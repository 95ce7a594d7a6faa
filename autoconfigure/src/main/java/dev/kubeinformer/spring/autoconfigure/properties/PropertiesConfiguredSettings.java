package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;
import dev.kubeinformer.types.Shard;

/**
 * The {@link ConfiguredSettings} of {@link InformersProperties} and
 * {@link ReconcilersProperties}.
 */
public final class PropertiesConfiguredSettings implements ConfiguredSettings {

	private static final String PREFIX = "kubernetes.informers.";

	private static final InformerSettings DEFAULTS = InformerSettings
		.of(Map.of("retry.maxRetries", 5, "retry.delay", Duration.ofSeconds(1), "retry.multiplier", 2.0,
				"retry.maxDelay", Duration.ofMinutes(1), "retry.jitter", Duration.ofMillis(200)));

	/** Properties for all handlers; 'auto-startup' there is that of the informers. */
	private static final Set<String> FOR_ALL = Set.of("namespaces", "resync", "concurrency", "queueCapacity",
			"waitForCaches");

	private final InformersProperties properties;

	private final ReconcilersProperties reconcilers;

	private final Map<String, ReconcilersProperties.Reconciler> reconcilerEntries;

	private final SettingsReader reader;

	private final Map<String, ClusterProperties> clusters;

	private final @Nullable Shard shard;

	public PropertiesConfiguredSettings(InformersProperties properties, ReconcilersProperties reconcilers,
			Map<String, ClusterProperties> clusters, Environment environment) {
		this.clusters = clusters;
		this.properties = properties;
		this.reconcilers = reconcilers;
		this.reconcilerEntries = properties.isEnabled() ? ReconcilerEntries.read(environment) : Map.of();
		this.reader = new SettingsReader(environment);
		this.shard = properties.isEnabled() ? new ShardReader(this.reader).read(properties) : null;
	}

	@Override
	public boolean isEnabled() {
		return this.properties.isEnabled();
	}

	@Override
	public @Nullable Shard shard() {
		return this.shard;
	}

	@Override
	public InformerSettings forHandler(String id) {
		return this.reader.merge(this.properties.getHandlers(), id, (key, property) -> name("handlers", key, property));
	}

	@Override
	public InformerSettings forResource(ResourceType<?> type) {
		return this.reader.merge(this.properties.getResources(), type.name(),
				(key, property) -> name("resources", key, property));
	}

	@Override
	public InformerSettings forAll() {
		Map<String, @Nullable Object> values = PropertyPaths.values(this.properties);
		values.keySet().removeIf((path) -> !FOR_ALL.contains(path) && !path.startsWith("retry."));
		values.put(Setting.READINESS.name(), this.properties.getHealth().isReadiness());
		return this.reader.read((property) -> PREFIX + property, values).orElse(DEFAULTS);
	}

	@Override
	public Integer concurrentLists() {
		return this.properties.getConcurrentLists();
	}

	@Override
	public InformerSettings forReconciler(String id) {
		return this.reader.merge(this.reconcilerEntries, id, ReconcilerEntries::name);
	}

	@Override
	public InformerSettings forReconcilers() {
		Map<String, @Nullable Object> values = PropertyPaths.values(this.reconcilers.getDefaults());
		values.put(Setting.READINESS.name(), this.properties.getHealth().isReadiness());
		return this.reader.read((property) -> ReconcilerEntries.name(ReconcilersProperties.DEFAULTS, property), values);
	}

	@Override
	public Set<String> handlerKeys() {
		return this.properties.getHandlers().keySet();
	}

	@Override
	public Set<String> reconcilerKeys() {
		return this.reconcilerEntries.keySet();
	}

	@Override
	public Set<String> resourceKeys() {
		return this.properties.getResources().keySet();
	}

	@Override
	public ConfiguredSettings forCluster(String cluster) {
		return cluster.equals(InformerClusters.DEFAULT) ? this : new ClusterConfiguredSettings(cluster,
				this.clusters.getOrDefault(cluster, new ClusterProperties()), this, this.reader);
	}

	@Override
	public Duration drainTimeout() {
		return this.properties.getShutdown().getDrainTimeout();
	}

	private static String name(String map, String key, String property) {
		return PropertyPaths.entry(PREFIX + map, key) + "." + property;
	}

}
