package dev.kubeinformer.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.net.ssl.KeyManager;
import javax.net.ssl.X509TrustManager;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.internal.client.credential.Credential;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * An {@link ApiClient} of {@link Clients}: its credentials and certificates are read
 * again when they may have changed, and closing it gives threads and connections back.
 * <p>
 * What concerns HTTP goes on a copy of its HTTP client:
 * <code>client.setHttpClient(client.getHttpClient().newBuilder()...build())</code>. The
 * methods of {@code ApiClient} that set an authority, key managers or the verification
 * replace TLS as a whole, so nothing of it is read again afterwards.
 */
public final class ManagedApiClient extends ApiClient implements AutoCloseable {

	private final ClientDescription description;

	private final ClientAssembly assembly;

	private final @Nullable String tlsServerName;

	/** The original HTTP client. Copies share its dispatcher and connection pool. */
	private final OkHttpClient own;

	private ManagedApiClient(ClientAssembly assembly, ClusterAccess access, ClientDescription description) {
		this.assembly = assembly;
		this.description = description;
		this.tlsServerName = access.server().tlsServerName();
		setBasePath(access.server().url());
		assembly.prepare(this);
		this.own = assembly.http(getHttpClient(), this::getBasePath);
		setHttpClient(this.own);
	}

	/**
	 * Returns what the client is made of.
	 * @return the description
	 */
	public ClientDescription description() {
		return this.description;
	}

	/**
	 * Returns which credential was used last. A client certificate that the application
	 * brings by TLS of its own is not known here.
	 * @return the credential; {@code null} if the client has none
	 */
	public @Nullable ClientCredential credential() {
		Credential credential = this.assembly.used();
		return (credential != null && credential.authenticates()) ? new ClientCredential(credential.source(),
				credential.authorization() != null, credential.readAt(), credential.expires()) : null;
	}

	/**
	 * Returns the name that is sent as SNI and that the certificate of the API server
	 * must have.
	 * @return the name; {@code null} for the host of the URL
	 */
	// No @Override: client-java has this method from version 25 on.
	public @Nullable String getTlsServerName() {
		return this.tlsServerName;
	}

	/**
	 * Sets the HTTP client. If it is a copy of the former one with another proxy, it gets
	 * default sockets in place of those of the former proxy.
	 */
	@Override
	public ApiClient setHttpClient(OkHttpClient client) {
		return super.setHttpClient(ProxySettings.withoutFormer(client));
	}

	/**
	 * Exchanges TLS for that of the application, such as an SSL bundle that was reloaded.
	 * New connections use it, and those that are open are cut.
	 * @param keys what has the client certificate; {@code null} for what the
	 * configuration says
	 * @param trust what verifies the certificate of the API server, whose name is
	 * verified, too; {@code null} for what the configuration says
	 * @param protocol the protocol of {@link javax.net.ssl.SSLContext}, usually
	 * {@code TLS}
	 * @throws IllegalArgumentException if there is no such protocol, or the managers
	 * cannot be used
	 */
	public void renewTls(KeyManager @Nullable [] keys, @Nullable X509TrustManager trust, String protocol) {
		this.assembly.tls().renew(keys, trust, protocol);
	}

	/**
	 * Closes the connections that are idle, lets the others end, and ends the threads. A
	 * client that is closed cannot be used any more.
	 */
	@Override
	public void close() {
		// Not those of another client that the application may have set.
		this.own.dispatcher().executorService().shutdown();
		this.own.connectionPool().evictAll();
		this.assembly.close();
	}

	/**
	 * Finds what a configuration says.
	 */
	@FunctionalInterface
	interface Source {

		ClusterAccess access(Lookup lookup);

	}

	/**
	 * Builder of a client. What is set here takes the place of what the configuration
	 * says; blank texts are not set. Not safe for use by several threads.
	 */
	public static final class Builder {

		private final ClientEnvironment environment;

		private final Source source;

		private final ClientOverrides overrides = new ClientOverrides();

		private @Nullable String context;

		private @Nullable String origin;

		private @Nullable String contextOption;

		private @Nullable String userAgent;

		private Duration connectTimeout = Duration.ofSeconds(10);

		private @Nullable Consumer<ManagedApiClient> tls;

		Builder(ClientEnvironment environment, Source source) {
			this.environment = environment;
			this.source = source;
		}

