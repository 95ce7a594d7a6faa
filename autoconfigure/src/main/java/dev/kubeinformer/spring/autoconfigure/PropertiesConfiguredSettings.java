package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.resource.FieldSelectorSyntax;
import dev.kubeinformer.resource.LabelSelector;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.RetrySettings;

/**
 * The {@link ConfiguredSettings} of {@link InformersProperties}. Several keys that name
 * the same handler or resource are merged; Boot lists those of the higher source first.
 */
final class PropertiesConfiguredSettings implements ConfiguredSettings {

	private static final String PREFIX = "kubernetes.informers.";

	private static final RetrySettings DEFAULT_RETRY = new RetrySettings(5, Duration.ofSeconds(1), 2.0,
			Duration.ofMinutes(1), Duration.ofMillis(200));

	private final InformersProperties properties;

	private final Environment environment;

	PropertiesConfiguredSettings(InformersProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Override
	public boolean isEnabled() {
		return this.properties.isEnabled();
	}

	@Override
	public InformerSettings forHandler(String id) {
		return merge(this.properties.getHandlers(), id,
				(key, handler) -> new InformerSettings(
						namespaces("handlers." + key + ".namespaces", handler.getNamespaces()),
						labelSelector("handlers", key, handler.getLabelSelector()),
						fieldSelector("handlers", key, handler.getFieldSelector()), handler.getResync(),
						handler.getConcurrency(), handler.getQueueCapacity(), handler.getAutoStartup(),
						handler.getReadiness(), handler.getWaitForCaches(), text(handler.getErrorHandler()), null, null,
						retry(handler.getRetry())));
	}

	@Override
	public InformerSettings forResource(ResourceType<?> type) {
		return merge(this.properties.getResources(), type.name(),
				(key, resource) -> new InformerSettings(null,
						labelSelector("resources", key, resource.getLabelSelector()), null, resource.getResync(), null,
						null, null, resource.getReadiness(), null, null, resource.getKeepManagedFields(),
						resource.getShareEqualParts(), RetrySettings.none()));
	}

	@Override
	public InformerSettings forAll() {
		return new InformerSettings(namespaces("namespaces", this.properties.getNamespaces()), null, null,
				this.properties.getResync(), this.properties.getConcurrency(), this.properties.getQueueCapacity(), null,
				this.properties.getHealth().isReadiness(), this.properties.isWaitForCaches(), null, null, null,
				retry(this.properties.getRetry()).orElse(DEFAULT_RETRY));
	}

	@Override
	public Set<String> handlerKeys() {
		return this.properties.getHandlers().keySet();
	}

	@Override
	public Set<String> resourceKeys() {
		return this.properties.getResources().keySet();
	}

	@Override
	public Duration drainTimeout() {
		return this.properties.getShutdown().getDrainTimeout();
	}

	private static <V> InformerSettings merge(Map<String, V> entries, String id, Reader<V> reader) {
		InformerSettings settings = InformerSettings.none();
		for (Map.Entry<String, V> entry : entries.entrySet()) {
			if (InformerIds.canonical(entry.getKey()).equals(InformerIds.canonical(id))) {
				settings = settings.orElse(reader.read(entry.getKey(), entry.getValue()));
			}
		}
		return settings;
	}

	private static RetrySettings retry(InformersProperties.Retry retry) {
		return new RetrySettings(retry.getMaxRetries(), retry.getDelay(), retry.getMultiplier(), retry.getMaxDelay(),
				retry.getJitter());
	}

	private static @Nullable String labelSelector(String map, String key, @Nullable String value) {
		check(name(map, key, "label-selector"), value, LabelSelector::parse);
		return text(value);
	}

	private static @Nullable String fieldSelector(String map, String key, @Nullable String value) {
		check(name(map, key, "field-selector"), value, FieldSelectorSyntax::check);
		return text(value);
	}

	private static <V> void check(String name, @Nullable V value, Consumer<V> check) {
		try {
			if (value != null) {
				check.accept(value);
			}
		}
		catch (IllegalArgumentException ex) {
			throw InvalidPropertyValueException.wrong(PREFIX + name, ex);
		}
	}

	private static String name(String map, String key, String property) {
		return (key.contains(".") ? "%s[%s].%s" : "%s.%s.%s").formatted(map, key, property);
	}

	private static @Nullable String text(@Nullable String value) {
		return StringUtils.hasText(value) ? value : null;
	}

	private @Nullable List<String> namespaces(String key, @Nullable List<String> namespaces) {
		if (namespaces == null || namespaces.isEmpty()) {
			String raw = raw(key);
			if (StringUtils.hasText(raw)) {
				throw blank(key, raw);
			}
			return null;
		}
		if (namespaces.stream().anyMatch((namespace) -> !StringUtils.hasText(namespace))) {
			throw blank(key, namespaces.toString());
		}
		check(key, namespaces, InformerSpecs::checkNamespaces);
		return namespaces;
	}

	private @Nullable String raw(String key) {
		// as it is written, before placeholders are resolved
		ConfigurationPropertyName name = ConfigurationPropertyName.adapt(PREFIX + key, '.');
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return property.getValue().toString();
			}
		}
		return null;
	}

	private static InvalidPropertyValueException blank(String key, String value) {
		return new InvalidPropertyValueException(PREFIX + key, value,
				"leaves nothing or a blank namespace when it is resolved; for all of the cluster write '*'");
	}

	@FunctionalInterface
	private interface Reader<V> {

		InformerSettings read(String key, V value);

	}

}
