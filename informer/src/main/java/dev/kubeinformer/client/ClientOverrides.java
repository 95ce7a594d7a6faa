package dev.kubeinformer.client;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;

/**
 * Settings that take the place of what a configuration says.
 */
final class ClientOverrides {

	String place = "The builder of the client";

	@Nullable String token;

	@Nullable Path tokenFile;

	@Nullable Content authority;

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

	boolean hasTrust() {
		return this.authority != null;
	}

	private boolean hasUser() {
		return this.token != null || this.tokenFile != null || this.certificate != null;
	}

	/**
	 * Returns what holds the credentials, for messages.
	 * @param access what the configuration says
	 * @return the place, as the subject of a sentence
	 */
	String userPlace(ClusterAccess access) {
		return hasUser() ? this.place : access.place();
	}

	/**
	 * Applies the settings.
	 * @param access what the configuration says
	 * @return the access
	 */
	ClusterAccess apply(ClusterAccess access) {
		ClusterAccess.Server server = access.server();
		Content own = placed(this.authority);
		ClusterAccess.Server changed = new ClusterAccess.Server(server.url(),
				(this.tlsServerName != null) ? this.tlsServerName : server.tlsServerName(),
				// Who says whom to trust wants the certificate to be verified, too.
				own == null && server.insecure(), (own != null) ? own : server.authority(),
				(this.proxy != null) ? this.proxy : server.proxy());
		return new ClusterAccess(access.place(), access.origin(), changed, user(access.user()), access.namespace());
	}

	private ClusterAccess.User user(ClusterAccess.User user) {
		boolean named = !this.impersonation.equals(ClusterAccess.Impersonation.none());
		ClusterAccess.Impersonation as = named ? this.impersonation : user.impersonation();
		return hasUser()
				? new ClusterAccess.User(this.token, this.tokenFile, placed(this.certificate), placed(this.key), null,
						null, null, as)
				: new ClusterAccess.User(user.token(), user.tokenFile(), user.certificate(), user.key(), user.basic(),
						user.plugin(), user.provider(), as);
	}

	private @Nullable Content placed(@Nullable Content content) {
		if (content instanceof Content.InFile file) {
			return new Content.InFile(this.place, file.field(), file.path());
		}
		return (content instanceof Content.Inline inline)
				? new Content.Inline(this.place, inline.field(), inline.text()) : null;
	}

}
