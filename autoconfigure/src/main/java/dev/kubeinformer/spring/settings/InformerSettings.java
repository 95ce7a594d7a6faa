package dev.kubeinformer.spring.settings;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Settings of an informer or handler from one place: an entry of the configuration or an
 * annotation. All settings are optional.
 */
public final class InformerSettings {

	private static final InformerSettings NONE = new InformerSettings(Map.of());

	private final Map<String, Object> values;

	private InformerSettings(Map<String, Object> values) {
		this.values = Map.copyOf(values);
	}

	/**
	 * Returns empty settings.
	 * @return the settings
	 */
	public static InformerSettings none() {
		return NONE;
	}

	/**
	 * Creates settings.
	 * @param values the values by the {@link Setting#name() names} of their settings;
	 * {@code null} if not set
	 * @return the settings
	 */
	public static InformerSettings of(Map<String, ? extends @Nullable Object> values) {
		Map<String, Object> said = new HashMap<>();
		values.forEach((name, value) -> {
			if (value != null) {
				said.put(name, value);
			}
		});
		return new InformerSettings(said);
	}

	/**
	 * Returns the value of a setting.
	 * @param <V> the type of its values
	 * @param setting the setting
	 * @return the value, {@code null} if it is not set
	 */
	public <V> @Nullable V get(Setting<V> setting) {
		return setting.cast(this.values.get(setting.name()));
	}

	/**
	 * Returns the value of a setting or a default.
	 * @param <V> the type of its values
	 * @param setting the setting
	 * @param byDefault the default
	 * @return the value
	 */
	public <V> V get(Setting<V> setting, V byDefault) {
		V value = get(setting);
		return (value != null) ? value : byDefault;
	}

	/**
	 * Returns these settings, with missing ones filled from other settings.
	 * @param other the settings with lower precedence
	 * @return the combination
	 */
	public InformerSettings orElse(InformerSettings other) {
		Map<String, Object> combined = new HashMap<>(other.values);
		combined.putAll(this.values);
		return new InformerSettings(combined);
	}

}
