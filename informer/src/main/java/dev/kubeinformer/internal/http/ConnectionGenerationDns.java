package dev.kubeinformer.internal.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

import okhttp3.Dns;

/**
 * Name service of an HTTP client, with a number. OkHttp lets clients share the
 * connections that were made with equal settings, and has no other way to ask for a new
 * one: a client with the next number takes none of those that were made with this one.
 *
 * @param names the name service
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
