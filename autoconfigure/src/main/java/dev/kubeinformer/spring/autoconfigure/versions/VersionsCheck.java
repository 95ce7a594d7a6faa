package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.ArrayList;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.NativeDetector;
import org.springframework.core.Ordered;

import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Checks the versions of libraries before the context is created, because some versions
 * prevent the classes of the starter from being loaded. The start fails with versions
 * that cannot work; versions that are not tested are logged. Uses only API that Spring
 * Boot 3 has.
 */
final class VersionsCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

	private static final Logger logger = LoggerFactory.getLogger(VersionsCheck.class);

	private static final String KEY = "kubernetes.versions.check";

	/**
	 * Property source of the environment of Spring Cloud's bootstrap context, which is
	 * created before the configuration of the application is read
	 * ({@code BootstrapApplicationListener}). The check runs later, with the
	 * application's own environment.
	 */
	private static final String BOOTSTRAP = "bootstrap";

	static final String SWITCH = "The property '" + KEY + ": false' disables this check.";

	@Override
	public int getOrder() {
		// Run after the listener that sets up logging, because a failure is logged.
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		if (event.getEnvironment().getPropertySources().contains(BOOTSTRAP)) {
			return;
		}
		Binder binder = Binder.get(event.getEnvironment());
		// Ahead-of-time processing has checked the class path of a native image.
		if (!NativeDetector.inNativeImage() && isTrue(binder, KEY)) {
			ClassLoader loader = event.getSpringApplication().getClassLoader();
			check(ClassPathLibraries.read(loader), isTrue(binder, "kubernetes.informers.enabled"));
		}
	}

	private static boolean isTrue(Binder binder, String key) {
		return binder.bind(key, Boolean.class).orElse(true);
	}

	static void check(ClassPathLibraries found, boolean enabled) {
		List<VersionFinding> findings = new ArrayList<>();
		VersionFinding boot = VersionRules.springBoot(found);
		if (boot != null) {
			findings.add(boot);
		}
		if (enabled) {
			findings.addAll(VersionRules.client(found));
		}
		for (VersionFinding finding : findings) {
			if (finding.refused()) {
				throw new InformerConfigurationException(finding.message(), finding.action());
			}
			logger.warn("{}. {} {}", finding.message(), finding.origin(), SWITCH);
		}
	}

}
