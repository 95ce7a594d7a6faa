package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.function.Consumer;

import io.kubernetes.client.openapi.ApiClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;
import dev.kubeinformer.spring.autoconfigure.client.ClientProvider;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.cluster.ClusterHints;
import dev.kubeinformer.spring.autoconfigure.cluster.ConfiguredLeaseClusters;
import dev.kubeinformer.spring.autoconfigure.cluster.InformerCustomizer;
import dev.kubeinformer.spring.autoconfigure.cluster.InformersFactory;
import dev.kubeinformer.spring.autoconfigure.cluster.NamedClusterBeans;
import dev.kubeinformer.spring.autoconfigure.cluster.NamedClusterBeansRegistrar;
import dev.kubeinformer.spring.autoconfigure.cluster.NamedClusters;
import dev.kubeinformer.spring.autoconfigure.cluster.UserInformersCheck;
import dev.kubeinformer.spring.autoconfigure.definitions.DefinitionsLifecycle;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderConfiguration;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderProperties;
import dev.kubeinformer.spring.autoconfigure.leader.LeaseClusters;
import dev.kubeinformer.spring.autoconfigure.model.ModelBeans;
import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.autoconfigure.properties.InformersProperties;
import dev.kubeinformer.spring.autoconfigure.properties.OnInformersEnabledCondition;
import dev.kubeinformer.spring.autoconfigure.properties.PropertiesConfiguredSettings;
import dev.kubeinformer.spring.autoconfigure.properties.ReconcilerEntries;
import dev.kubeinformer.spring.autoconfigure.properties.ReconcilersProperties;
import dev.kubeinformer.spring.autoconfigure.properties.UnboundPropertiesCheck;
import dev.kubeinformer.spring.autoconfigure.shard.ShardsConfiguration;
import dev.kubeinformer.spring.autoconfigure.training.TrainingRun;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.DefaultClusterRuntimes;
import dev.kubeinformer.spring.cluster.DefaultInformerClusters;
import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.handler.container.InformerHandlerConfiguration;
import dev.kubeinformer.spring.inject.EarlyReads;
import dev.kubeinformer.spring.inject.InformerInjectionConfiguration;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.inject.InjectionBeans;
import dev.kubeinformer.spring.inject.RunnerCaches;
import dev.kubeinformer.spring.leader.LeaderOnlyConfiguration;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.spring.reconciler.ReconcilerConfiguration;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.shard.ShardFollowersConfiguration;

/**
 * Auto-configuration for informers, handlers, reconcilers and the injection of listers.
 */
@AutoConfiguration(after = KubernetesClientAutoConfiguration.class)
@ConditionalOnClass({ Informers.class, ApiClient.class })
@EnableConfigurationProperties({ InformersProperties.class, ReconcilersProperties.class,
		KubernetesClientProperties.class, DefinitionsProperties.class })
@Import({ InformerInjectionConfiguration.class, LeaderConfiguration.class, ShardsConfiguration.class })
@RegisterReflectionForBinding({ InformersProperties.class, ReconcilersProperties.class,
		ReconcilersProperties.Reconciler.class, ClusterProperties.class, KubernetesClientProperties.class,
		LeaderProperties.class, DefinitionsProperties.class })
