package dev.kubeinformer.internal.client.tls;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * TLS of the connections to one API server: the name that is sent as SNI and verified,
 * the authorities, which are read again when their file changed, and the certificate of
 * the client, which can be exchanged. Safe for use by several threads.
 */
public final class ClusterTls {

	private ClusterTls() {
	}

	/**
	 * Creates the TLS of a server. The authorities are read now.
	 * @param server the server
	 * @param time the clocks
	 * @return the TLS, without a client certificate
	 * @throws ClientConfigurationException if the authorities cannot be used
	 */
	public static ClusterTls of(ClusterAccess.Server server, ClientTime time) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Sets the certificate of the client. New connections use it, in sessions of their
	 * own, and those that were made with another one are cut: the API server looks at the
	 * certificate of a connection with each request.
	 * @param identity the certificate; {@code null} for none
	 */
	public void identity(@Nullable ClientIdentity identity) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns what makes the sockets.
	 * @return what makes the sockets
	 */
	public SSLSocketFactory socketFactory() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns what verifies the certificate of the server.
	 * @return what verifies the certificate of the server
	 */
	public X509TrustManager trustManager() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Returns what verifies the name of the server.
	 * @return what verifies the name of the server
	 */
	public HostnameVerifier hostnameVerifier() {
		throw new UnsupportedOperationException();
	}

}
