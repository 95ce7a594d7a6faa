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
 * {@link ApiClient} created by {@link Clients}. It reads credentials and certificates
 * again when they may have changed. Closing it releases its threads and connections.
 * <p>
 * To change HTTP settings, set a copy of its HTTP client:
 * <code>client.setHttpClient(client.getHttpClient().newBuilder()...build())</code>. The
 * methods of {@code ApiClient} that set certificate authorities, key managers or the
 * verification of certificates replace all TLS settings of this client. Certificates are
 * not read again after that.
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
	 * Returns a description of the client's configuration.
	 * @return the description
	 */
	public ClientDescription description() {
		return this.description;
	}

	/**
	 * Returns the credential of the latest request. It does not include a client
	 * certificate that the application has set with {@link Builder#tls} or
	 * {@link #renewTls}.
	 * @return the credential; {@code null} if the client has none
	 */
	public @Nullable ClientCredential credential() {
		Credential credential = this.assembly.used();
		return (credential != null && credential.authenticates()) ? new ClientCredential(credential.source(),
				credential.authorization() != null, credential.readAt(), credential.expires()) : null;
	}

	/**
	 * Returns the TLS server name. It is sent as SNI, and the certificate of the API
	 * server must match it.
	 * @return the name; {@code null} for the host of the URL
	 */
	// No @Override, because client-java has this method only from version 25 on.
	public @Nullable String getTlsServerName() {
		return this.tlsServerName;
	}

	/**
	 * Sets the HTTP client. If it is a copy of the previous HTTP client with another
	 * proxy, the socket factory for the previous proxy is replaced by the default one.
	 */
	@Override
	public ApiClient setHttpClient(OkHttpClient client) {
		return super.setHttpClient(ProxySettings.withoutFormer(client));
	}

	/**
	 * Replaces the TLS settings with settings of the application, such as a reloaded SSL
	 * bundle. New connections use them; open connections are closed.
	 * @param keys the key managers with the client certificate; {@code null} to use the
	 * configuration
	 * @param trust the trust manager for the certificate of the API server; {@code null}
	 * to use the configuration. The host name in the certificate is verified in addition
	 * @param protocol the protocol of {@link javax.net.ssl.SSLContext}, usually
	 * {@code TLS}
	 * @throws IllegalArgumentException if the protocol does not exist, or the managers
	 * are not usable
	 */
	public void renewTls(KeyManager @Nullable [] keys, @Nullable X509TrustManager trust, String protocol) {
		this.assembly.tls().renew(keys, trust, protocol);
	}

	/**
	 * Closes idle connections, lets active connections finish, and ends the threads. A
	 * closed client cannot be used again.
	 */
	@Override
	public void close() {
		// Do not shut down another client that the application may have set.
		this.own.dispatcher().executorService().shutdown();
		this.own.connectionPool().evictAll();
		this.assembly.close();
	}

	/**
	 * Source of a configuration.
	 */
	@FunctionalInterface
	interface Source {

		ClusterAccess access(Lookup lookup);

	}

	/**
	 * Builder of a client. Its settings override the configuration; blank values are
	 * ignored. Not thread-safe.
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
		 * Authenticates with a bearer token instead of the configured credentials.
		 * @param token the token
		 * @return this builder
		 */
		public Builder token(@Nullable String token) {
			this.overrides.token = ClientOverrides.text(token);
			return this;
		}

		/**
		 * Authenticates with a bearer token in a file instead of the configured
		 * credentials. The file is read again every minute and when the API server
		 * rejects the token.
		 * @param file the file
		 * @return this builder
		 */
		public Builder tokenFile(@Nullable Path file) {
			this.overrides.tokenFile = file;
			return this;
		}

		/**
		 * Accepts a configuration without credentials, because the application adds
		 * credentials to the client.
		 * @return this builder
		 */
		public Builder authenticatedLater() {
			this.overrides.authenticatedLater = true;
			return this;
		}

		/**
		 * Trusts only the certificate authorities in a file. The file is read again when
		 * it changes.
		 * @param file a file in PEM
		 * @return this builder
		 */
		public Builder certificateAuthority(@Nullable Path file) {
			this.overrides.authority = ClientOverrides.content("certificateAuthority", file);
			return this;
		}

		/**
		 * Trusts only the given certificate authorities.
		 * @param pem the certificates of the authorities in PEM
		 * @return this builder
		 */
		public Builder certificateAuthority(@Nullable String pem) {
			this.overrides.authority = ClientOverrides.content("certificateAuthority", pem);
			return this;
		}

		/**
		 * Authenticates with a client certificate in files instead of the configured
		 * credentials. The files are read again when they change.
		 * @param certificate the file with the certificate in PEM, followed by the
		 * intermediate certificates that the API server needs to verify it
		 * @param key the file with the key in PEM; it may be the same file
		 * @return this builder
		 */
		public Builder clientCertificate(Path certificate, Path key) {
			this.overrides.certificate = ClientOverrides.content("clientCertificate", certificate);
			this.overrides.key = ClientOverrides.content("clientKey", key);
			return this;
		}

		/**
		 * Authenticates with a client certificate instead of the configured credentials.
		 * @param certificate the certificate in PEM, followed by the intermediate
		 * certificates that the API server needs to verify it
		 * @param key the key of the certificate in PEM
		 * @return this builder
		 */
		public Builder clientCertificate(String certificate, String key) {
			this.overrides.certificate = ClientOverrides.content("clientCertificate", certificate);
			this.overrides.key = ClientOverrides.content("clientKey", key);
			return this;
		}

		/**
		 * Uses TLS settings of the application, such as an SSL bundle. They can be
		 * replaced later with {@link ManagedApiClient#renewTls}.
		 * @param keys the key managers with the client certificate; {@code null} to use
		 * the configuration
		 * @param trust the trust manager for the certificate of the API server;
		 * {@code null} to use the configuration. The host name in the certificate is
		 * verified in addition
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
		 * Sets the TLS server name. It is sent as SNI, and the certificate of the API
		 * server must match it.
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
		 * Impersonates another user in all requests. The credentials need the permission
		 * to impersonate.
		 * @param user the name of the user
		 * @return this builder
		 */
		public Builder impersonate(@Nullable String user) {
			return impersonate(user, List.of(), null, Map.of());
		}

		/**
		 * Impersonates another user in all requests. The credentials need the permission
		 * to impersonate.
		 * @param user the name of the user
		 * @param groups the groups of the user
		 * @param uid the UID of the user; {@code null} for none
		 * @param extra other attributes of the user by name
		 * @return this builder
		 */
		public Builder impersonate(@Nullable String user, List<String> groups, @Nullable String uid,
				Map<String, List<String>> extra) {
			this.overrides.impersonation = new ClusterAccess.Impersonation(ClientOverrides.text(user),
					List.copyOf(groups), ClientOverrides.text(uid), Map.copyOf(extra));
			return this;
		}

		/**
		 * Sets the user agent of requests.
		 * @param userAgent the user agent
		 * @return this builder
		 */
		public Builder userAgent(@Nullable String userAgent) {
			this.userAgent = ClientOverrides.text(userAgent);
			return this;
		}

		/**
		 * Sets the connect timeout, which includes the TLS handshake.
		 * @param timeout the time; zero for no limit. 10 seconds by default
		 * @return this builder
		 */
		public Builder connectTimeout(Duration timeout) {
			this.connectTimeout = timeout;
			return this;
		}

		/**
		 * Sets how messages call the settings, for example if a framework maps properties
		 * to this builder.
		 * @param origin the origin of the kubeconfig or the URL, for example
		 * {@code the property 'kubeconfig'}; {@code null} for the default description
		 * @param contextOption the setting that selects a context, for example
		 * {@code the property 'context'}; {@code null} if there is none
		 * @param settings the name of these settings as a whole, as the subject of a
		 * sentence
		 * @param fields the names of the single settings. The keys are the names of this
		 * builder's methods: for example, the key {@code certificateAuthority} has the
		 * value {@code ca}
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
		 * Describes the client that {@link #build()} would create. Reads kubeconfigs, but
		 * neither certificates nor tokens, and does not run a plugin. Missing credentials
		 * are not an error here, because they may be set later.
		 * @return the description
		 * @throws ClientConfigurationException if the configuration is not usable
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

		private ClusterAccess access(boolean credentialsElsewhere) {
			return this.overrides.apply(this.source
				.access(new Lookup(this.origin, this.context, this.contextOption, credentialsElsewhere)));
		}

		/**
		 * Creates the client. Reads kubeconfigs, certificates and tokens, and runs the
		 * credential plugin, so that a missing file or setting is reported at once. Does
		 * not connect.
		 * @return the client
		 * @throws ClientConfigurationException if the configuration is not usable
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
				// Threads already renew the credentials, so close them.
				assembly.close();
				throw ex;
			}
		}

	}

}
