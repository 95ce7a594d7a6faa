package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.openapi.ApiClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.autoconfigure.client.ClientPropertyNames;
import dev.kubeinformer.spring.autoconfigure.client.ClientProvider;
import dev.kubeinformer.spring.autoconfigure.client.ClusterLocator;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.handler.InformerHandlerConfiguration;
import dev.kubeinformer.spring.inject.InformerInjectionConfiguration;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.reconciler.ReconcilerConfiguration;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Auto-configuration of informers, of the injection of listers, of handlers and of
 * reconcilers.
 */
@AutoConfiguration(after = KubernetesClientAutoConfiguration.class)
@ConditionalOnClass({ Informers.class, ApiClient.class })
@EnableConfigurationProperties({ InformersProperties.class, ReconcilersProperties.class,
		KubernetesClientProperties.class })
@Import(InformerInjectionConfiguration.class)
@ImportRuntimeHints(ReconcilerEntries.Hints.class)
public final class InformerAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(InformerAutoConfiguration.class);

	InformerAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	Informers kubernetesInformers(ObjectProvider<ApiClient> apiClient, InformersProperties properties,
			KubernetesClientProperties clientProperties, InformerSpecs specs, ConfiguredSettings configured,
			ObjectProvider<InformerCustomizer> customizers, Environment environment) {
		if (!properties.isEnabled()) {
			logger.info("Kubernetes informers are off (kubernetes.informers.enabled=false); listers stay empty");
		}
		ClientProvider client = new ClientProvider(apiClient, environment);
		Informers.Builder builder = Informers.builder(properties.isEnabled() ? client : InformerAutoConfiguration::off)
			.listener(new ConnectionAdvice())
			.specDefaults(specs)
			.protobuf(clientProperties.getProtobuf() == KubernetesClientProperties.Protobuf.AUTO)
			.keepManagedFields((type) -> configured.forResource(type).get(Setting.KEEP_MANAGED_FIELDS, false))
			.shareEqualParts((type) -> configured.forResource(type).get(Setting.SHARE_EQUAL_PARTS, true));
		PropertyMapper map = PropertyMapper.get();
		map.from(properties.getWatch()::getPageSize).to(builder::pageSize);
		map.from(properties.getWatch()::getIdleTimeout).to(builder::idleTimeout);
		map.from(properties.getWatch()::getList).to(builder::listMode);
		map.from(properties.getWatch()::getSyncDeadline).to(builder::syncDeadline);
		map.from(properties.getWatch()::getVerifyEvery).to(builder::verifyEvery);
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		Informers informers = builder.build();
		client.onManaged(informers.hooks()::recordWrites);
		return informers;
	}

	@Bean
	@Conditional(OnInformersEnabledCondition.class)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	AdoptedInformersCheck adoptedInformersCheck(ConfigurableListableBeanFactory beanFactory, Environment environment) {
		return new AdoptedInformersCheck(beanFactory, new ClientPropertyNames(environment));
	}

	private static ApiClient off() {
		throw new IllegalStateException("Kubernetes informers are off (kubernetes.informers.enabled=false): "
				+ "nothing connects, also not when it is started by hand");
	}

	@Bean
	@ConditionalOnMissingBean(value = ConfiguredSettings.class, search = SearchStrategy.CURRENT)
	PropertiesConfiguredSettings informerConfiguredSettings(InformersProperties properties,
			ReconcilersProperties reconcilers, Environment environment) {
		if (properties.isEnabled()) {
			new UnboundKeys(environment).check();
		}
		return new PropertiesConfiguredSettings(properties, reconcilers, environment);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformerSpecs informerSpecs(ConfiguredSettings configured, ObjectProvider<ClusterLocator> cluster) {
		return new InformerSpecs(configured, () -> currentNamespace(configured, cluster));
	}

	private static String currentNamespace(ConfiguredSettings configured, ObjectProvider<ClusterLocator> cluster) {
		if (!configured.isEnabled()) {
			// Any will do where nothing is cached, and a cluster must not be needed.
			return "default";
		}
		ClusterLocator locator = cluster.getIfAvailable();
		if (locator == null) {
			throw ClusterLocator.noNamespace();
		}
		return locator.currentNamespace();
	}

	@Bean
	@Conditional(OnInformersEnabledCondition.class)
	@ConditionalOnBean(value = Informers.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	InformersLifecycle informersLifecycle(Informers informers, InformersProperties properties,
			InjectedInformers injected) {
		return new InformersLifecycle(informers, properties, injected);
	}

	/**
	 * What makes handlers and reconcilers run.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnInformersEnabledCondition.class)
	@Import({ InformerHandlerConfiguration.class, ReconcilerConfiguration.class })
	static class RunningConfiguration {

		@Bean
		DrainTimeoutCheck informerDrainTimeoutCheck(InformersProperties properties, Environment environment) {
			return new DrainTimeoutCheck(properties, environment);
		}

	}

}
