package com.example.crashloopalerts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * Receiver of alerts for tests, which can fail.
 */
class WebhookReceiver {

	private final HttpServer server;

	private final List<String> alerts = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	WebhookReceiver() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new IllegalStateException("No port for the receiver", ex);
		}
		this.server.createContext("/", this::receive);
		this.server.start();
	}

	private void receive(HttpExchange exchange) throws IOException {
		String alert = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
		boolean fail = this.failures.getAndUpdate((left) -> Math.max(left - 1, 0)) > 0;
		if (!fail) {
			this.alerts.add(alert);
		}
		exchange.sendResponseHeaders(fail ? 503 : 204, -1);
		exchange.close();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/**
	 * Returns the alerts that were accepted.
	 */
	List<String> alerts() {
		return this.alerts;
	}

	void failNext(int requests) {
		this.failures.set(requests);
	}

	int failuresLeft() {
		return this.failures.get();
	}

}
