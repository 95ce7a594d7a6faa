package dev.kubeinformer.internal.client.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * TLS settings of the connections to one API server. The server name is sent as SNI and
 * verified. The certificate authorities are read again when their file changes. The
 * client certificate can be replaced. Thread-safe.
 */
public final class ClusterTls {

	/** Authorities of the configuration; {@code null} if it has none. */
	private final @Nullable Authorities authorities;

	/** Trust manager of the configuration. */
	private final X509TrustManager configured;

	private final boolean insecure;

	private final ServerTrust trust;

	private final ClusterSockets sockets;

	private final HostnameVerifier verifier;

	private volatile Setup setup;

	private ClusterTls(ClusterAccess.Server server, ClientTime time) {
		Content content = server.insecure() ? null : server.authority();
		this.authorities = (content != null) ? new Authorities(content, time) : null;
		this.insecure = server.insecure();
		this.configured = trust(server.insecure(), this.authorities, time);
		this.trust = new ServerTrust(this.configured);
		this.sockets = new ClusterSockets(server.tlsServerName(), this::look, this::current);
		this.setup = create(new Managers(null, null, null, "TLS"));
		this.verifier = new NameVerifier(server.tlsServerName(), this::verifies);
	}

	private static X509TrustManager trust(boolean insecure, @Nullable Authorities authorities, ClientTime time) {
		if (insecure) {
			return new AnyTrust();
		}
		return (authorities != null) ? new AuthorityTrust(authorities, time) : ofJvm();
	}

	private static X509TrustManager ofJvm() {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init((KeyStore) null);
			return Arrays.stream(factory.getTrustManagers())
				.filter(X509TrustManager.class::isInstance)
				.map(X509TrustManager.class::cast)
				.findFirst()
				.orElseThrow(() -> new IllegalStateException("This JVM trusts no certificate authorities"));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"The certificate authorities of this JVM are not usable: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Creates the TLS of a server. Reads the authorities now.
	 * @param server the server
	 * @param time the clocks
	 * @return the TLS, without a client certificate
	 * @throws ClientConfigurationException if the authorities are not usable
	 */
	public static ClusterTls of(ClusterAccess.Server server, ClientTime time) {
		return new ClusterTls(server, time);
	}

	/**
	 * Sets the certificate of the client for new connections. New connections do not
	 * resume TLS sessions that use another certificate. Open connections with another
	 * certificate are closed, because the API server checks the certificate of a
	 * connection with each request. If the certificate is the same, nothing changes.
	 * @param identity the certificate; {@code null} for none
	 */
	public void identity(@Nullable ClientIdentity identity) {
		if (this.setup.managers.isOf(identity)) {
			return;
		}
		this.sockets.cutAfter(() -> {
			// Check again, because another thread may have set it in the meantime.
			if (this.setup.managers.isOf(identity)) {
				return false;
			}
			Managers next = this.setup.managers.with(identity);
			if (next.keys != null) {
				// Connections use the certificate only if the application has not set its
				// own key managers.
				this.setup = new Setup(next, this.setup.authorities, this.setup.factory);
				return false;
			}
			this.setup = create(next);
			return true;
		});
	}

	/**
	 * Replaces the key managers and trust manager of the configuration, for example with
	 * the managers of an SSL bundle. Closes existing connections.
	 * @param keys the managers of the client's key; {@code null} to use the certificate
	 * of the last call of {@link #identity}
	 * @param trusted the manager that verifies the server's certificate; {@code null} to
	 * use the configuration. If a manager is given, the host name is verified even if the
	 * configuration turns this off
	 * @param protocol the protocol of the {@link SSLContext}
	 * @throws IllegalArgumentException if the protocol does not exist, or the managers
	 * are not usable
	 */
	public void renew(KeyManager @Nullable [] keys, @Nullable X509TrustManager trusted, String protocol) {
		this.sockets.cutAfter(() -> {
			this.setup = create(new Managers(this.setup.managers.identity, keys, trusted, protocol));
			this.trust.exchange((trusted != null) ? trusted : this.configured);
			return true;
		});
	}

	private boolean verifies() {
		return !this.insecure || this.setup.managers.trusted != null;
	}

	private void look() {
		if (this.authorities != null) {
			this.authorities.look();
		}
	}

	private SSLSocketFactory current() {
		// Create a context with sessions of its own: a session that other authorities
		// have verified must not be resumed.
		if (this.authorities != null && this.setup.authorities != this.authorities.current()) {
			this.setup = create(this.setup.managers);
		}
		return this.setup.factory;
	}

	private Setup create(Managers managers) {
		List<X509Certificate> trusted = (this.authorities != null) ? this.authorities.current() : List.of();
		try {
			SSLContext context = SSLContext.getInstance(managers.protocol);
			context.init(managers.keyManagers(), new TrustManager[] { this.trust }, null);
			// A resumed session is not verified again. client-go has no session cache and
			// does not resume sessions.
			context.getClientSessionContext().setSessionTimeout(1);
			return new Setup(managers, trusted, context.getSocketFactory());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalArgumentException("Cannot set up TLS: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns the factory of the sockets.
	 * @return the socket factory
	 */
	public SSLSocketFactory socketFactory() {
		return this.sockets;
	}

	/**
	 * Returns the trust manager for the certificate of the server.
	 * @return the trust manager
	 */
	public X509TrustManager trustManager() {
		return this.trust;
	}

	/**
	 * Returns the verifier of the server's host name. It throws an
	 * {@link javax.net.ssl.SSLPeerUnverifiedException} with the names in the certificate
	 * if none of these names matches.
	 * @return the host name verifier
	 */
	public HostnameVerifier hostnameVerifier() {
		return this.verifier;
	}

	/**
	 * Setup for new connections.
	 *
	 * @param managers the managers of keys and trust
	 * @param authorities the authorities when the factory was created
	 * @param factory the factory of the sockets
	 */
	private record Setup(Managers managers, List<X509Certificate> authorities, SSLSocketFactory factory) {

	}

	/**
	 * Managers of an {@link SSLContext}.
	 *
	 * @param identity the certificate of the client; {@code null} for none
	 * @param keys the key managers that replace the certificate; {@code null} for none
	 * @param trusted the trust manager that replaces the configured one; {@code null} for
	 * none
	 * @param protocol the protocol of the context
	 */
	private record Managers(@Nullable ClientIdentity identity, KeyManager @Nullable [] keys,
			@Nullable X509TrustManager trusted, String protocol) {

		Managers with(@Nullable ClientIdentity other) {
			return new Managers(other, this.keys, this.trusted, this.protocol);
		}

		boolean isOf(@Nullable ClientIdentity other) {
			if (this.identity == null || other == null) {
				return this.identity == other;
			}
			// Comparing the chains is sufficient, because a certificate has one key.
			return this.identity.chain().equals(other.chain());
		}

		KeyManager[] keyManagers() {
			if (this.keys != null) {
				return this.keys;
			}
			return (this.identity != null) ? new KeyManager[] { new IdentityKeys(this.identity) } : new KeyManager[0];
		}

	}

}
