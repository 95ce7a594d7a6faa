package dev.kubeinformer.internal.client.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trust manager that delegates to another one. The other one can be replaced. This class
 * extends {@link X509ExtendedTrustManager}, because the JDK adds its own checks to other
 * trust managers.
 */
final class ServerTrust extends X509ExtendedTrustManager {

	private volatile X509TrustManager current;

	ServerTrust(X509TrustManager current) {
		this.current = current;
	}

	void exchange(X509TrustManager next) {
		this.current = next;
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		this.current.checkServerTrusted(chain, authType);
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		X509TrustManager manager = this.current;
		if (manager instanceof X509ExtendedTrustManager extended) {
			extended.checkServerTrusted(chain, authType, socket);
		}
		else {
			manager.checkServerTrusted(chain, authType);
		}
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		X509TrustManager manager = this.current;
		if (manager instanceof X509ExtendedTrustManager extended) {
			extended.checkServerTrusted(chain, authType, engine);
		}
		else {
			manager.checkServerTrusted(chain, authType);
		}
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		throw noServer();
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		throw noServer();
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		throw noServer();
	}

	private static CertificateException noServer() {
		return new CertificateException("Clients are not verified here");
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return this.current.getAcceptedIssuers();
	}

}