		/**
		 * Sets the context of the kubeconfig.
		 * @param context the name of the context; {@code null} or blank for the current
		 * one
		 * @return this builder
		 */
		public Builder context(@Nullable String context) {
			this.context = context;
			return this;
		}

		/**
		 * Authenticates by a bearer token, instead of what the configuration says.
		 * @param token the token
		 * @return this builder
		 */
		public Builder token(@Nullable String token) {
			this.overrides.token = ClientOverrides.text(token);
			return this;
		}

		/**
		 * Authenticates by a bearer token in a file, instead of what the configuration
		 * says. The file is read again every minute and when the API server refuses the
		 * token.
		 * @param file the file
		 * @return this builder
		 */
		public Builder tokenFile(@Nullable Path file) {
			this.overrides.tokenFile = file;
			return this;
		}

		/**
		 * Lets the configuration have no credentials, because the application adds some
		 * to the client.
		 * @return this builder
		 */
		public Builder authenticatedLater() {
			this.overrides.authenticatedLater = true;
			return this;
		}

		/**
		 * Trusts the authorities in a file, and no others. The file is read again when it
		 * changed.
		 * @param file a file in PEM
		 * @return this builder
		 */
		public Builder certificateAuthority(@Nullable Path file) {
			this.overrides.authority = ClientOverrides.content("certificateAuthority", file);
			return this;
		}

		/**
		 * Trusts authorities, and no others.
		 * @param pem their certificates in PEM
		 * @return this builder
		 */
		public Builder certificateAuthority(@Nullable String pem) {
			this.overrides.authority = ClientOverrides.content("certificateAuthority", pem);
			return this;
		}

		/**
		 * Authenticates by a client certificate in files, instead of what the
		 * configuration says. The files are read again when they changed.
		 * @param certificate a file in PEM, with the chain that the certificate needs
		 * @param key a file in PEM; it may be the same one
		 * @return this builder
		 */
		public Builder clientCertificate(Path certificate, Path key) {
			this.overrides.certificate = ClientOverrides.content("clientCertificate", certificate);
			this.overrides.key = ClientOverrides.content("clientKey", key);
			return this;
		}

		/**
		 * Authenticates by a client certificate, instead of what the configuration says.
		 * @param certificate the certificate in PEM, with the chain that it needs
		 * @param key its key in PEM
		 * @return this builder
		 */
		public Builder clientCertificate(String certificate, String key) {
			this.overrides.certificate = ClientOverrides.content("clientCertificate", certificate);
			this.overrides.key = ClientOverrides.content("clientKey", key);
			return this;
		}

		/**
		 * Takes TLS from the application, such as from an SSL bundle.
		 * {@link ManagedApiClient#renewTls} exchanges it later.
		 * @param keys what has the client certificate; {@code null} for what the
		 * configuration says
		 * @param trust what verifies the certificate of the API server, whose name is
		 * verified, too; {@code null} for what the configuration says
		 * @param protocol the protocol of {@link javax.net.ssl.SSLContext}, usually
		 * {@code TLS}
		 * @return this builder
		 */
		public Builder tls(KeyManager @Nullable [] keys, @Nullable X509TrustManager trust, String protocol) {
			this.overrides.certified = keys != null;
			this.overrides.trusted = trust != null;
			this.tls = (client) -> {
				try {
					client.renewTls(keys, trust, protocol);
				}
				catch (IllegalArgumentException ex) {
					throw this.overrides.unusableTls(ex);
				}
			};
			return this;
		}

		/**
		 * Sets the name that is sent as SNI and that the certificate of the API server
		 * must have.
		 * @param name the name
		 * @return this builder
		 */
		public Builder tlsServerName(@Nullable String name) {
			this.overrides.tlsServerName = ClientOverrides.text(name);
			return this;
		}

		/**
		 * Sets the proxy of the connections.
		 * @param url the URL, for example {@code http://user:password@proxy:3128} or
		 * {@code socks5://localhost:1080}
		 * @return this builder
		 */
		public Builder proxy(@Nullable String url) {
			this.overrides.proxy = ClientOverrides.text(url);
			return this;
		}

