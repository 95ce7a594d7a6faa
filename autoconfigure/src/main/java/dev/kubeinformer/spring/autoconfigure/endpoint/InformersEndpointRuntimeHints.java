package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for the types of the endpoint's responses, which do not appear in the signatures
 * of its operations.
 */
class InformersEndpointRuntimeHints implements RuntimeHintsRegistrar {

	private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		this.bindings.registerReflectionHints(hints.reflection(), InformersDescriptor.class, InformerDescriptor.class,
				HandlerDescriptor.class, ReconcilerDescriptor.class, LeaderDescriptor.class, ShardsDescriptor.class,
				ProblemDescriptor.class);
	}

}
