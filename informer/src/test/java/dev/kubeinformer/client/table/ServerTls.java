package dev.kubeinformer.client.table;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.stream.Stream;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a server that shows a certificate by the name that the client asks for, and
 * accepts any client certificate in the handshake, as kube-apiserver does: who it is of
 * is found out by each request.
 */
final class ServerTls extends X509ExtendedKeyManager {

	/** The certificate without a name of its own. */
	static final String OTHERWISE = "*";

	private final Map<String, HeldCertificate> byName;

	private final X509Certificate[] others;

	private ServerTls(Map<String, HeldCertificate> byName, X509Certificate[] others) {
		this.byName = byName;
		this.others = others;
	}

	/**
	 * Creates the TLS of a server.
	 * @param clientAuthority the authority of clients that is named in the handshake
	 * @param byName the certificates by the names in SNI; one is for {@link #OTHERWISE}
	 * @param others certificates that are sent after it
	 * @return the TLS
	 * @throws GeneralSecurityException if the JDK has none
	 */
	static SSLContext context(X509Certificate clientAuthority, Map<String, HeldCertificate> byName,
			X509Certificate... others) throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(new KeyManager[] { new ServerTls(byName, others) },
				new TrustManager[] { new AnyClient(clientAuthority) }, null);
		return context;
	}

	@Override
	public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
		if (!keyType.equals("EC") || !(socket instanceof SSLSocket secured)
				|| !(secured.getHandshakeSession() instanceof ExtendedSSLSession session)) {
			return keyType.equals("EC") ? OTHERWISE : null;
		}
		return session.getRequestedServerNames()
			.stream()
			.filter(SNIHostName.class::isInstance)
			.map((name) -> ((SNIHostName) name).getAsciiName())
			.filter(this.byName::containsKey)
			.findFirst()
			.orElse(OTHERWISE);
	}

	@Override
	public @Nullable String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
		return OTHERWISE;
	}

	@Override
	public X509Certificate[] getCertificateChain(String alias) {
		return Stream.concat(Stream.of(held(alias).certificate()), Stream.of(this.others))
			.toArray(X509Certificate[]::new);
	}

	@Override
	public PrivateKey getPrivateKey(String alias) {
		return held(alias).keyPair().getPrivate();
	}

	private HeldCertificate held(String alias) {
		HeldCertificate held = this.byName.get(alias);
		if (held == null) {
			throw new IllegalStateException(alias);
		}
		return held;
	}

	@Override
	public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
		return this.byName.keySet().toArray(String[]::new);
	}

	@Override
	public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
		return null;
	}

	@Override
	public @Nullable String chooseClientAlias(String[] keyType, Principal @Nullable [] issuers,
			@Nullable Socket socket) {
		return null;
	}

	/**
	 * Accepts all clients, and names one authority to them.
	 */
	private static final class AnyClient extends X509ExtendedTrustManager {

		private final X509Certificate authority;

		AnyClient(X509Certificate authority) {
			this.authority = authority;
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
			throw new UnsupportedOperationException();
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[] { this.authority };
		}

	}

}