		/**
		 * Makes all requests as another user, which the credentials need the right to do.
		 * @param user the name of the user
		 * @return this builder
		 */
		public Builder impersonate(@Nullable String user) {
			return impersonate(user, List.of(), null, Map.of());
		}

		/**
		 * Makes all requests as another user, which the credentials need the right to do.
		 * @param user the name of the user
		 * @param groups the groups of the user
		 * @param uid the UID of the user; {@code null} for none
		 * @param extra other attributes of the user, by their names
		 * @return this builder
		 */
		public Builder impersonate(@Nullable String user, List<String> groups, @Nullable String uid,
				Map<String, List<String>> extra) {
			this.overrides.impersonation = new ClusterAccess.Impersonation(ClientOverrides.text(user),
					List.copyOf(groups), ClientOverrides.text(uid), Map.copyOf(extra));
			return this;
		}

		/**
		 * Sets the user agent that the API server sees.
		 * @param userAgent the user agent
		 * @return this builder
		 */
		public Builder userAgent(@Nullable String userAgent) {
			this.userAgent = ClientOverrides.text(userAgent);
			return this;
		}

		/**
		 * Sets how long to wait for a connection, TLS handshake included.
		 * @param timeout the time; zero for no limit. 10 seconds by default
		 * @return this builder
		 */
		public Builder connectTimeout(Duration timeout) {
			this.connectTimeout = timeout;
			return this;
		}

		/**
		 * Sets how messages call what is set, for example when properties of a framework
		 * stand behind the methods of this builder.
		 * @param origin what named the kubeconfig or the URL, for example
		 * {@code the property 'kubeconfig'}; {@code null} for what is usual
		 * @param contextOption what may name another context, for example
		 * {@code the property 'context'}; {@code null} for nothing
		 * @param settings what holds the settings of this builder, as the subject of a
		 * sentence
		 * @param fields what settings are called there, by the names of the methods of
		 * this builder, for example {@code ca} by {@code certificateAuthority}
		 * @return this builder
		 */
		public Builder describedAs(@Nullable String origin, @Nullable String contextOption, String settings,
				Map<String, String> fields) {
			this.origin = origin;
			this.contextOption = contextOption;
			this.overrides.place = settings;
			this.overrides.fields = Map.copyOf(fields);
			return this;
		}

		/**
		 * Describes the client that {@link #build()} makes. It reads kubeconfigs, but
		 * neither certificates nor tokens, and runs no plugin. Credentials may be set
		 * later.
		 * @return the description
		 * @throws ClientConfigurationException if the configuration cannot be used
		 */
		public ClientDescription describe() {
			ClusterAccess access = access(true);
			return describe(access, ClientAssembly.proxy(access, this.overrides, this.environment, Level.DEBUG));
		}

		private ClientDescription describe(ClusterAccess access, @Nullable ProxySettings proxy) {
			Content authority = access.server().authority();
			return new ClientDescription(access.origin(), ApiServerUrl.shown(access.server().url()), access.namespace(),
					(proxy != null) ? proxy.toString() : null, access.user().impersonation().user(),
					(authority != null) ? authority.toString() : null,
					access.user().plugin() != null || access.user().provider() != null, this.overrides.place,
					this.tls != null, this.overrides.certified);
		}

		private ClusterAccess access(boolean authenticated) {
			return this.overrides
				.apply(this.source.access(new Lookup(this.origin, this.context, this.contextOption, authenticated)));
		}

		/**
		 * Makes the client. Kubeconfigs, certificates and tokens are read now, and a
		 * credential plugin runs, so that what is missing stops the start. Nothing is
		 * connected yet.
		 * @return the client
		 * @throws ClientConfigurationException if the configuration cannot be used
		 */
		public ManagedApiClient build() {
			ClusterAccess access = access(this.overrides.authenticates());
			ClientAssembly assembly = ClientAssembly.of(access, this.overrides, this.environment, this.connectTimeout,
					ClientTime.system());
			try {
				ManagedApiClient client = new ManagedApiClient(assembly, access, describe(access, assembly.proxy()));
				if (this.tls != null) {
					this.tls.accept(client);
				}
				if (this.userAgent != null) {
					client.setUserAgent(this.userAgent);
				}
				return client;
			}
			catch (RuntimeException | Error ex) {
				// Threads renew the credentials already.
				assembly.close();
				throw ex;
			}
		}

	}

}
