package dev.kubeinformer.internal.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

import okhttp3.Dns;

/**
 * DNS of an HTTP client, with a number that makes the client use new connections. In
 * OkHttp, clients with equal settings share connections, and the DNS is one of these
 * settings. So a client with the next number does not use the connections of this one.
 * OkHttp offers no other way to request a new connection.
 *
 * @param names looks up host names
 * @param number the number, above 0
 */
public record ConnectionGenerationDns(Dns names, int number) implements Dns {

	public static Dns after(Dns dns) {
		return (dns instanceof ConnectionGenerationDns numbered)
				? new ConnectionGenerationDns(numbered.names, numbered.number + 1)
				: new ConnectionGenerationDns(dns, 1);
	}

	@Override
	public List<InetAddress> lookup(String hostname) throws UnknownHostException {
		return this.names.lookup(hostname);
	}

}
