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
 * Copies of an application's HTTP client that give up when no byte comes for too long.
 * They share its connections.
 *
 * @param list for lists
 * @param watch for watches
 * @param patient for watches that are silent when nothing happens
 * @param turns whose turn it is to connect
 */
public record HttpClients(OkHttpClient list, OkHttpClient watch, OkHttpClient patient, ConnectCoalescer turns) {

	private static final int PATIENCE = 10;

	/** OkHttp takes no more milliseconds than an int can hold. */
	private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

	/**
	 * Copies of a client.
	 * @param client the client of the application
	 * @param deadlines how long to wait for bytes
	 * @return the copies
	 */
	static HttpClients of(OkHttpClient client, Deadlines deadlines) {
		ConnectCoalescer turns = ConnectCoalescer.of(client, deadlines.connecting());
		OkHttpClient impatient = impatient(client, deadlines.ping(), turns);
		return new HttpClients(derive(impatient, deadlines.listIdle()), derive(impatient, deadlines.watchIdle()),
				derive(impatient, deadlines.watchIdle().multipliedBy(PATIENCE)), turns);
	}

	private static OkHttpClient impatient(OkHttpClient client, Duration ping, ConnectCoalescer turns) {
		// A server that hangs answers no ping either, and is noticed before the stream
		// is.
		boolean pings = client.pingIntervalMillis() > 0 && client.pingIntervalMillis() <= ping.toMillis();
		OkHttpClient.Builder builder = Redirects.refuse(client.newBuilder())
			.callTimeout(Duration.ZERO)
			.pingInterval(pings ? Duration.ofMillis(client.pingIntervalMillis()) : ping);
		turns.install(builder);
		// With sockets of the application's own, only the wait for an answer is bounded.
		if (client.socketFactory() == SocketFactory.getDefault()) {
			builder.socketFactory(new ConnectingSockets());
		}
		return builder.build();
	}

	private static OkHttpClient derive(OkHttpClient client, Duration idle) {
		return client.newBuilder().readTimeout((idle.compareTo(LONGEST) < 0) ? idle : LONGEST).build();
	}

	/**
	 * Copies that take none of the connections of these.
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
