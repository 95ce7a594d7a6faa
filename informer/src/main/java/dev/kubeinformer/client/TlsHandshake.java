package dev.kubeinformer.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * TLS handshake with an HTTP proxy. The certificate of the proxy must match its host
 * name. It must be signed by an authority of the JVM or of the cluster's configuration.
 * This differs from kubectl, which trusts only the authorities of the configuration, if
 * there are any.
 */
final class TlsHandshake implements ProxyHandshake {

	private final String host;

	private final int port;

	private final String shown;

	private final @Nullable X509TrustManager cluster;

	private @Nullable SSLSocketFactory sockets;

	/**
	 * Creates a handshake.
	 * @param host the host of the proxy
	 * @param port its port
	 * @param shown the URL of the proxy, for messages
	 * @param cluster the authorities of the cluster; {@code null} for none
	 */
	TlsHandshake(String host, int port, String shown, @Nullable X509TrustManager cluster) {
		this.host = host;
		this.port = port;
		this.shown = shown;
		this.cluster = cluster;
	}

	@Override
	public InetSocketAddress proxy(InetSocketAddress endpoint) {
		return endpoint;
	}

	@Override
	public Socket perform(Socket socket, InetSocketAddress endpoint) throws IOException {
		SSLSocket tls = (SSLSocket) sockets().createSocket(socket, this.host, this.port, true);
		SSLParameters parameters = tls.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm("HTTPS");
		tls.setSSLParameters(parameters);
		try {
			tls.startHandshake();
			return tls;
		}
		catch (SSLException ex) {
			throw new ProxyException("The TLS handshake with the proxy '%s' failed: %s".formatted(this, reason(ex)),
					ex);
		}
	}

	private static String reason(SSLException ex) {
		String message = String.valueOf(ex.getMessage());
		if (message.startsWith("Unsupported or unrecognized SSL message")) {
			return "it does not speak TLS; begin its URL with http://";
		}
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateException) {
				message = String.valueOf(cause.getMessage());
			}
		}
		// Messages of the JDK contain class names of causes; remove them.
		return message.replaceAll("\\b(?:\\w+\\.)+\\w+Exception: ", "");
	}

	private synchronized SSLSocketFactory sockets() throws IOException {
		SSLSocketFactory sockets = this.sockets;
		if (sockets == null) {
			sockets = context().getSocketFactory();
			this.sockets = sockets;
		}
		return sockets;
	}

	private SSLContext context() throws IOException {
		try {
			SSLContext standard = SSLContext.getDefault();
			X509TrustManager cluster = this.cluster;
			if (cluster == null) {
				return standard;
			}
			SSLContext context = SSLContext.getInstance("TLS", standard.getProvider());
			context.init(null, new TrustManager[] { new Either(ofJvm(), cluster) }, null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IOException("This JVM cannot establish TLS with a proxy: " + ex.getMessage(), ex);
		}
	}

	private static X509TrustManager ofJvm() throws GeneralSecurityException {
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init((KeyStore) null);
		return Arrays.stream(factory.getTrustManagers())
			.filter(X509TrustManager.class::isInstance)
			.map(X509TrustManager.class::cast)
			.findFirst()
			.orElseThrow(() -> new GeneralSecurityException("no X.509 trust manager"));
	}

	@Override
	public String toString() {
		return this.shown;
	}

	/**
	 * Trusts certificates of the authorities of the JVM and of the cluster. The JDK
	 * verifies the host name in addition.
	 *
	 * @param jvm the authorities of the JVM
	 * @param cluster the authorities of the cluster
	 */
	private record Either(X509TrustManager jvm, X509TrustManager cluster) implements X509TrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
			throw new CertificateException("not a server");
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
			try {
				this.jvm.checkServerTrusted(chain, authType);
			}
			catch (CertificateException | RuntimeException ex) {
				// With an empty trust store, the JVM throws a different exception.
				try {
					this.cluster.checkServerTrusted(chain, authType);
				}
				catch (CertificateException other) {
					other.addSuppressed(ex);
					throw other;
				}
			}
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
