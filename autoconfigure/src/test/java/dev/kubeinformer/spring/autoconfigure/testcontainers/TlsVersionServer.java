package dev.kubeinformer.spring.autoconfigure.testcontainers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * A server that is known to our own authority alone, speaks only to clients with a
 * certificate of it, and answers with its version.
 */
final class TlsVersionServer implements AutoCloseable {

	private final List<String> clients = new CopyOnWriteArrayList<>();

	private final HttpsServer server;

	TlsVersionServer() throws IOException {
		this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.setHttpsConfigurator(new ClientAuthConfigurator(sslContext()));
		this.server.createContext("/version", this::answer);
		this.server.start();
	}

	private static SSLContext sslContext() {
		PemSslStoreDetails key = PemSslStoreDetails.forCertificate("classpath:" + path("server.crt"))
			.withPrivateKey("classpath:" + path("server.key"));
		PemSslStoreDetails trust = PemSslStoreDetails.forCertificate("classpath:" + path("ca.crt"));
		return SslBundle.of(new PemSslStoreBundle(key, trust)).createSslContext();
	}

	static String path(String file) {
		return TlsVersionServer.class.getPackageName().replace('.', '/') + "/" + file;
	}

	private void answer(HttpExchange exchange) throws IOException {
		this.clients.add(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
		byte[] body = """
				{ "major": "1", "minor": "36", "gitVersion": "v1.36.0+k3s1", "gitCommit": "", "gitTreeState": "",
				  "buildDate": "", "goVersion": "", "compiler": "", "platform": "" }"""
			.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().add("Content-Type", "application/json");
		exchange.sendResponseHeaders(200, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	String url() {
		return "https://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/**
	 * Who asked.
	 * @return the subjects of their certificates
	 */
	List<String> clients() {
		return this.clients;
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
