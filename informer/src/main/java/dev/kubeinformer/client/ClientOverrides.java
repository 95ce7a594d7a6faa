package dev.kubeinformer.client;

import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Settings of the builder that override those of a configuration such as a kubeconfig.
 */
final class ClientOverrides {

	String place = "The builder of the client";

	/**
	 * Names of the settings in messages. The keys are the names of the builder's methods.
	 */
	Map<String, String> fields = Map.of();

	@Nullable String token;

	@Nullable Path tokenFile;

	@Nullable Content authority;

	/** Whether the application verifies the certificate of the API server itself. */
	boolean trusted;

	/** Whether the application may supply its own client certificate. */
	boolean certified;

	/** Whether the application adds credentials to the client later. */
	boolean authenticatedLater;

	@Nullable Content certificate;

	@Nullable Content key;

	@Nullable String tlsServerName;

	@Nullable String proxy;

	ClusterAccess.Impersonation impersonation = ClusterAccess.Impersonation.none();

	static @Nullable String text(@Nullable String value) {
		return (value != null && !value.isBlank()) ? value.strip() : null;
	}

	static @Nullable Content content(String field, @Nullable Path file) {
		return (file != null) ? new Content.InFile("", field, file) : null;
	}

	static @Nullable Content content(String field, @Nullable String pem) {
		return (pem != null && !pem.isBlank()) ? new Content.Inline("", field, pem) : null;
	}

	private boolean hasUser() {
		return this.token != null || this.tokenFile != null || this.certificate != null;
	}

	/**
	 * Returns whether the application sets credentials, now or later.
	 * @return {@code true} if the configuration does not need credentials
	 */
	boolean authenticates() {
		return hasUser() || this.certified || this.authenticatedLater;
	}

	/**
	 * Returns where the credentials are set, for messages.
	 * @param access the access from the configuration
	 * @return the name of the configuration or the builder, as the subject of a sentence
	 */
	String userPlace(ClusterAccess access) {
		return hasUser() ? this.place : access.place();
	}

	/**
	 * Returns the name of a field of the credentials in messages.
	 * @param name the name of the field in a kubeconfig
	 * @return the name in messages
	 */
	String userField(String name) {
		return hasUser() ? field(name) : name;
	}

	/**
	 * Returns the source of the credentials, for descriptions.
	 * @param access the access from the configuration
	 * @return the source, within a sentence
	 */
	String userOrigin(ClusterAccess access) {
		return hasUser() ? Character.toLowerCase(this.place.charAt(0)) + this.place.substring(1) : access.origin();
	}

	/**
	 * Returns where the impersonated user is set, for messages.
	 * @param access the access from the configuration
	 * @return the name of the configuration or the builder, as the subject of a sentence
	 */
	String impersonationPlace(ClusterAccess access) {
		return impersonates() ? this.place : access.place();
	}

	/**
	 * Returns the name of the field that sets the impersonated user, for messages.
	 * @return the field
	 */
	String impersonationField() {
		return impersonates() ? field("as") : "as";
	}

	private boolean impersonates() {
		return !this.impersonation.equals(ClusterAccess.Impersonation.none());
	}

	/**
	 * Creates the exception for an unusable proxy.
	 * @param access the access from the configuration
	 * @param rule the rule for the URL, as the end of a sentence
	 * @return the exception
	 */
	ClientConfigurationException unusableProxy(ClusterAccess access, String rule) {
		String action = "Correct the URL, or remove it to connect without a proxy.";
		return (this.proxy != null) ? new ClientConfigurationException(this.place, field("proxy"), rule, action)
				: new ClientConfigurationException(access.place(), "proxy-url", rule, action);
	}

	/**
	 * Creates the exception for TLS settings of the application that are not usable.
	 * @param failure the reason
	 * @return the exception
	 */
	ClientConfigurationException unusableTls(IllegalArgumentException failure) {
		return new ClientConfigurationException(this.place, "tls", "cannot be used: " + failure.getMessage(), null);
	}

	/**
	 * Applies the settings to a configuration.
	 * @param access the access from the configuration
	 * @return the access with the settings
	 */
	ClusterAccess apply(ClusterAccess access) {
		ClusterAccess.Server server = access.server();
		Content own = placed(this.authority);
		ClusterAccess.Server changed = new ClusterAccess.Server(server.url(),
				(this.tlsServerName != null) ? this.tlsServerName : text(server.tlsServerName()),
				// An application that sets authorities wants verification, too.
				own == null && !this.trusted && server.insecure(),
				(own != null) ? own : this.trusted ? null : server.authority(),
				(this.proxy != null) ? this.proxy : server.proxy());
		return new ClusterAccess(access.place(), access.origin(), changed, user(access.user()), access.namespace());
	}

	private ClusterAccess.User user(ClusterAccess.User user) {
		ClusterAccess.Impersonation as = impersonates() ? this.impersonation : user.impersonation();
		return hasUser()
				? new ClusterAccess.User(this.token, this.tokenFile, placed(this.certificate), placed(this.key), null,
						null, null, as)
				: new ClusterAccess.User(user.token(), user.tokenFile(), user.certificate(), user.key(), user.basic(),
						user.plugin(), user.provider(), as);
	}

	private @Nullable Content placed(@Nullable Content content) {
		if (content instanceof Content.InFile file) {
			return new Content.InFile(this.place, field(file.field()), file.path());
		}
		return (content instanceof Content.Inline inline)
				? new Content.Inline(this.place, field(inline.field()), inline.text()) : null;
	}

	/**
	 * Returns the name of a setting in messages.
	 * @param name the name of the builder's method
	 * @return the name in messages
	 */
	private String field(String name) {
		return this.fields.getOrDefault(name, name);
	}

}
