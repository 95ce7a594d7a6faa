package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.PropertyRanges;
import dev.kubeinformer.spring.settings.Setting;
import dev.kubeinformer.types.Shard;

/**
 * {@link ConfiguredSettings} from {@link InformersProperties} and
 * {@link ReconcilersProperties}. For a named cluster, its own {@link ClusterProperties}
 * take precedence.
 */
public final class PropertiesConfiguredSettings implements ConfiguredSettings {

	private static final InformerSettings DEFAULTS = InformerSettings
		.of(Map.of("retry.maxRetries", 5, "retry.delay", Duration.ofSeconds(1), "retry.multiplier", 2.0,
				"retry.maxDelay", Duration.ofMinutes(1), "retry.jitter", Duration.ofMillis(200)));

	/**
	 * Properties directly below the prefix that apply to all handlers. 'auto-startup' is
	 * missing, because directly below the prefix it applies to informers.
	 */
	private static final Set<String> FOR_ALL = Set.of("namespaces", "resync", "concurrency", "queueCapacity",
			"waitForCaches");

	private final InformersProperties properties;

	private final ReconcilersProperties reconcilers;

	private final Map<String, ReconcilersProperties.Reconciler> reconcilerEntries;

	private final SettingsReader reader;

	private final Map<String, ClusterProperties> clusters;

	private final @Nullable Shard shard;

	/** Supplier of the shard slots of each replica; {@code null} if no slots move. */
	private final @Nullable Supplier<Shards> shards;

	/** Prefix of the properties of the cluster's informers. */
	private final String prefix;

	/** Properties of the cluster; {@code null} for the default cluster. */
	private final @Nullable ClusterProperties own;

	/**
	 * Creates the settings of the default cluster.
	 * @param properties the properties of informers
	 * @param reconcilers the properties of reconcilers
	 * @param clusters the properties of the named clusters
	 * @param environment the environment
	 * @param shards the supplier of the shard slots of each replica; called only if slots
	 * move
	 */
	public PropertiesConfiguredSettings(InformersProperties properties, ReconcilersProperties reconcilers,
			Map<String, ClusterProperties> clusters, Environment environment, Supplier<Shards> shards) {
		this.clusters = clusters;
		this.properties = properties;
		this.reconcilers = reconcilers;
		this.reconcilerEntries = properties.enabled() ? ReconcilerEntries.read(environment) : Map.of();
		this.reader = new SettingsReader(environment);
		this.shard = properties.enabled() ? new ShardReader(this.reader).read(properties) : null;
		this.shards = (properties.enabled() && properties.shard().mode() == InformersProperties.Shard.Mode.LEASES)
				? shards : null;
		this.prefix = InformersProperties.PREFIX;
		this.own = null;
	}

	private PropertiesConfiguredSettings(PropertiesConfiguredSettings all, String prefix, ClusterProperties own) {
		this.clusters = all.clusters;
		this.properties = all.properties;
		this.reconcilers = all.reconcilers;
		this.reconcilerEntries = all.reconcilerEntries;
		this.reader = all.reader;
		this.shard = all.shard;
		this.shards = all.shards;
		this.prefix = prefix;
		this.own = own;
	}

	@Override
	public boolean isEnabled() {
		return this.properties.enabled();
	}

	@Override
	public @Nullable Shard shard() {
		return this.shard;
	}

	@Override
	public @Nullable Shards shards() {
		return (this.shards != null) ? this.shards.get() : null;
	}

	@Override
	public InformerSettings forHandler(String id) {
		return this.reader.merge(InformersProperties.PREFIX + ".handlers", this.properties.handlers(), id);
	}

	@Override
	public InformerSettings forResource(ResourceType<?> type) {
		InformerSettings all = this.reader.merge(InformersProperties.PREFIX + ".resources", this.properties.resources(),
				type.name());
		return (this.own != null)
				? this.reader.merge(this.prefix + ".resources", this.own.informers().resources(), type.name())
					.orElse(all)
				: all;
	}

	@Override
	public InformerSettings forAll() {
		InformerSettings all = readiness().orElse(forAll(InformersProperties.PREFIX, this.properties)).orElse(DEFAULTS);
		return (this.own != null) ? forAll(this.prefix, this.own.informers()).orElse(all) : all;
	}

	private InformerSettings forAll(String prefix, Record properties) {
		Map<String, @Nullable Object> values = SettingsReader.values(properties);
		values.keySet().removeIf((path) -> !FOR_ALL.contains(path) && !path.startsWith("retry."));
		return this.reader.read(prefix, values);
	}

	@Override
	public Integer concurrentLists() {
		Integer lists = (this.own != null) ? this.own.informers().concurrentLists() : null;
		return (lists != null) ? lists : this.properties.concurrentLists();
	}

	@Override
	public InformerSettings forReconciler(String id) {
		return this.reader.merge(ReconcilersProperties.PREFIX, this.reconcilerEntries, id);
	}

	@Override
	public InformerSettings forReconcilers() {
		return readiness()
			.orElse(this.reader.read(PropertyRanges.entry(ReconcilersProperties.PREFIX, ReconcilersProperties.DEFAULTS),
					SettingsReader.values(this.reconcilers.defaults())));
	}

	private InformerSettings readiness() {
		boolean counts = this.properties.health().readiness() && (this.own == null || this.own.readiness());
		return InformerSettings.of(Map.of(Setting.READINESS.name(), counts));
	}

	@Override
	public Set<String> handlerKeys() {
		return this.properties.handlers().keySet();
	}

	@Override
	public Set<String> reconcilerKeys() {
		return this.reconcilerEntries.keySet();
	}

	@Override
	public Set<String> resourceKeys() {
		return ((this.own != null) ? this.own.informers().resources() : this.properties.resources()).keySet();
	}

	@Override
	public String prefix() {
		return this.prefix;
	}

	@Override
	public ConfiguredSettings forCluster(String cluster) {
		if (cluster.equals(InformerClusters.DEFAULT)) {
			return this;
		}
		ClusterProperties configured = this.clusters.get(cluster);
		return new PropertiesConfiguredSettings(this, ClusterEntries.name(cluster, "informers"),
				(configured != null) ? configured : ClusterProperties.none());
	}

	@Override
	public Duration drainTimeout() {
		return this.properties.shutdown().drainTimeout();
	}

}
