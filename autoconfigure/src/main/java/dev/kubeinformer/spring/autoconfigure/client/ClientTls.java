package dev.kubeinformer.spring.autoconfigure.client;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

import javax.net.ssl.KeyManager;
import javax.net.ssl.X509TrustManager;

import io.kubernetes.client.openapi.ApiClient;
import okhttp3.ConnectionSpec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslOptions;

import dev.kubeinformer.client.ManagedApiClient;

/**
 * Applies an SSL bundle to the TLS of a client. The bundle's trust store replaces the
 * certificate authority, its key store replaces the client certificate, and its options
 * replace those of OkHttp.
 *
 * @param bundle the bundle
 */
record ClientTls(SslBundle bundle) {

	static ClientTls of(SslBundle bundle) {
		return new ClientTls(bundle);
	}

	/**
	 * Applies the bundle to a client that is being built.
	 * @param builder the client
	 */
	void apply(ManagedApiClient.Builder builder) {
		builder.tls(keys(), trust(), this.bundle.getProtocol());
	}

	/**
	 * Applies the bundle to a client that may be connected.
	 * @param client the client
	 */
	void renew(ManagedApiClient client) {
		client.renewTls(keys(), trust(), this.bundle.getProtocol());
	}

	/**
	 * Applies the options of the bundle.
	 * @param client the client
	 * @throws IllegalArgumentException if the bundle enables an unknown protocol
	 */
	void applyOptions(ApiClient client) {
		if (this.bundle.getOptions().isSpecified()) {
			client.setHttpClient(client.getHttpClient()
				.newBuilder()
				.connectionSpecs(List.of(connectionSpec(this.bundle), ConnectionSpec.CLEARTEXT))
				.build());
		}
	}

	private KeyManager @Nullable [] keys() {
		return (this.bundle.getStores().getKeyStore() != null) ? this.bundle.getManagers().getKeyManagers() : null;
	}

	private @Nullable X509TrustManager trust() {
		if (this.bundle.getStores().getTrustStore() == null) {
			return null;
		}
		return Arrays.stream(this.bundle.getManagers().getTrustManagers())
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
				throw new IllegalArgumentException("enables the protocol '%s', which is not one of %s"
					.formatted(protocol, Arrays.toString(supported)));
			}
		}
		return protocols;
	}

}
