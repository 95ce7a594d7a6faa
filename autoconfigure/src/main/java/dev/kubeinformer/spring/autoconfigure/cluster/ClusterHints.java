package dev.kubeinformer.spring.autoconfigure.cluster;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

import dev.kubeinformer.spring.autoconfigure.properties.ClusterProperties;
import dev.kubeinformer.spring.inject.ClusterInjection;

/**
 * Registers the hints that a native image needs for the properties and beans of clusters.
 * Spring does not register these hints, because the properties of clusters are not bound
 * as a bean, and because the configuration at run time may have clusters that are unknown
 * at build time.
 */
public final class ClusterHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		BindableRuntimeHintsRegistrar.forTypes(ClusterProperties.class).registerHints(hints, classLoader);
		hints.reflection().registerType(NamedClusterBeans.class, MemberCategory.INVOKE_DECLARED_METHODS);
		hints.reflection().registerType(ClusterInjection.class, MemberCategory.INVOKE_DECLARED_METHODS);
	}

}
