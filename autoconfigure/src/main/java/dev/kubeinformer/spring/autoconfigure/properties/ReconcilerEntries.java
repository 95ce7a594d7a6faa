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
 * The properties of single reconcilers, by their ids. They are beside
 * {@link ReconcilersProperties#defaults() the defaults}, which is why they are no
 * property of a class.
 */
public final class ReconcilerEntries {

	private static final Bindable<Map<String, ReconcilersProperties.Reconciler>> ENTRIES = Bindable.mapOf(String.class,
			ReconcilersProperties.Reconciler.class);

	private ReconcilerEntries() {
	}

	/**
	 * Reads the entries and checks what their types do not say.
	 * @param environment the environment
	 * @return the entries by their keys, those of the higher property source first
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
