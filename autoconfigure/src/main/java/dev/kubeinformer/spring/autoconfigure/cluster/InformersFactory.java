package dev.kubeinformer.spring.autoconfigure.cluster;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.PropertyMapper;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientProvider;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.model.ModelBeans;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterEntries;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Creates the {@link Informers} of each cluster, and builders for them.
 */
public final class InformersFactory {

	private final InformersProperties properties;

	private final ObjectProvider<InformerCustomizer> customizers;

	private final ModelBeans models;

	private final AtomicReference<@Nullable Informers> pools = new AtomicReference<>();

	public InformersFactory(InformersProperties properties, ObjectProvider<InformerCustomizer> customizers,
			ModelBeans models) {
		this.properties = properties;
		this.customizers = customizers;
		this.models = models;
	}

	/**
	 * Lets all informers that this factory creates later use the memory budget of the
	 * given informers. Informers keep equal parts of objects only once, in pools, and the
	 * budget limits these pools.
	 * @param informers the informers with the budget, which the application may have
	 * built
	 */
	public void sharePoolsWith(Informers informers) {
		this.pools.compareAndSet(null, informers);
	}

	/**
	 * Creates informers that obtain their client when they start.
	 * @param cluster the name of the cluster
	 * @param protobuf the use of protobuf
	 * @param client the provider of the client
	 * @param configured the configuration of the cluster
	 * @param specs the factory of specs for informers requested by class alone
	 * @return the informers
	 */
	public Informers create(String cluster, KubernetesClientProperties.Protobuf protobuf, ClientProvider client,
			ConfiguredSettings configured, InformerSpecs specs) {
		Informers informers = build(builder(cluster, protobuf, client::get, configured, specs, this.models));
		client.onManaged(informers.hooks()::recordWrites);
		return informers;
	}

	/**
	 * Creates informers with a client of the application.
	 * @param cluster the name of the cluster
	 * @param client the client
	 * @param configured the configuration of the cluster
	 * @param specs the factory of specs for informers requested by class alone
	 * @return the informers
	 */
	public Informers create(String cluster, ApiClient client, ConfiguredSettings configured, InformerSpecs specs) {
		return build(builder(cluster, KubernetesClientProperties.Protobuf.AUTO, () -> client, configured, specs,
				this.models));
	}

	private Informers build(Informers.Builder builder) {
		Informers informers = builder.build();
		sharePoolsWith(informers);
		return informers;
	}

	/**
	 * Creates a builder with all settings applied.
	 * @param cluster the name of the cluster
	 * @param protobuf the use of protobuf
	 * @param client the provider of the client
	 * @param configured the configuration of the cluster
	 * @param specs the factory of specs for informers requested by class alone
	 * @param models the beans with transforms and indexes
	 * @return the builder
	 */
	public Informers.Builder builder(String cluster, KubernetesClientProperties.Protobuf protobuf,
			Supplier<ApiClient> client, ConfiguredSettings configured, InformerSpecs specs, ModelBeans models) {
		String prefix = cluster.equals(InformerClusters.DEFAULT) ? KubernetesClientProperties.PREFIX
				: ClusterEntries.name(cluster, "");
		AtomicReference<@Nullable ApiClient> used = new AtomicReference<>();
		Supplier<ApiClient> remembered = () -> {
			ApiClient found = client.get();
			used.set(found);
			return found;
		};
		Informers.Builder builder = Informers.builder(this.properties.enabled() ? remembered : InformersFactory::off)
			.cluster(cluster)
			.listener(new ConnectionAdvice(prefix, used::get, Clock.systemUTC()))
			.specDefaults(specs)
			.protobuf(protobuf == KubernetesClientProperties.Protobuf.AUTO)
			.keepManagedFields((type) -> configured.forResource(type).get(Setting.KEEP_MANAGED_FIELDS, false))
			.pageSizes((type) -> configured.forResource(type).get(Setting.PAGE_SIZE, 0))
			.shareEqualParts((type) -> configured.forResource(type).get(Setting.SHARE_EQUAL_PARTS, true));
		InformersProperties.Watch watch = this.properties.watch();
		PropertyMapper map = PropertyMapper.get();
		map.from(configured::concurrentLists).to(builder::concurrentSyncs);
		map.from(watch::pageSize).to(builder::pageSize);
		map.from(watch::idleTimeout).to(builder::idleTimeout);
		map.from(watch::list).to(builder::listMode);
		map.from(watch::syncDeadline).to(builder::syncDeadline);
		map.from(watch::verifyEvery).to(builder::verifyEvery);
		models.applyTo(builder);
		Informers others = this.pools.get();
		if (others != null) {
			builder.sharePoolsWith(others);
		}
		this.customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder;
	}

	private static ApiClient off() {
		throw new IllegalStateException(
				"Kubernetes informers are disabled (kubernetes.informers.enabled=false), so they cannot "
						+ "connect even if they are started explicitly");
	}

}
