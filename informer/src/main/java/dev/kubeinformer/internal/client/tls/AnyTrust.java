package dev.kubeinformer.internal.client.tls;

import java.security.cert.X509Certificate;

import javax.net.ssl.X509TrustManager;

/**
 * Trusts every server ({@code insecure-skip-tls-verify}).
 */
final class AnyTrust implements X509TrustManager {

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) {
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) {
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return new X509Certificate[0];
	}

}
