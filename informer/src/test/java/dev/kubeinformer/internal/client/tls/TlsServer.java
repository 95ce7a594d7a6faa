package dev.kubeinformer.internal.client.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import okhttp3.tls.HeldCertificate;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Server of HTTP/1.1 and HTTP/2 over TLS that notes what it sees of each request: name
 * sent as SNI, subject of the client's certificate, protocol of TLS, port of the client.
 * A request to {@code /watch} is answered and never ends.
 */
final class TlsServer implements AutoCloseable {

	private final Server server;

	private final ServerConnector connector;

	final List<Seen> seen = new CopyOnWriteArrayList<>();

	private TlsServer(SSLContext context, Clients clients, String... protocols) throws Exception {
		QueuedThreadPool threads = new QueuedThreadPool(10, 2);
		threads.setDaemon(true);
		this.server = new Server(threads);
		this.server.setStopTimeout(0);
		HttpConfiguration configuration = new HttpConfiguration();
		configuration.addCustomizer(new SecureRequestCustomizer(false));
		SslContextFactory.Server tls = new SslContextFactory.Server();
		tls.setSslContext(context);
		tls.setSniRequired(false);
		if (protocols.length > 0) {
			tls.setExcludeProtocols();
			tls.setIncludeProtocols(protocols);
		}
		tls.setWantClientAuth(clients == Clients.WANTED);
		tls.setNeedClientAuth(clients == Clients.NEEDED);
		HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
		ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
		alpn.setDefaultProtocol(http1.getProtocol());
		this.connector = new ServerConnector(this.server, 0, 1, new SslConnectionFactory(tls, alpn.getProtocol()), alpn,
				new HTTP2ServerConnectionFactory(configuration), http1);
		this.connector.setHost("127.0.0.1");
		this.server.addConnector(this.connector);
		this.server.setHandler(new Noting());
		this.server.start();
	}

	/**
	 * Starts a server.
	 * @param certificate its certificate
	 * @param clients what it asks of clients
	 * @param issuers the authorities that it tells clients
	 * @param protocols the versions of TLS; none for those of Jetty
	 * @return the server
	 */
	static TlsServer start(HeldCertificate certificate, Clients clients, List<X509Certificate> issuers,
			String... protocols) {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			KeyStore keys = KeyStore.getInstance("PKCS12");
			keys.load(null, null);
			keys.setKeyEntry("server", certificate.keyPair().getPrivate(), new char[0],
					new Certificate[] { certificate.certificate() });
			KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			factory.init(keys, new char[0]);
			context.init(factory.getKeyManagers(), new TrustManager[] { new EveryClient(issuers) }, null);
			return new TlsServer(context, clients, protocols);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static TlsServer start(HeldCertificate certificate) {
		return start(certificate, Clients.UNKNOWN, List.of());
	}

	/**
	 * Creates an authority.
	 * @param name its name
	 * @return the certificate
	 */
	static HeldCertificate authority(String name) {
		return new HeldCertificate.Builder().ecdsa256().commonName(name).certificateAuthority(1).build();
	}

	/**
	 * Creates a certificate.
	 * @param authority what signs it
	 * @param subject its subject
	 * @param names its names
	 * @return the certificate
	 */
	static HeldCertificate signed(HeldCertificate authority, String subject, String... names) {
		HeldCertificate.Builder builder = new HeldCertificate.Builder().ecdsa256()
			.commonName(subject)
			.signedBy(authority);
		Arrays.asList(names).forEach(builder::addSubjectAlternativeName);
		return builder.build();
	}

	static ClientIdentity identity(HeldCertificate certificate) {
		return new ClientIdentity(List.of(certificate.certificate()), certificate.keyPair().getPrivate());
	}

	int port() {
		return this.connector.getLocalPort();
	}

	Seen last() {
		return this.seen.get(this.seen.size() - 1);
	}

	@Override
	public void close() {
		try {
			this.server.stop();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Requirements of a server for clients. */
	enum Clients {

		/** Nothing. */
		UNKNOWN,

		/** A certificate, if there is one. */
		WANTED,

		/** A certificate. */
		NEEDED

	}

	/**
	 * Observations of a request.
	 *
	 * @param sni the name in SNI; empty for none
	 * @param subject the subject of the client's certificate; empty for none
	 * @param protocol the version of TLS
	 * @param http the version of HTTP
	 * @param port the port of the client, which tells connections apart
	 */
	record Seen(String sni, String subject, String protocol, String http, int port) {

	}

	private final class Noting extends Handler.Abstract {

		@Override
		public boolean handle(Request request, Response response, Callback callback) throws GeneralSecurityException {
			EndPoint.SslSessionData data = (EndPoint.SslSessionData) request
				.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
			ExtendedSSLSession session = (ExtendedSSLSession) data.sslSession();
			String sni = session.getRequestedServerNames()
				.stream()
				.map((name) -> ((SNIHostName) name).getAsciiName())
				.findFirst()
				.orElse("");
			X509Certificate[] chain = data.peerCertificates();
			TlsServer.this.seen.add(new Seen(sni, (chain != null) ? chain[0].getSubjectX500Principal().getName() : "",
					session.getProtocol(), request.getConnectionMetaData().getHttpVersion().asString(),
					Request.getRemotePort(request)));
			if (request.getHttpURI().getPath().equals("/watch")) {
				Content.Sink.write(response, false, "begun\n", Callback.NOOP);
			}
			else {
				Content.Sink.write(response, true, "done\n", callback);
			}
			return true;
		}

	}

	/**
	 * Trusts every client.
	 */
	private static final class EveryClient extends X509ExtendedTrustManager {

		private final List<X509Certificate> issuers;

		EveryClient(List<X509Certificate> issuers) {
			this.issuers = issuers;
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
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return this.issuers.toArray(new X509Certificate[0]);
		}

	}

}
