package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Finds the client properties that are set. If the application creates the client itself,
 * these properties have no effect, and messages name them. Internal to the starter.
 */
public final class ClientPropertyNames {

	/** Properties that are applied to the client itself. */
	static final List<String> OF_CLIENT = List.of("url", "token", "token-file", "ca", "tls-server-name", "proxy",
			"kubeconfig", "context", "user-agent", "connect-timeout", "ssl.bundle", "impersonate.user",
			"impersonate.groups", "impersonate.uid", "impersonate.extra");

	/** Properties that are applied to the informers. */
	private static final List<String> OF_INFORMERS = List.of("protobuf");

	private final Environment environment;

	private final String prefix;

	/**
	 * Creates an instance for the properties below {@code kubernetes.client}.
	 * @param environment the environment with the properties
	 */
	public ClientPropertyNames(Environment environment) {
		this(environment, KubernetesClientProperties.PREFIX);
	}

	/**
	 * Creates an instance.
	 * @param environment the environment with the properties
	 * @param prefix the prefix of the properties
	 */
	public ClientPropertyNames(Environment environment, String prefix) {
		this.environment = environment;
		this.prefix = prefix;
	}

	/**
	 * Returns the properties that are set and that a client of the application ignores.
	 * @return their full names
	 */
	Stream<String> setOfClient() {
		return set(OF_CLIENT);
	}

	/**
	 * Returns the properties that are set and that informers of the application ignore.
	 * @return their full names
	 */
	public Stream<String> setOfAll() {
		return Stream.concat(setOfClient(), set(OF_INFORMERS));
	}

	private Stream<String> set(Collection<String> names) {
		Binder binder = Binder.get(this.environment);
		return names.stream()
			.map((name) -> this.prefix + "." + name)
			.filter((name) -> StringUtils.hasText(binder.bind(name, String.class).orElse(""))
					|| !binder.bind(name, Bindable.mapOf(String.class, Object.class)).orElse(Map.of()).isEmpty());
	}

}
