package dev.kubeinformer.spring.autoconfigure.guard;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.AotDetector;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;

/**
 * {@link ContextCustomizerFactory} that guards every test with a Spring context.
 */
class ClusterGuardContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		// A context that was generated ahead of time already has the guard.
		return (AotDetector.useGeneratedArtifacts()) ? null : new ClusterGuardContextCustomizer();
	}

}
