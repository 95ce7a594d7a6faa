package dev.kubeinformer.test.internal.http;

import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * HTTP versions that a server supports on its port.
 */
final class HttpProtocols {

	private HttpProtocols() {
	}

	static ConnectionFactory[] of(HttpConfiguration configuration, @Nullable Certificates certificates) {
		HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
		if (certificates == null) {
			return new ConnectionFactory[] { http1, tune(new HTTP2CServerConnectionFactory(configuration)) };
		}
		SslContextFactory.Server context = new SslContextFactory.Server();
		context.setSslContext(certificates.sslContext());
		context.setCipherComparator(HTTP2Cipher.COMPARATOR);
		context.setUseCipherSuitesOrder(true);
		ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
		alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
		return new ConnectionFactory[] { new SslConnectionFactory(context, alpn.getProtocol()), alpn,
				tune(new HTTP2ServerConnectionFactory(configuration)), http1 };
	}

	private static ConnectionFactory tune(AbstractHTTP2ServerConnectionFactory http2) {
		// Do not limit the number of streams that a client may reset.
		UnlimitedRate.set(http2);
		http2.setStreamIdleTimeout(HttpServer.NO_IDLE_TIMEOUT);
		http2.setMaxConcurrentStreams(1000);
		return http2;
	}

}
