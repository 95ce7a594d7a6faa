package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * A server that speaks only to clients with a certificate of its authority, answers with
 * its version, and notes who asked for it.
 */
public final class MutualTlsServer implements AutoCloseable {

	private final HeldCertificate authority = new HeldCertificate.Builder().ecdsa256()
		.commonName("mutual-ca")
		.certificateAuthority(0)
		.build();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final HttpsServer server;

	public MutualTlsServer() throws IOException {
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		HandshakeCertificates certificates = new HandshakeCertificates.Builder().heldCertificate(signed("127.0.0.1"))
			.addTrustedCertificate(this.authority.certificate())
			.build();
		this.server.setHttpsConfigurator(new ClientAuthConfigurator(certificates.sslContext()));
		this.server.createContext("/version", this::answer);
		this.server.start();
	}

	private HeldCertificate signed(String name) {
		return new HeldCertificate.Builder().ecdsa256()
			.commonName(name)
			.addSubjectAlternativeName(name)
			.signedBy(this.authority)
			.build();
	}

	private void answer(HttpExchange exchange) throws IOException {
		SSLSession session = ((HttpsExchange) exchange).getSSLSession();
		this.requests.add("%s %s".formatted(session.getPeerPrincipal().getName(), session.getProtocol()));
		byte[] body = """
				{ "major": "1", "minor": "36", "gitVersion": "v1.36.0", "gitCommit": "", "gitTreeState": "",
				  "buildDate": "", "goVersion": "", "compiler": "", "platform": "" }"""
			.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	public String url() {
		return "https://127.0.0.1:" + this.server.getAddress().getPort();
	}

	public String authorityPem() {
		return this.authority.certificatePem();
	}

	/**
	 * A new certificate of the authority with its key.
	 * @param name the name of the client
	 * @return the certificate
	 */
	public HeldCertificate client(String name) {
		return signed(name);
	}

	/**
	 * Who asked.
	 * @return the subjects of their certificates, and the protocol of TLS
	 */
	public List<String> requests() {
		return List.copyOf(this.requests);
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

	/**
	 * Configurator that insists on a client certificate.
	 */
	private static final class ClientAuthConfigurator extends HttpsConfigurator {

		ClientAuthConfigurator(SSLContext context) {
			super(context);
		}

		@Override
		public void configure(HttpsParameters parameters) {
			SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
			ssl.setNeedClientAuth(true);
			parameters.setSSLParameters(ssl);
		}

	}

}
