package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;
import org.springframework.core.env.Environment;

/**
 * Properties of single reconcilers by id. They are siblings of
 * {@link ReconcilersProperties#defaults() the defaults}, so they cannot be bound to a
 * properties class.
 */
public final class ReconcilerEntries {

	private static final Bindable<Map<String, ReconcilersProperties.Reconciler>> ENTRIES = Bindable.mapOf(String.class,
			ReconcilersProperties.Reconciler.class);

	private ReconcilerEntries() {
	}

	/**
	 * Reads the entries and checks their ranges.
	 * @param environment the environment
	 * @return the entries by their keys, entries of property sources with higher
	 * precedence first
	 */
	static Map<String, ReconcilersProperties.Reconciler> read(Environment environment) {
		Map<String, ReconcilersProperties.Reconciler> entries = new LinkedHashMap<>(
				UnboundPropertiesCheck.binder(environment, ReconcilersProperties.PREFIX)
					.bind(ReconcilersProperties.PREFIX, ENTRIES)
					.orElseGet(Map::of));
		entries.keySet().removeIf(ReconcilersProperties.DEFAULTS::equalsIgnoreCase);
		entries.forEach((key, entry) -> entry.common().check(key));
		return entries;
	}

	/**
	 * Runtime hints for types that no properties class refers to.
	 */
	public static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			BindableRuntimeHintsRegistrar.forTypes(ReconcilersProperties.Reconciler.class)
				.registerHints(hints, classLoader);
		}

	}

}