@ImportRuntimeHints({ ReconcilerEntries.Hints.class, ClusterHints.class })
public final class InformerAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(InformerAutoConfiguration.class);

	InformerAutoConfiguration() {
	}

	@Bean
	static NamedClusterBeansRegistrar kubernetesNamedClusterBeans(Environment environment) {
		return new NamedClusterBeansRegistrar(environment);
	}

	@Bean
	static InjectionBeans kubernetesInjectionBeans(Environment environment) {
		return new InjectionBeans(OnInformersEnabledCondition.isEnabled(environment));
	}

	@Bean(NamedClusterBeans.CLUSTERS)
	@ConditionalOnMissingBean
	NamedClusters kubernetesNamedClusters(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		return new NamedClusters(beanFactory, environment);
	}

	@Bean
	@ConditionalOnMissingBean
	InformersFactory kubernetesInformersFactory(InformersProperties properties,
			ObjectProvider<InformerCustomizer> customizers, ModelBeans models) {
		return new InformersFactory(properties, customizers, models);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ModelBeans kubernetesModelBeans(ConfigurableListableBeanFactory beanFactory) {
		return new ModelBeans(beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseClusters kubernetesLeaseClusters(NamedClusters clusters, ObjectProvider<ApiClient> apiClient,
			ObjectProvider<ClusterLocator> locator, ListableBeanFactory beanFactory, Environment environment) {
		return new ConfiguredLeaseClusters(clusters,
				new ClientProvider(apiClient, beanFactory, clusters.names(), environment), locator);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ClientProvider kubernetesClientProvider(ObjectProvider<ApiClient> apiClient, NamedClusters clusters,
			ListableBeanFactory beanFactory, Environment environment) {
		return new ClientProvider(apiClient, beanFactory, clusters.names(), environment);
	}

	@Bean
	@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	Informers.Builder kubernetesInformersBuilder(KubernetesClientProperties clientProperties, ClientProvider client,
			InformerSpecs specs, ConfiguredSettings configured, InformersFactory factory, ModelBeans models) {
		return factory.builder(InformerClusters.DEFAULT, clientProperties.protobuf(), client::get, configured, specs,
				models);
	}

	@Bean
	@ConditionalOnMissingBean
	Informers kubernetesInformers(InformersProperties properties, KubernetesClientProperties clientProperties,
			ClientProvider client, InformerSpecs specs, ConfiguredSettings configured, InformersFactory factory) {
		if (!properties.enabled()) {
			logger.info("Kubernetes informers are disabled (kubernetes.informers.enabled=false); listers stay empty");
		}
		return factory.create(InformerClusters.DEFAULT, clientProperties.protobuf(), client, configured, specs);
	}

	@Bean
	@Conditional(OnInformersEnabledCondition.class)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	UserInformersCheck adoptedInformersCheck(ConfigurableListableBeanFactory beanFactory, ModelBeans models,
			Environment environment, NamedClusters clusters) {
		return new UserInformersCheck(beanFactory, models, new ClientPropertyNames(environment), clusters::names);
	}

	@Bean
	@ConditionalOnMissingBean(value = ConfiguredSettings.class, search = SearchStrategy.CURRENT)
	PropertiesConfiguredSettings informerConfiguredSettings(InformersProperties properties,
			ReconcilersProperties reconcilers, NamedClusters clusters, Environment environment,
			ObjectProvider<Shards> shards) {
		if (properties.enabled()) {
			new UnboundPropertiesCheck(environment).check();
		}
		return new PropertiesConfiguredSettings(properties, reconcilers, clusters.entries(), environment,
				shards::getObject);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerSpecs informerSpecs(ConfiguredSettings configured, ObjectProvider<ClusterLocator> cluster) {
		return new InformerSpecs(configured, () -> currentNamespace(configured, cluster));
	}

	private static String currentNamespace(ConfiguredSettings configured, ObjectProvider<ClusterLocator> cluster) {
		if (!configured.isEnabled()) {
			// Return any name: informers are disabled, so the namespace is never used.
			// Looking it up would require a cluster.
			return "default";
		}
		ClusterLocator locator = cluster.getIfAvailable();
		if (locator == null) {
			throw ClusterLocator.noNamespace();
		}
		return locator.currentNamespace();
	}

	@Bean
	@ConditionalOnBean(value = Informers.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(value = ClusterRuntimes.class, search = SearchStrategy.CURRENT)
	DefaultClusterRuntimes informerClusterRuntimes(Informers informers, ConfiguredSettings configured,
			InformerSpecs specs, NamedClusters clusters, InformersFactory factory, ClientProvider ours,
			ModelBeans models, ConfigurableListableBeanFactory beanFactory) {
		factory.sharePoolsWith(informers);
		if (configured.isEnabled() && models.wereAppliedTo(informers)) {
			// The application may have built this bean with the injected
			// Informers.Builder.
			ours.onManaged(informers.hooks()::recordWrites);
		}
		return new DefaultClusterRuntimes(
				new ClusterRuntime(InformerClusters.DEFAULT, informers, configured, specs, true),
				clusters.all(configured), beanFactory.containsLocalBean(NamedClusterBeans.CLUSTERS),
				(name, client) -> clusters.add(name, client, factory, configured));
	}

	@Bean
	@ConditionalOnBean(value = DefaultClusterRuntimes.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(value = InformerClusters.class, search = SearchStrategy.CURRENT)
	DefaultInformerClusters informerClusters(DefaultClusterRuntimes runtimes) {
		return new DefaultInformerClusters(runtimes);
	}

	@Bean
	@Conditional(OnInformersEnabledCondition.class)
	@ConditionalOnBean(value = Informers.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformersLifecycle informersLifecycle(Informers informers, DefaultClusterRuntimes clusters,
			InformersProperties properties, EarlyReads reads) {
		return new InformersLifecycle(informers, clusters, properties, reads);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	EarlyReads informerEarlyReads(ClusterRuntimes clusters, InjectedInformers injected, InformersProperties properties,
			ClientProvider client, NamedClusters named, ModelBeans models, ApplicationContext context) {
		Consumer<ClusterRuntime> obtained = (cluster) -> {
			// If the application built the informers without the injected
			// Informers.Builder, their client may not be a bean.
			if (!properties.enabled() || !models.wereAppliedTo(cluster.informers())) {
				return;
			}
			if (cluster.isDefault()) {
				client.get();
			}
			else {
				named.obtainClient(cluster.name());
			}
		};
		return new EarlyReads(clusters, injected, new EarlyReads.Rules(properties.startup().lateTimeout(),
				properties.autoStartup(), obtained, InformerSyncTimeoutException::late), context);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	TrainingRun informerTrainingRun(InformersProperties properties, ApplicationContext context,
			ObjectProvider<ClusterRuntimes> clusters, ObjectProvider<InformerHandlerRegistry> handlers,
			ObjectProvider<ReconcilerRegistry> reconcilers, ObjectProvider<Reconcilers> details) {
		return new TrainingRun(context, properties.training(), clusters, handlers, reconcilers, details, System::exit);
	}

	/**
	 * Configuration of the beans that run handlers and reconcilers.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnInformersEnabledCondition.class)
	@Import({ LeaderOnlyConfiguration.class, ShardFollowersConfiguration.class, InformerHandlerConfiguration.class,
			ReconcilerConfiguration.class })
	static class RunningConfiguration {

		private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

		private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

		@Bean
		@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
		DefinitionsLifecycle informerDefinitionsLifecycle(DefinitionsProperties properties, ClusterRuntimes clusters,
				InformerHandlers handlers, Reconcilers reconcilers) {
			return new DefinitionsLifecycle(properties, new UsedResources(clusters, handlers, reconcilers),
					InformersLifecycle.PHASE - 1);
		}

		// Not an autowire candidate, so that it does not compete with runners of the
		// application.
		@Bean(autowireCandidate = false)
		RunnerCaches informerRunnerCaches(ConfigurableListableBeanFactory beanFactory, InjectedInformers injected,
				EarlyReads reads) {
			return new RunnerCaches(beanFactory, injected, reads);
		}

		// Warns if a phase of the shutdown is too short: Spring would close beans that
		// handlers and reconcilers still use.
		@Bean
		InitializingBean informerDrainTimeoutCheck(InformersProperties properties, Environment environment) {
			return () -> {
				Duration drain = properties.shutdown().drainTimeout();
				Duration phase = Binder.get(environment)
					.bind(PHASE_TIMEOUT, Duration.class)
					.orElse(DEFAULT_PHASE_TIMEOUT);
				if (drain.compareTo(phase) >= 0) {
					logger.warn(
							"'kubernetes.informers.shutdown.drain-timeout' ({}) is not below '{}' "
									+ "({}), so at shutdown Spring may close beans that handlers and "
									+ "reconcilers are still using; lower the first or raise the second",
							drain, PHASE_TIMEOUT, phase);
				}
				Duration handOver = ShardsConfiguration.handOverTime(properties);
				if (handOver.compareTo(phase) > 0) {
					logger
						.warn("The hand-over of the slots of this replica may take {} ('kubernetes.informers.shutdown.drain-timeout', "
								+ "5 s and half of 'kubernetes.informers.shard.renew-deadline'), which is more than '{}' "
								+ "({}), so at shutdown handlers and reconcilers may end before it; lower the first or "
								+ "raise the last", handOver, PHASE_TIMEOUT, phase);
				}
			};
		}

	}

}
