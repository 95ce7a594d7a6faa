package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.client.ServerUrl;

/**
 * Removes the tokens of the connections from the endpoints {@code env} and {@code
 * configprops}, and users and passwords from the URLs of API servers and proxies, even if
 * these endpoints show values. Also hides other properties whose value is or contains
 * such a token or password, for example an environment variable to which a placeholder
 * refers.
 */
final class ConnectionSecrets implements SanitizingFunction {

	/**
	 * Pattern of normalized property names, because relaxed binding accepts a name in
	 * many forms.
	 */
	private static final Pattern TOKEN = Pattern.compile("kubernetes(client|clusters.+)token");

	private static final Pattern URL = Pattern.compile("kubernetes(client|clusters.+)(url|proxy)");

	/**
	 * Minimum length of a secret that is searched for within the values of other
	 * properties. A shorter secret could occur in them by chance.
	 */
	private static final int SHORTEST_PART = 8;

	private final Environment environment;

	private final Supplier<Set<String>> clusters;

	/**
	 * Creates the function.
	 * @param environment the environment with the secrets
	 * @param clusters the supplier of the names of the other clusters
	 */
	ConnectionSecrets(Environment environment, Supplier<Set<String>> clusters) {
		this.environment = environment;
		this.clusters = clusters;
	}

	@Override
	public SanitizableData apply(SanitizableData data) {
		Object value = data.getValue();
		if (value == null) {
			return data;
		}
		String name = data.getKey().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
		if (URL.matcher(name).matches()) {
			return value.toString().contains("@") ? data.withValue(ServerUrl.withoutSecrets(value.toString())) : data;
		}
		return (TOKEN.matcher(name).matches() || holdsSecret(value.toString())) ? data.withSanitizedValue() : data;
	}

	private boolean holdsSecret(String value) {
		return secrets().stream()
			.anyMatch((secret) -> value.equals(secret) || (secret.length() >= SHORTEST_PART && value.contains(secret)));
	}

	private List<String> secrets() {
		List<String> secrets = new ArrayList<>();
		add(secrets, KubernetesClientProperties.PREFIX);
		for (String cluster : this.clusters.get()) {
			add(secrets, "kubernetes.clusters." + cluster);
		}
		return secrets;
	}

	private void add(List<String> secrets, String prefix) {
		String token = value(prefix + ".token");
		if (StringUtils.hasText(token)) {
			secrets.add(token);
		}
		for (String name : List.of(".url", ".proxy")) {
			String password = password(value(prefix + name));
			if (StringUtils.hasText(password)) {
				secrets.add(password);
			}
		}
	}

	private @Nullable String value(String name) {
		try {
			return this.environment.getProperty(name);
		}
		catch (IllegalArgumentException ex) {
			// A placeholder without a value does not contain a secret.
			return null;
		}
	}

	private static @Nullable String password(@Nullable String url) {
		if (url == null) {
			return null;
		}
		int end = url.lastIndexOf('@');
		int start = url.indexOf(':', Math.max(0, url.indexOf("://") + 3));
		return (start >= 0 && start < end) ? url.substring(start + 1, end) : null;
	}

}
