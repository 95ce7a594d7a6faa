package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.StringUtils;

/**
 * Ports that an application opens in a pod, and its probes.
 *
 * @param http the port of the application; {@code null} if other pods do not connect to
 * it
 * @param management the port of the actuator; {@code null} if it has no separate port
 * @param probes the probes; {@code null} if there are none
 * @param withoutProbes the reason why there are no probes; {@code null} if there are
 * probes
 */
record ServedPorts(@Nullable Integer http, @Nullable Integer management, @Nullable Probes probes,
		@Nullable String withoutProbes) {

	/** Name of the container port of the application. */
	static final String HTTP = "http";

	/** Name of the container port of the actuator, if it has a separate port. */
	static final String MANAGEMENT = "management";

	/**
	 * Name of the property source with the inlined properties of a test. If it sets a
	 * negative port, this is for the test only and is ignored.
	 */
	private static final String OF_TEST = "Inlined Test Properties";

	static ServedPorts of(Environment environment, boolean healthEndpoint) {
		return of(environment, healthEndpoint, WebApplicationType::deduce);
	}

	static ServedPorts of(Environment environment, boolean healthEndpoint, Supplier<WebApplicationType> deduced) {
		if (!isWebApplication(environment, deduced)) {
			return new ServedPorts(null, null, null, "the application has no web server");
		}
		int http = port(environment, "server.port", 8080);
		int management = port(environment, "management.server.port", http);
		boolean own = management != http;
		Integer reachableHttp = isReachable(environment, "server", http) ? http : null;
		Integer reachableManagement = (own && isReachable(environment, "management.server", management)) ? management
				: null;
		String reason = null;
		if (!healthEndpoint) {
			reason = "the application has no health endpoint; add spring-boot-starter-actuator";
		}
		else if (!isExposed(environment)) {
			reason = "the health endpoint is not exposed: see 'management.endpoints.web.exposure.include'";
		}
		else if (!environment.getProperty("management.endpoint.health.probes.enabled", Boolean.class, true)) {
			reason = "'management.endpoint.health.probes.enabled' is false";
		}
		else if ((own ? reachableManagement : reachableHttp) == null) {
			reason = "the port of the actuator is off, or listens on the loopback address only";
		}
		Probes probes = (reason != null) ? null : Probes.of(environment, own);
		return new ServedPorts(reachableHttp, reachableManagement, probes, reason);
	}

	static boolean isWebApplication(Environment environment, Supplier<WebApplicationType> deduced) {
		String type = environment.getProperty("spring.main.web-application-type", "");
		if (StringUtils.hasText(type)) {
			return !"none".equalsIgnoreCase(type.strip());
		}
		return deduced.get() != WebApplicationType.NONE;
	}

	private static int port(Environment environment, String name, int otherwise) {
		if (!(environment instanceof ConfigurableEnvironment configurable)) {
			return environment.getProperty(name, Integer.class, otherwise);
		}
		for (ConfigurationPropertySource source : ConfigurationPropertySources
			.from(configurable.getPropertySources())) {
			ConfigurationProperty property = source.getConfigurationProperty(ConfigurationPropertyName.of(name));
			if (property != null) {
				int port = Integer
					.parseInt(environment.resolvePlaceholders(String.valueOf(property.getValue())).strip());
				boolean ofTest = source.getUnderlyingSource() instanceof PropertySource<?> underlying
						&& OF_TEST.equals(underlying.getName());
				if (port > 0 || (port < 0 && !ofTest)) {
					return port;
				}
			}
		}
		return otherwise;
	}

	private static boolean isReachable(Environment environment, String prefix, int port) {
		String address = environment.getProperty(prefix + ".address", "").strip();
		return port > 0 && !address.equals("localhost") && !address.equals("::1") && !address.startsWith("127.");
	}

	private static boolean isExposed(Environment environment) {
		List<String> include = list(environment, "management.endpoints.web.exposure.include");
		List<String> exclude = list(environment, "management.endpoints.web.exposure.exclude");
		return (include.isEmpty() || include.contains("*") || include.contains("health")) && !exclude.contains("*")
				&& !exclude.contains("health");
	}

	private static List<String> list(Environment environment, String name) {
		return Binder.get(environment).bind(name, Bindable.listOf(String.class)).orElse(List.of());
	}

	/**
	 * Probes by HTTP.
	 *
	 * @param port the name of the container port
	 * @param scheme the scheme; {@code HTTP} or {@code HTTPS}
	 * @param health the path of the health endpoint, without a slash at the end
	 */
	record Probes(String port, String scheme, String health) {

		static Probes of(Environment environment, boolean own) {
			StringBuilder path = new StringBuilder();
			if (own) {
				append(path, environment, "management.server.base-path");
			}
			else {
				append(path, environment, "server.servlet.context-path");
				append(path, environment, "spring.mvc.servlet.path");
				append(path, environment, "spring.webflux.base-path");
			}
			append(path, environment.getProperty("management.endpoints.web.base-path", "/actuator"));
			Map<String, String> mapping = Binder.get(environment)
				.bind("management.endpoints.web.path-mapping", Bindable.mapOf(String.class, String.class))
				.orElse(Map.of());
			append(path, mapping.getOrDefault("health", "health"));
			return new Probes(own ? MANAGEMENT : HTTP,
					isEncrypted(environment, own ? "management.server" : "server") ? "HTTPS" : "HTTP", path.toString());
		}

		private static void append(StringBuilder path, Environment environment, String property) {
			append(path, environment.getProperty(property, ""));
		}

		private static void append(StringBuilder path, String part) {
			String bare = StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(part.strip(), '/'), '/');
			if (!bare.isEmpty()) {
				path.append('/').append(bare);
			}
		}

		private static boolean isEncrypted(Environment environment, String prefix) {
			boolean enabled = environment.getProperty(prefix + ".ssl.enabled", Boolean.class, true);
			return enabled && List.of("bundle", "key-store", "certificate")
				.stream()
				.anyMatch((name) -> StringUtils.hasText(environment.getProperty(prefix + ".ssl." + name)));
		}

		String liveness() {
			return this.health + "/liveness";
		}

		String readiness() {
			return this.health + "/readiness";
		}

	}

}
