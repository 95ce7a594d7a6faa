package dev.kubeinformer.spring.autoconfigure.client;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.Authentication;
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
	 * Returns how to authenticate: by the token, or by the file that has it.
	 * @return the authentication, or {@code null} if neither is set
	 * @throws InvalidPropertyValueException if both are set, or the token cannot be sent
	 */
	@Nullable Authentication authentication() {
		String token = token();
		String file = strip(this.properties.getTokenFile());
		if (token != null && file != null) {
			throw new InvalidPropertyValueException(key("token-file"), file,
					"cannot be set beside '%s'; remove one of them".formatted(key("token")));
		}
		if (file == null) {
			return (token != null) ? new AccessTokenAuthentication(token) : null;
		}
		try {
			return new TokenFile(Path.of(file)).authentication();
		}
		catch (TokenFile.UnusableTokenException ex) {
			throw new InvalidPropertyValueException(key("token-file"), file,
					"must be the path of a file that holds a token, but that " + ex.getMessage());
		}
		catch (InvalidPathException ex) {
			throw new InvalidPropertyValueException(key("token-file"), file, "must be the path of a file");
		}
	}

	/**
	 * Returns the proxy.
	 * @return the proxy, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if it cannot be used; its password is not
	 * shown
	 */
	@Nullable ClientProxy proxy() {
		String proxy = strip(this.properties.getProxy());
		try {
			return (proxy != null) ? ClientProxy.parse(proxy) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPropertyValueException(key("proxy"), ServerUrl.withoutSecrets(proxy),
					String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Returns the user as whom requests are made.
	 * @return the user; one that is empty if it is not set
	 * @throws InvalidPropertyValueException if attributes have no user, or cannot be sent
	 */
	Impersonation impersonation() {
		KubernetesClientProperties.Impersonate properties = this.properties.getImpersonate();
		List<String> groups = properties.getGroups().stream().filter(StringUtils::hasText).map(String::strip).toList();
		Impersonation impersonation = new Impersonation(strip(properties.getUser()), groups, strip(properties.getUid()),
				properties.getExtra());
		if (impersonation.isOfNobody()) {
			throw InvalidPropertyValueException.secret(key("impersonate.user"),
					"is not set, but groups, UID or extra attributes of a user are; they need one");
		}
		if (!impersonation.fitsHeaders()) {
			throw InvalidPropertyValueException.secret(key("impersonate"),
					"has a value that an HTTP header cannot hold, with a line break or a letter beyond ASCII");
		}
		return impersonation;
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

	/**
	 * Returns the certificates of the authorities.
	 * @return a PEM file's path or location, or PEM itself; {@code null} if not set
	 * @throws InvalidPropertyValueException if an SSL bundle is named as well
	 */
	@Nullable String ca() {
		String ca = strip(this.properties.getCa());
		if (ca != null && sslBundle() != null) {
			throw InvalidPropertyValueException.secret(key("ca"),
					"cannot be set beside '%s', whose trust store is the place for it; remove one of them"
						.formatted(key("ssl.bundle")));
		}
		return ca;
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
