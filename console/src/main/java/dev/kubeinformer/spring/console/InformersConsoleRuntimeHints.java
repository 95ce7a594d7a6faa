package dev.kubeinformer.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for the files of the console, and for its settings, which the types of the
 * operations do not show.
 */
class InformersConsoleRuntimeHints implements RuntimeHintsRegistrar {

	private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		for (ConsoleFile file : ConsoleFile.values()) {
			hints.resources().registerResource(file.resource());
		}
		this.bindings.registerReflectionHints(hints.reflection(), ConsoleSettings.class);
	}

}
