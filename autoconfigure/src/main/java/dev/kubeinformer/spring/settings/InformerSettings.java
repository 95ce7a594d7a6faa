package dev.kubeinformer.spring.settings;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What one place (an entry of the configuration, or an annotation) says about an informer
 * or handler. It says as little as it likes.
 */
public final class InformerSettings {

	private static final InformerSettings NONE = new InformerSettings(Map.of());

	private final Map<String, Object> values;

	private InformerSettings(Map<String, Object> values) {
		this.values = Map.copyOf(values);
	}

	/**
	 * Returns settings that say nothing.
	 * @return empty settings
	 */
	public static InformerSettings none() {
		return NONE;
	}

	/**
	 * Creates settings.
	 * @param values the values by the {@link Setting#name() names} of their settings;
	 * {@code null} where nothing is said
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
	 * Returns what is said about one thing.
	 * @param <V> the type of its values
	 * @param setting the thing
	 * @return the value, {@code null} if nothing is said
	 */
	public <V> @Nullable V get(Setting<V> setting) {
		return setting.cast(this.values.get(setting.name()));
	}

	/**
	 * Returns what is said about one thing, or else a default.
	 * @param <V> the type of its values
	 * @param setting the thing
	 * @param byDefault the default
	 * @return the value
	 */
	public <V> V get(Setting<V> setting, V byDefault) {
		V value = get(setting);
		return (value != null) ? value : byDefault;
	}

	/**
	 * Adds what another place says about the things that these settings leave open.
	 * @param other the settings with less precedence
	 * @return the combination
	 */
	public InformerSettings orElse(InformerSettings other) {
		Map<String, Object> combined = new HashMap<>(other.values);
		combined.putAll(this.values);
		return new InformerSettings(combined);
	}

}
