package dev.kubeinformer.internal.transport;

import java.time.Duration;

import javax.net.SocketFactory;

import okhttp3.Dns;
import okhttp3.OkHttpClient;

import dev.kubeinformer.internal.http.ConnectCoalescer;
import dev.kubeinformer.internal.http.ConnectingSockets;
import dev.kubeinformer.internal.http.ConnectionGenerationDns;
import dev.kubeinformer.internal.http.Redirects;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;

/**
 * Copies of an application's HTTP client, each with a timeout for the next byte of a
 * response. They share the connections of that client.
 *
 * @param list the client for lists
 * @param watch the client for watches
 * @param patient the client for watches on which the server sends nothing while no object
 * changes; its timeout is longer
 * @param turns decides which request connects next
 */
public record HttpClients(OkHttpClient list, OkHttpClient watch, OkHttpClient patient, ConnectCoalescer turns) {

	private static final int PATIENCE = 10;

	/** Longest timeout that OkHttp accepts; it stores milliseconds as an {@code int}. */
	private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

	/**
	 * Creates the copies of a client.
	 * @param client the client of the application
	 * @param deadlines the longest waits for bytes
	 * @return the copies
	 */
	static HttpClients of(OkHttpClient client, Deadlines deadlines) {
		ConnectCoalescer turns = ConnectCoalescer.of(client, deadlines.connecting());
		OkHttpClient impatient = impatient(client, deadlines.ping(), turns);
		return new HttpClients(derive(impatient, deadlines.listIdle()), derive(impatient, deadlines.watchIdle()),
				derive(impatient, deadlines.watchIdle().multipliedBy(PATIENCE)), turns);
	}

	private static OkHttpClient impatient(OkHttpClient client, Duration ping, ConnectCoalescer turns) {
		// A server that hangs does not respond to pings either, so it is noticed before
		// its stream times out.
		boolean pings = client.pingIntervalMillis() > 0 && client.pingIntervalMillis() <= ping.toMillis();
		OkHttpClient.Builder builder = Redirects.refuse(client.newBuilder())
			.callTimeout(Duration.ZERO)
			.pingInterval(pings ? Duration.ofMillis(client.pingIntervalMillis()) : ping);
		turns.install(builder);
		// With socket factories of the application, only the wait for a response is
		// limited.
		if (client.socketFactory() == SocketFactory.getDefault()) {
			builder.socketFactory(new ConnectingSockets());
		}
		return builder.build();
	}

	private static OkHttpClient derive(OkHttpClient client, Duration idle) {
		return client.newBuilder().readTimeout((idle.compareTo(LONGEST) < 0) ? idle : LONGEST).build();
	}

	/**
	 * Creates copies of these clients that do not use the same connections.
	 * @return the copies
	 */
	HttpClients onOtherConnections() {
		Dns next = ConnectionGenerationDns.after(this.list.dns());
		ConnectCoalescer others = this.turns.others();
		return new HttpClients(with(this.list, next, others), with(this.watch, next, others),
				with(this.patient, next, others), others);
	}

	private OkHttpClient with(OkHttpClient client, Dns dns, ConnectCoalescer others) {
		OkHttpClient.Builder builder = client.newBuilder().dns(dns);
		this.turns.uninstall(builder);
		others.install(builder);
		return builder.build();
	}

}
