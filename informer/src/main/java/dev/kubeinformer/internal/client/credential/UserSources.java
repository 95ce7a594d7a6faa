package dev.kubeinformer.internal.client.credential;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.tls.ClientIdentity;
import dev.kubeinformer.internal.client.tls.Pem;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Selects the sources of a user's credential by the rules of client-go
 * ({@code TransportConfig} in rest/transport.go, {@code HTTPWrappersForConfig} in
 * transport/round_trippers.go, {@code UpdateTransportConfig} in exec.go):
 * <ul>
 * <li>A certificate is used in addition to any header.</li>
 * <li>A user must not have both a token and a user name with a password.</li>
 * <li>A plugin runs only if there is neither a token nor a user name nor a
 * certificate.</li>
 * <li>An auth provider supplies the header if there is neither a token nor a user
 * name.</li>
 * </ul>
 */
final class UserSources {

	private final ClusterAccess access;

	private final ClusterAccess.User user;

	private final ClientTime time;

	private final UnaryOperator<String> fields;

	private final FileReader reader;

	private final Runnable exchanged;

	/**
	 * Creates the selection for a user.
	 * @param access the cluster and the user
	 * @param time the clocks
	 * @param fields converts the name of a field into the name that messages show
	 * @param exchanged called after each fetch of a source
	 */
	UserSources(ClusterAccess access, ClientTime time, UnaryOperator<String> fields, Runnable exchanged) {
		this.fields = fields;
		this.access = access;
		this.user = access.user();
		this.time = time;
		this.reader = new FileReader(time);
		this.exchanged = exchanged;
	}

	/**
	 * Creates the sources. Reads files, but does not run a plugin.
	 * @return the sources; empty for an anonymous user
	 * @throws ClientConfigurationException if they are not usable
	 */
	List<CredentialSource> create() {
		ClusterAccess.Plugin plugin = this.user.plugin();
		boolean hasToken = this.user.token() != null || this.user.tokenFile() != null;
		check(hasToken);
		List<CredentialSource> sources = new ArrayList<>();
		if (this.user.certificate() != null) {
			sources.add(certificate(this.user.certificate(), key()));
		}
		if (hasToken) {
			sources.add(token());
		}
		else if (this.user.basic() != null) {
			sources.add(basic(this.user.basic()));
		}
		else if (this.user.provider() != null) {
			sources.add(new FetchedSource(OidcProvider.of(this.access, this.user.provider(), this.time), this.time,
					this.exchanged));
		}
		else if (plugin != null && sources.isEmpty()) {
			ExecPlugin.checkInteraction(this.access, plugin);
			sources
				.add(new FetchedSource(new ExecPlugin(this.access, plugin, this.time, this.reader, ExecPlugin.PATIENCE),
						this.time, this.exchanged));
		}
		return List.copyOf(sources);
	}

	private void check(boolean hasToken) {
		if (hasToken && this.user.basic() != null) {
			throw new ClientConfigurationException(this.access.place(), null,
					"has a token and a user name with a password, which exclude each other",
					"Remove 'token' and 'tokenFile', or 'username' and 'password'.");
		}
		if (this.user.plugin() != null) {
			if (this.user.provider() != null) {
				throw new ClientConfigurationException(this.access.place(), null,
						"has 'exec' and 'auth-provider', which exclude each other", "Remove one of them.");
			}
			ExecPlugin.check(this.access, this.user.plugin());
		}
	}

	private Content key() {
		Content key = this.user.key();
		if (key == null) {
			throw new ClientConfigurationException(this.access.place(), "client-key",
					"is missing, and 'client-certificate' needs it",
					"Set the key, or the same file as 'client-certificate' if that contains the key.");
		}
		return key;
	}

	private CredentialSource certificate(Content certificate, Content key) {
		if (certificate instanceof Content.Inline one && key instanceof Content.Inline other) {
			ClientIdentity identity = Pem.identity(one, one.text(), other, other.text());
			return new FixedSource(new Credential(null, identity, "client certificate of " + this.access.origin(),
					now(), identity.expires()));
		}
		IdentityFiles files = new IdentityFiles(certificate, key, this.reader, this.time.clock());
		return new FileSource(files, this.reader, this.time, null, true);
	}

	private CredentialSource token() {
		String token = this.user.token();
		Path path = this.user.tokenFile();
		if (path == null) {
			return new FixedSource(fixedToken((token != null) ? token : ""));
		}
		TokenFile file = new TokenFile(this.access.place(), this.fields.apply(TokenFile.FIELD), path, this.reader,
				this.time.clock());
		Supplier<Credential> fallback = (token != null) ? () -> fixedToken(token) : null;
		return new FileSource(file, this.reader, this.time, fallback, false);
	}

	private Credential fixedToken(String token) {
		String problem = BearerTokens.problem(token);
		if (problem != null) {
			throw new ClientConfigurationException(this.access.place(), this.fields.apply("token"), problem,
					"Correct the token.");
		}
		return new Credential(BearerTokens.header(token), null, "token of " + this.access.origin(), now(),
				BearerTokens.expires(token));
	}

	private CredentialSource basic(ClusterAccess.Basic basic) {
		byte[] text = (basic.name() + ":" + basic.password()).getBytes(StandardCharsets.UTF_8);
		return new FixedSource(new Credential("Basic " + Base64.getEncoder().encodeToString(text), null,
				"user name and password of " + this.access.origin(), now(), null));
	}

	private Instant now() {
		return this.time.clock().instant();
	}

}
