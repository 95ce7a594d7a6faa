package dev.kubeinformer.spring.autoconfigure.aot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.resource.ResourceType;

/**
 * {@link RuntimeHintsRegistrar} for hints that every application needs: the catalogue of built-in resources, and the events that conditions evaluate.
 */
class InformerRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/kubeinformer/resource/built-in-types.txt");
		hints.reflection().registerType(ResourceEvent.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		for (ResourceType<?> type : ResourceType.builtIn()) {
			hints.reflection().registerType(type.objectClass());
		}
	}

}
