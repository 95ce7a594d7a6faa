package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * The texts among the properties of the client, fit for HTTP: without white space around
 * them, which files and environment variables tend to add. Blank ones are not set.
 */
final class ClientValues {

	private final KubernetesClientProperties properties;

	private final String prefix;

	/**
	 * Creates the texts.
	 * @param properties the properties
	 * @param prefix the prefix of their names
	 */
	ClientValues(KubernetesClientProperties properties, String prefix) {
		this.properties = properties;
		this.prefix = prefix;
	}

	/**
	 * Returns the URL of the API server.
	 * @return the URL, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if it is no URL
	 */
	@Nullable String url() {
		String url = strip(this.properties.getUrl());
		if (url != null && !ServerUrl.isValid(url)) {
			throw new InvalidPropertyValueException(key("url"), ServerUrl.withoutSecrets(url),
					"must be a URL with scheme and host, such as 'https://10.0.0.1:6443'");
		}
		return url;
	}

	/**
	 * Returns the bearer token.
	 * @return the token, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if it cannot be sent; the token is not shown
	 */
	@Nullable String token() {
		String token = strip(this.properties.getToken());
		requireHeader("token", token, '!');
		return token;
	}

	/**
	 * Returns the user agent.
	 * @return the user agent, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if it cannot be sent
	 */
	@Nullable String userAgent() {
		String userAgent = strip(this.properties.getUserAgent());
		requireHeader("user-agent", userAgent, ' ');
		return userAgent;
	}

	/**
	 * Returns the name of the SSL bundle.
	 * @return the name, or {@code null} if it is not set
	 */
	@Nullable String sslBundle() {
		return strip(this.properties.getSsl().getBundle());
	}

	private static @Nullable String strip(@Nullable String value) {
		return StringUtils.hasText(value) ? value.strip() : null;
	}

	private void requireHeader(String name, @Nullable String value, char lowest) {
		for (int i = 0; value != null && i < value.length(); i++) {
			if (value.charAt(i) < lowest || value.charAt(i) > '~') {
				throw InvalidPropertyValueException.secret(key(name),
						("has a character at position %d that an HTTP header cannot hold, such as a line break or a "
								+ "letter beyond ASCII; the value is not shown here")
							.formatted(i + 1));
			}
		}
	}

	private String key(String name) {
		return this.prefix + "." + name;
	}

}
