package dev.kubeinformer.spring.console;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the console's files and settings. Spring derives hints from the
 * return types of an endpoint's operations, but the types of this endpoint are too
 * general.
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
