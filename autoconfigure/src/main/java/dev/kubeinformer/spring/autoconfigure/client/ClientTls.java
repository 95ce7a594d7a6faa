package dev.kubeinformer.spring.autoconfigure.client;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * TLS of a client by an SSL bundle. What the bundle has takes the place of what the
 * client has: its trust store that of the certificate authority, its key store that of
 * the client certificate, its options those of OkHttp.
 */
final class ClientTls {

	private final ApiClient client;

	private final KeyManager @Nullable [] keyManagers;

	private final @Nullable X509TrustManager trustManager;

	ClientTls(ApiClient client) {
		this.client = client;
		this.keyManagers = client.getKeyManagers();
		this.trustManager = client.getHttpClient().x509TrustManager();
	}

	/**
	 * Applies a bundle.
	 * @param bundle the bundle
	 * @return what makes the sockets, to be given the bundle that comes after it
	 * @throws IllegalArgumentException if the bundle asks for a protocol that is unknown
	 */
	RenewableSocketFactory apply(SslBundle bundle) {
		X509TrustManager trust = trustManager(bundle);
		RenewableSocketFactory sockets = new RenewableSocketFactory(socketFactory(bundle));
		OkHttpClient.Builder builder = this.client.getHttpClient().newBuilder().sslSocketFactory(sockets, trust);
		if (bundle.getStores().getTrustStore() != null && !this.client.isVerifyingSsl()) {
			// Who says whom to trust wants the name to be looked at, too.
			builder.hostnameVerifier(new OkHttpClient().hostnameVerifier());
		}
		if (bundle.getOptions().isSpecified()) {
			builder.connectionSpecs(List.of(connectionSpec(bundle), ConnectionSpec.CLEARTEXT));
		}
		this.client.setHttpClient(builder.build());
		return sockets;
	}

	SSLSocketFactory socketFactory(SslBundle bundle) {
		try {
			SSLContext context = SSLContext.getInstance(bundle.getProtocol());
			KeyManager[] keys = (bundle.getStores().getKeyStore() != null) ? bundle.getManagers().getKeyManagers()
					: this.keyManagers;
			context.init(keys, new TrustManager[] { trustManager(bundle) }, null);
			return context.getSocketFactory();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("The SSL bundle cannot be used: " + ex.getMessage(), ex);
		}
	}

	private X509TrustManager trustManager(SslBundle bundle) {
		SslManagerBundle managers = bundle.getManagers();
		if (bundle.getStores().getTrustStore() == null && this.trustManager != null) {
			return this.trustManager;
		}
		return Arrays.stream(managers.getTrustManagers())
			.filter(X509TrustManager.class::isInstance)
			.map(X509TrustManager.class::cast)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("The SSL bundle has no trust manager for X.509"));
	}

	private static ConnectionSpec connectionSpec(SslBundle bundle) {
		SslOptions options = bundle.getOptions();
		ConnectionSpec.Builder builder = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS);
		if (options.getCiphers() != null) {
			builder.cipherSuites(options.getCiphers());
		}
		if (options.getEnabledProtocols() != null) {
			builder.tlsVersions(known(bundle, options.getEnabledProtocols()));
		}
		return builder.build();
	}

	private static String[] known(SslBundle bundle, String[] protocols) {
		String[] supported = bundle.createSslContext().getSupportedSSLParameters().getProtocols();
		for (String protocol : protocols) {
			if (!Set.of(supported).contains(protocol)) {
				throw new IllegalArgumentException("enables the protocol '%s', which is none of %s".formatted(protocol,
						Arrays.toString(supported)));
			}
		}
		return protocols;
	}

}
