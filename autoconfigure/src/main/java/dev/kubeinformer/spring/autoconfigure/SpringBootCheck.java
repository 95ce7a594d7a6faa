package dev.kubeinformer.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Fails the start on Spring Boot before 4.0, where the classes of the starter cannot be loaded. Uses only API that Spring Boot 3 has.
 */
final class SpringBootCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

	private static final int OLDEST = 4;

	@Override
	public int getOrder() {
		// After the listener that sets up logging, which reports the failure.
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		check(SpringBootVersion.getVersion());
	}

	static void check(@Nullable String version) {
		if (version != null && version.matches("[0-3]\\..*")) {
			throw new InformerConfigurationException(
					"The starter of Kubernetes Informer cannot be used with Spring Boot %s: it needs %d.0 or newer"
						.formatted(version, OLDEST),
					"Upgrade Spring Boot to %d.0 or newer, or use the engine alone: the artifact 'kubernetes-informer' needs no Spring."
						.formatted(OLDEST));
		}
	}

}
