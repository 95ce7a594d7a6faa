package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClientTime;
import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.internal.client.Content;

/**
 * Client of OkHttp by a {@link ClusterTls}, for which every name is that of this machine.
 */
final class TlsClient implements AutoCloseable {

	private final AtomicLong nanos;

	final ClusterTls tls;

	final OkHttpClient http;

	private TlsClient(ClusterAccess.Server server, AtomicLong nanos, List<Protocol> protocols) {
		this.nanos = nanos;
		this.tls = ClusterTls.of(server, new ClientTime(Clock.systemUTC(), nanos::get));
		this.http = new OkHttpClient.Builder().sslSocketFactory(this.tls.socketFactory(), this.tls.trustManager())
			.hostnameVerifier(this.tls.hostnameVerifier())
			.dns((host) -> List.of(InetAddress.getLoopbackAddress()))
			.protocols(protocols)
			.build();
	}

	static TlsClient trusting(@Nullable Content authority, @Nullable String tlsServerName, Protocol... protocols) {
		return new TlsClient(new ClusterAccess.Server("https://unused", tlsServerName, false, authority, null),
				new AtomicLong(), (protocols.length > 0) ? List.of(protocols) : List.of(Protocol.HTTP_1_1));
	}

	static TlsClient insecure(@Nullable String tlsServerName) {
		return new TlsClient(new ClusterAccess.Server("https://unused", tlsServerName, true, null, null),
				new AtomicLong(), List.of(Protocol.HTTP_1_1));
	}

	static Content inline(String pem) {
		return new Content.Inline("The kubeconfig '/x'", "certificate-authority-data", pem);
	}

	String get(String url) throws IOException {
		try (Response response = this.http.newCall(new Request.Builder().url(url).build()).execute()) {
			return response.body().string();
		}
	}

	/** With a connection of its own. */
	String getAnew(String url) throws IOException {
		OkHttpClient other = this.http.newBuilder().connectionPool(new ConnectionPool()).build();
		try (Response response = other.newCall(new Request.Builder().url(url).build()).execute()) {
			return response.body().string();
		}
		finally {
			other.connectionPool().evictAll();
		}
	}

	Response watch(String url) throws IOException {
		return this.http.newCall(new Request.Builder().url(url + "/watch").build()).execute();
	}

	void pass(Duration time) {
		this.nanos.addAndGet(time.toNanos());
	}

	@Override
	public void close() {
		this.http.dispatcher().executorService().shutdown();
		this.http.connectionPool().evictAll();
	}

}
