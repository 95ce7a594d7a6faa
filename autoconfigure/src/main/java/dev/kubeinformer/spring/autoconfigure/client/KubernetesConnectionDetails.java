package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details required to establish a connection to a Kubernetes API server. A bean of this
 * type takes precedence over the kubeconfig, the service account and all properties that
 * select a cluster. Only the credentials in the details are used.
 */
public interface KubernetesConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the URL of the API server.
	 * @return the URL with scheme and host
	 */
	String getUrl();

	/**
	 * Returns the certificate authorities of the API server.
	 * @return the certificates in PEM; {@code null} for the authorities of the JVM
	 */
	default @Nullable String getCertificateAuthority() {
		return null;
	}

	/**
	 * Returns the certificate to authenticate with.
	 * @return the certificate in PEM, with its chain; {@code null} for none
	 */
	default @Nullable String getClientCertificate() {
		return null;
	}

	/**
	 * Returns the private key of the {@link #getClientCertificate() client certificate}.
	 * @return the key in PEM; {@code null} if there is no certificate
	 */
	default @Nullable String getClientKey() {
		return null;
	}

	/**
	 * Returns the SSL bundle of the connections. Its stores replace the
	 * {@link #getCertificateAuthority() certificate authority}, the
	 * {@link #getClientCertificate() client certificate} and its key.
	 * @return the bundle; {@code null} for none
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Returns the bearer token to authenticate with. If there is a token, the client
	 * certificate is not used.
	 * @return the token; {@code null} for none
	 */
	default @Nullable String getToken() {
		return null;
	}

	/**
	 * Returns the namespace for '@current'.
	 * @return the namespace; {@code null} if there is none
	 */
	default @Nullable String getNamespace() {
		return null;
	}

}
