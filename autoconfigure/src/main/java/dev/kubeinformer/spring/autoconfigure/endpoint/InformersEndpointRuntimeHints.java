package dev.kubeinformer.spring.autoconfigure.endpoint;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for the responses of the endpoint, which the types of its operations do not show.
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
