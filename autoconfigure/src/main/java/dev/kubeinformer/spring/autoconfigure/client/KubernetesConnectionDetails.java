package dev.kubeinformer.spring.autoconfigure.client;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * Details required to establish a connection to a Kubernetes API server. A bean of them
 * comes before every property that names a cluster, and before kubeconfig and service
 * account; the credentials are those given here or none.
 */
public interface KubernetesConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the URL of the API server.
	 * @return the URL with scheme and host
	 */
	String getUrl();

	/**
	 * Returns the certificates of the authorities that may vouch for the API server.
	 * @return the certificates in PEM; {@code null} for those that the JVM trusts
	 */
	default @Nullable String getCertificateAuthority() {
		return null;
	}

	/**
	 * Returns the certificate to authenticate with.
	 * @return the certificate in PEM, with the chain it needs; {@code null} for none
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
	 * Returns the SSL bundle of the connections. What it has is used instead of the
	 * {@link #getCertificateAuthority() certificate authority}, the
	 * {@link #getClientCertificate() client certificate} and its key.
	 * @return the bundle; {@code null} for none
	 */
	default @Nullable SslBundle getSslBundle() {
		return null;
	}

	/**
	 * Returns the bearer token to authenticate with. Where there is one, the client
	 * certificate is not used.
	 * @return the token; {@code null} for none
	 */
	default @Nullable String getToken() {
		return null;
	}

	/**
	 * Returns the namespace that '@current' stands for.
	 * @return the namespace; {@code null} if there is none
	 */
	default @Nullable String getNamespace() {
		return null;
	}

}
