package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spi.FieldSelectorSyntax;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.Setting;

/**
 * The {@link ConfiguredSettings} of {@link InformersProperties}. Several keys that name
 * the same handler or resource are merged; Boot lists those of the higher source first.
 */
final class PropertiesConfiguredSettings implements ConfiguredSettings {

	private static final String PREFIX = "kubernetes.informers.";

	private static final InformerSettings DEFAULTS = InformerSettings
		.of(Map.of("retry.maxRetries", 5, "retry.delay", Duration.ofSeconds(1), "retry.multiplier", 2.0,
				"retry.maxDelay", Duration.ofMinutes(1), "retry.jitter", Duration.ofMillis(200)));

	/** Properties for all handlers; 'auto-startup' there is that of the informers. */
	private static final Set<String> FOR_ALL = Set.of("namespaces", "resync", "concurrency", "queueCapacity",
			"waitForCaches");

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
		return merge("handlers", this.properties.getHandlers(), id);
	}

	@Override
	public InformerSettings forResource(ResourceType<?> type) {
		return merge("resources", this.properties.getResources(), type.name());
	}

	@Override
	public InformerSettings forAll() {
		Map<String, @Nullable Object> values = PropertyPaths.values(this.properties);
		values.keySet().removeIf((path) -> !FOR_ALL.contains(path) && !path.startsWith("retry."));
		values.put(Setting.READINESS.name(), this.properties.getHealth().isReadiness());
		return read(UnaryOperator.identity(), values).orElse(DEFAULTS);
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

	private <V> InformerSettings merge(String map, Map<String, V> entries, String id) {
		InformerSettings settings = InformerSettings.none();
		for (Map.Entry<String, V> entry : entries.entrySet()) {
			if (InformerIds.canonical(entry.getKey()).equals(InformerIds.canonical(id))) {
				settings = settings.orElse(read((property) -> name(map, entry.getKey(), property),
						PropertyPaths.values(entry.getValue())));
			}
		}
		return settings;
	}

	private InformerSettings read(UnaryOperator<String> key, Map<String, @Nullable Object> values) {
		InformerSettings written = InformerSettings.of(values);
		if (values.containsKey(Setting.NAMESPACES.name())) {
			checkNamespaces(key.apply("namespaces"), written.get(Setting.NAMESPACES));
		}
		check(key.apply("label-selector"), written.get(Setting.LABEL_SELECTOR), LabelSelector::parse);
		check(key.apply("field-selector"), written.get(Setting.FIELD_SELECTOR), FieldSelectorSyntax::check);
		values.replaceAll((path, value) -> isBlank(value) ? null : value);
		return InformerSettings.of(values);
	}

	private static boolean isBlank(@Nullable Object value) {
		return (value instanceof String text && text.isBlank())
				|| (value instanceof Collection<?> elements && elements.isEmpty());
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

	private void checkNamespaces(String key, @Nullable List<String> namespaces) {
		if (namespaces == null || namespaces.isEmpty()) {
			String raw = raw(key);
			if (StringUtils.hasText(raw)) {
				throw blank(key, raw);
			}
			return;
		}
		if (namespaces.stream().anyMatch((namespace) -> !StringUtils.hasText(namespace))) {
			throw blank(key, namespaces.toString());
		}
		check(key, namespaces, InformerSpecs::checkNamespaces);
	}

	private @Nullable String raw(String key) {
		// As it is written, before placeholders are resolved.
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

}
