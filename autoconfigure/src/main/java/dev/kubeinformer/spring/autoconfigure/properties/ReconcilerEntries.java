package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The properties of single reconcilers, by their ids. They are beside
 * {@link ReconcilersProperties#getDefaults() the defaults}, which is why they are no
 * property of a class.
 */
public final class ReconcilerEntries {

	private static final Bindable<Map<String, ReconcilersProperties.Reconciler>> ENTRIES = Bindable.mapOf(String.class,
			ReconcilersProperties.Reconciler.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(ReconcilersProperties.PREFIX);

	private ReconcilerEntries() {
	}

	/**
	 * Reads the entries and checks what their types do not say.
	 * @param environment the environment
	 * @return the entries by their keys, those of the higher property source first
	 */
	static Map<String, ReconcilersProperties.Reconciler> read(Environment environment) {
		Map<String, ReconcilersProperties.Reconciler> entries = new LinkedHashMap<>(
				binder(environment).bind(ReconcilersProperties.PREFIX, ENTRIES).orElseGet(Map::of));
		entries.keySet().removeIf(ReconcilersProperties.DEFAULTS::equalsIgnoreCase);
		entries.forEach(ReconcilersProperties::check);
		return entries;
	}

	/**
	 * Returns a binder that does not see what is no setting: a service named
	 * 'kubernetes-reconcilers' is the origin of KUBERNETES_RECONCILERS_PORT and the like,
	 * and a key may be there without a value.
	 * @param environment the environment
	 * @return the binder
	 */
	private static Binder binder(Environment environment) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			boolean variables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
			sources.add(source.filter((name) -> !PREFIX.isAncestorOf(name)
					|| (variables ? UnboundKeys.isReconcilerSetting(name) : !PREFIX.isParentOf(name))));
		}
		return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
	}

	/**
	 * Returns the name of a property of an entry.
	 * @param key the key of the entry
	 * @param property the name of the property within the entry; empty for the entry
	 * itself
	 * @return the name
	 */
	static String name(String key, String property) {
		String entry = PropertyPaths.entry(ReconcilersProperties.PREFIX, key);
		return property.isEmpty() ? entry : entry + "." + property;
	}

	/**
	 * Hints for what no class of properties refers to.
	 */
	public static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			BindableRuntimeHintsRegistrar.forTypes(ReconcilersProperties.Reconciler.class)
				.registerHints(hints, classLoader);
		}

	}

}
