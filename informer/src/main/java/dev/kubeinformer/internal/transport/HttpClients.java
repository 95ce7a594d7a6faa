package dev.kubeinformer.internal.transport;

import java.time.Duration;

import javax.net.SocketFactory;

import okhttp3.Dns;
import okhttp3.OkHttpClient;

import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;

/**
 * Copies of an application's HTTP client that give up when no byte comes for too long.
 * They share its connections.
 *
 * @param list for lists
 * @param watch for watches
 * @param patient for watches that are silent when nothing happens
 */
record HttpClients(OkHttpClient list, OkHttpClient watch, OkHttpClient patient) {

	private static final int PATIENCE = 10;

	/**
	 * Copies of a client.
	 * @param client the client of the application
	 * @param deadlines how long to wait for bytes
	 * @return the copies
	 */
	static HttpClients of(OkHttpClient client, Deadlines deadlines) {
		OkHttpClient impatient = impatient(client, deadlines.ping());
		return new HttpClients(derive(impatient, deadlines.listIdle()), derive(impatient, deadlines.watchIdle()),
				derive(impatient, deadlines.watchIdle().multipliedBy(PATIENCE)));
	}

	private static OkHttpClient impatient(OkHttpClient client, Duration ping) {
		// A server that hangs answers no ping either, and is noticed before the stream
		// is.
		boolean pings = client.pingIntervalMillis() > 0 && client.pingIntervalMillis() <= ping.toMillis();
		OkHttpClient.Builder builder = client.newBuilder()
			.callTimeout(Duration.ZERO)
			.pingInterval(pings ? Duration.ofMillis(client.pingIntervalMillis()) : ping);
		// With sockets of the application's own, only the wait for an answer is bounded.
		if (client.socketFactory() == SocketFactory.getDefault()) {
			builder.socketFactory(new ConnectingSockets());
		}
		return builder.build();
	}

	private static OkHttpClient derive(OkHttpClient client, Duration idle) {
		return client.newBuilder().readTimeout(idle).build();
	}

	/**
	 * Copies that take none of the connections of these.
	 * @return the copies
	 */
	HttpClients onOtherConnections() {
		Dns next = NumberedDns.after(this.list.dns());
		return new HttpClients(with(this.list, next), with(this.watch, next), with(this.patient, next));
	}

	private static OkHttpClient with(OkHttpClient client, Dns dns) {
		return client.newBuilder().dns(dns).build();
	}

}
