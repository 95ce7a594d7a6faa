package dev.kubeinformer.benchmark.controller;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Proxy of an API server without TLS: it forwards requests, adds the credentials, counts
 * writes and rejections, and can hold back the watch events of one resource.
 */
final class HoldingProxy implements AutoCloseable {

	private static final int BUFFER = 16 * 1024;

	private static final int UNAVAILABLE = 503;

	private final RawCluster cluster;

	private final OkHttpClient http;

	private final String resource;

	private final HttpServer server;

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "proxy");
		thread.setDaemon(true);
		return thread;
	});

	private final AtomicInteger writes = new AtomicInteger();

	private final AtomicInteger refusals = new AtomicInteger();

	/** Whether watch events are held back; guarded by this. */
	private boolean held;

	/**
	 * Starts the proxy.
	 * @param cluster the cluster to forward to
	 * @param resource the plural name of the resource whose watches can be held
	 * @throws IOException if it cannot listen
	 */
	HoldingProxy(RawCluster cluster, String resource) throws IOException {
		this.cluster = cluster;
		this.resource = resource;
		this.http = cluster.http().newBuilder().readTimeout(Duration.ZERO).callTimeout(Duration.ZERO).build();
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", this::pass);
		this.server.setExecutor(this.threads);
		this.server.start();
	}

	/**
	 * Writes a kubeconfig of the proxy.
	 * @param file the file
	 * @throws IOException if it cannot be written
	 */
	void kubeconfig(Path file) throws IOException {
		Files.writeString(file, """
				apiVersion: v1
				kind: Config
				current-context: proxy
				clusters: [{name: proxy, cluster: {server: 'http://127.0.0.1:%d'}}]
				users: [{name: proxy, user: {token: none}}]
				contexts: [{name: proxy, context: {cluster: proxy, user: proxy, namespace: default}}]
				""".formatted(this.server.getAddress().getPort()));
	}

	synchronized void hold() {
		this.held = true;
		this.writes.set(0);
		this.refusals.set(0);
	}

	synchronized void release() {
		this.held = false;
		notifyAll();
	}

	private synchronized void awaitRelease() throws InterruptedException {
		while (this.held) {
			wait();
		}
	}

	/**
	 * Returns the number of writes of the resource since it was last held.
	 * @return the number
	 */
	int writes() {
		return this.writes.get();
	}

	/**
	 * Returns the number of rejections since then, for any resource except Leases.
	 * @return the number
	 */
	int refusals() {
		return this.refusals.get();
	}

	private void pass(HttpExchange exchange) throws IOException {
		if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
			// Then fabric8's client watches by a GET.
			exchange.sendResponseHeaders(UNAVAILABLE, -1);
			exchange.close();
			return;
		}
		String target = exchange.getRequestURI().toString();
		boolean concerned = exchange.getRequestURI().getPath().contains("/" + this.resource);
		boolean watch = target.contains("watch=true") || target.contains("watch=1");
		try (exchange; Response response = this.http.newCall(request(exchange, target)).execute()) {
			if (concerned && !exchange.getRequestMethod().equals("GET")) {
				this.writes.incrementAndGet();
			}
			if (response.code() >= 400 && !target.contains("/leases")) {
				this.refusals.incrementAndGet();
			}
			String type = response.header("Content-Type");
			if (type != null) {
				exchange.getResponseHeaders().set("Content-Type", type);
			}
			exchange.sendResponseHeaders(response.code(), 0);
			copy(Objects.requireNonNull(response.body()).byteStream(), exchange.getResponseBody(), concerned && watch);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private Request request(HttpExchange exchange, String target) throws IOException {
		Request.Builder request = new Request.Builder().url(this.cluster.url() + target);
		this.cluster.headers().forEach(request::header);
		// Request uncompressed responses, because compressed ones cannot be forwarded
		// piece
		// by piece.
		request.header("Accept-Encoding", "identity");
		for (String name : new String[] { "Accept", "User-Agent" }) {
			String value = exchange.getRequestHeaders().getFirst(name);
			if (value != null) {
				request.header(name, value);
			}
		}
		byte[] content = exchange.getRequestBody().readAllBytes();
		@Nullable String type = exchange.getRequestHeaders().getFirst("Content-Type");
		boolean hasBody = content.length > 0 || !exchange.getRequestMethod().matches("GET|HEAD|DELETE");
		return request
			.method(exchange.getRequestMethod(),
					hasBody ? RequestBody.create(content, (type != null) ? MediaType.parse(type) : null) : null)
			.build();
	}

	private void copy(InputStream from, OutputStream to, boolean holds) throws IOException, InterruptedException {
		byte[] buffer = new byte[BUFFER];
		for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
			if (holds) {
				awaitRelease();
			}
			to.write(buffer, 0, count);
			to.flush();
		}
	}

	@Override
	public void close() {
		release();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

}
