package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.util.StringUtils;

import dev.kubeinformer.client.ClientEnvironment;
import dev.kubeinformer.client.ManagedApiClient;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * Text properties of the client, after trimming and checks. Surrounding white space is
 * removed, because files and environment variables often add it. Blank values count as
 * not set. Values are checked, because HTTP does not permit all characters.
 *
 * @param properties the properties
 * @param prefix the prefix of the properties
 */
record ClientValues(KubernetesClientProperties properties, String prefix) {

	/**
	 * Returns the URL of the API server.
	 * @return the URL, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if the value is not a URL
	 */
	@Nullable String url() {
		String url = strip(this.properties.url());
		if (url != null && !ServerUrl.isValid(url)) {
			throw new InvalidPropertyValueException(key("url"), ServerUrl.withoutSecrets(url),
					"must be a URL with scheme and host, such as 'https://10.0.0.1:6443'");
		}
		return url;
	}

	private @Nullable String token() {
		String token = strip(this.properties.token());
		requireHeader("token", token, '!');
		return token;
	}

	/**
	 * Applies the properties to a client that is being built.
	 * @param builder the client
	 * @param environment the environment, with the home directory
	 * @throws InvalidPropertyValueException if a value is not usable; secrets are not
	 * shown
	 */
	void apply(ManagedApiClient.Builder builder, ClientEnvironment environment) {
		String token = token();
		Path tokenFile = tokenFile(token, environment);
		builder.token(token).tokenFile(tokenFile).proxy(strip(this.properties.proxy()));
		builder.tlsServerName(this.properties.tlsServerName());
		impersonate(builder);
		String ca = ca();
		if (ca != null) {
			applyAuthority(ca, builder, environment);
		}
	}

	private @Nullable Path tokenFile(@Nullable String token, ClientEnvironment environment) {
		String file = strip(this.properties.tokenFile());
		if (token != null && file != null) {
			throw new InvalidPropertyValueException(key("token-file"), file,
					"cannot be set together with '%s'; remove one of them".formatted(key("token")));
		}
		try {
			return (file != null) ? environment.path(file) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPropertyValueException(key("token-file"), file, "must be the path of a file");
		}
	}

	private void applyAuthority(String ca, ManagedApiClient.Builder builder, ClientEnvironment environment) {
		if (PemContent.isPresentInText(ca)) {
			builder.certificateAuthority(ca);
			return;
		}
		try {
			if (isFile(ca)) {
				builder.certificateAuthority(environment.path(ca));
			}
			else {
				builder.certificateAuthority(
						ApplicationResourceLoader.get().getResource(ca).getContentAsString(StandardCharsets.UTF_8));
			}
		}
		catch (IOException | IllegalArgumentException ex) {
			throw new InvalidPropertyValueException(key("ca"), ca,
					"does not contain readable certificates in PEM (%s)".formatted(ex.getClass().getSimpleName()));
		}
	}

	// Only files are read again when they change. A location with a scheme other than
	// "file", such as "classpath:", is not a file. A single letter before the colon is a
	// drive.
	private static boolean isFile(String location) {
		return location.startsWith("file:") || !location.matches("(?s)[a-zA-Z][a-zA-Z0-9+.-]+:.*");
	}

	private void impersonate(ManagedApiClient.Builder builder) {
		KubernetesClientProperties.Impersonate properties = this.properties.impersonate();
		List<String> groups = properties.groups().stream().filter(StringUtils::hasText).map(String::strip).toList();
		String user = strip(properties.user());
		String uid = strip(properties.uid());
		if (user == null && !(groups.isEmpty() && uid == null && properties.extra().isEmpty())) {
			throw InvalidPropertyValueException.secret(key("impersonate.user"),
					"is not set, but groups, UID or extra attributes of a user are; they need a user");
		}
		if (user != null) {
			builder.impersonate(user, groups, uid, properties.extra());
		}
	}

	/**
	 * Returns the user agent.
	 * @return the user agent, or {@code null} if it is not set
	 * @throws InvalidPropertyValueException if the value cannot be sent
	 */
	@Nullable String userAgent() {
		String userAgent = strip(this.properties.userAgent());
		requireHeader("user-agent", userAgent, ' ');
		return userAgent;
	}

	/**
	 * Returns the SSL bundle.
	 * @param bundles the bundles of the application
	 * @return the bundle, or {@code null} if it is not set
	 */
	@Nullable ClientBundle sslBundle(ObjectProvider<SslBundles> bundles) {
		String name = sslBundle();
		return (name != null) ? ClientBundle.of(name, bundles, this.prefix) : null;
	}

	private @Nullable String sslBundle() {
		return strip(this.properties.ssl().bundle());
	}

	private @Nullable String ca() {
		String ca = strip(this.properties.ca());
		if (ca != null && sslBundle() != null) {
			throw InvalidPropertyValueException.secret(key("ca"),
					"cannot be set together with '%s', whose trust store replaces it; remove one of them"
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
						("has a character at position %d that an HTTP header cannot contain, such as "
								+ "a line break or a letter beyond ASCII; the value is not shown here")
							.formatted(i + 1));
			}
		}
	}

	private String key(String name) {
		return this.prefix + "." + name;
	}

}
