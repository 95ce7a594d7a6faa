package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;
import dev.kubeinformer.types.Shard;

/**
 * The {@link ConfiguredSettings} of a cluster that has a name: its own, and else those of
 * all clusters.
 */
final class ClusterConfiguredSettings implements ConfiguredSettings {

	private final String cluster;

	private final ClusterProperties properties;

	private final ConfiguredSettings all;

	private final SettingsReader reader;

	ClusterConfiguredSettings(String cluster, ClusterProperties properties, ConfiguredSettings all,
			SettingsReader reader) {
		this.cluster = cluster;
		this.properties = properties;
		this.all = all;
		this.reader = reader;
	}

	@Override
	public boolean isEnabled() {
		return this.all.isEnabled();
	}

	@Override
	public @Nullable Shard shard() {
		return this.all.shard();
	}

	@Override
	public InformerSettings forHandler(String id) {
		return this.all.forHandler(id);
	}

	@Override
	public InformerSettings forReconciler(String id) {
		return this.all.forReconciler(id);
	}

	@Override
	public InformerSettings forReconcilers() {
		return readiness().orElse(this.all.forReconcilers());
	}

	@Override
	public Set<String> reconcilerKeys() {
		return this.all.reconcilerKeys();
	}

	@Override
	public @Nullable Integer concurrentLists() {
		Integer own = this.properties.getInformers().getConcurrentLists();
		return (own != null) ? own : this.all.concurrentLists();
	}

	@Override
	public InformerSettings forResource(ResourceType<?> type) {
		return this.reader
			.merge(this.properties.getInformers().getResources(), type.name(),
					(key, property) -> PropertyPaths.entry(informers() + ".resources", key) + "." + property)
			.orElse(this.all.forResource(type));
	}

	@Override
	public InformerSettings forAll() {
		Map<String, @Nullable Object> values = new HashMap<>();
		values.put(Setting.NAMESPACES.name(), this.properties.getInformers().getNamespaces());
		values.put("resync", this.properties.getInformers().getResync());
		return this.reader.read((property) -> informers() + "." + property, values)
			.orElse(readiness())
			.orElse(this.all.forAll());
	}

	private InformerSettings readiness() {
		return this.properties.isReadiness() ? InformerSettings.none()
				: InformerSettings.of(Map.of(Setting.READINESS.name(), false));
	}

	@Override
	public Set<String> handlerKeys() {
		return this.all.handlerKeys();
	}

	@Override
	public Set<String> resourceKeys() {
		return this.properties.getInformers().getResources().keySet();
	}

	@Override
	public String prefix() {
		return informers();
	}

	@Override
	public Duration drainTimeout() {
		return this.all.drainTimeout();
	}

	private String informers() {
		return ClusterEntries.name(this.cluster, "informers");
	}

}
