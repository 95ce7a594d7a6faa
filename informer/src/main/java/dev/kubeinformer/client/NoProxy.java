package dev.kubeinformer.client;

import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * List of the servers that are reached without a proxy, from the variable
 * {@code NO_PROXY}. The rules are those of Go's {@code golang.org/x/net/http/httpproxy},
 * which kubectl uses: host names are not resolved, and invalid entries are skipped.
 */
final class NoProxy {

	private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!$)|$)){4}");

	private final List<Entry> entries = new ArrayList<>();

	/**
	 * Creates the list.
	 * @param list the entries, separated by commas; may be empty
	 */
	NoProxy(String list) {
		for (String text : list.split(",")) {
			Entry entry = entry(text.strip().toLowerCase(Locale.ROOT));
			if (entry != null) {
				this.entries.add(entry);
			}
		}
	}

	/**
	 * Returns whether a server is reached without a proxy.
	 * @param host the host, in lower case and ASCII; an IPv6 address has no brackets
	 * @param port the port
	 * @return {@code true} if the server is on this machine or listed
	 */
	boolean includes(String host, int port) {
		byte[] address = address(host);
		if (host.equals("localhost") || (address != null && isLoopback(address))) {
			return true;
		}
		return this.entries.stream().anyMatch((entry) -> entry.matches(host, port, address));
	}

	private static boolean isLoopback(byte[] address) {
		try {
			return InetAddress.getByAddress(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	private static @Nullable Entry entry(String text) {
		if (text.equals("*")) {
			return (host, port, address) -> true;
		}
		int slash = text.indexOf('/');
		byte[] network = (slash > 0) ? address(text.substring(0, slash)) : null;
		if (network != null && text.substring(slash + 1).matches("\\d{1,3}")) {
			int bits = Integer.parseInt(text.substring(slash + 1));
			if (bits <= network.length * 8) {
				return (host, port, address) -> address != null && isWithin(network, bits, address);
			}
		}
		int colon = text.lastIndexOf(':');
		// With a port, an IPv6 address is in brackets.
		boolean withPort = colon >= 0
				&& (colon == text.indexOf(':') || (text.startsWith("[") && text.charAt(colon - 1) == ']'));
		String name = withPort ? text.substring(0, colon) : text;
		if (withPort && name.startsWith("[") && name.endsWith("]")) {
			name = name.substring(1, name.length() - 1);
		}
		String wanted = withPort ? text.substring(colon + 1) : "";
		if (name.isEmpty()) {
			return null;
		}
		byte[] single = address(name);
		if (single != null) {
			return (host, port, address) -> Arrays.equals(single, address) && isPort(wanted, port);
		}
		return domain(name, wanted);
	}

	private static Entry domain(String name, String wanted) {
		String domain = name.startsWith("*.") ? name.substring(1) : name;
		boolean itself = !domain.startsWith(".");
		String suffix = itself ? "." + ascii(domain) : domain;
		return (host, port, address) -> (host.endsWith(suffix) || (itself && host.equals(suffix.substring(1))))
				&& isPort(wanted, port);
	}

	private static String ascii(String domain) {
		try {
			return IDN.toASCII(domain);
		}
		catch (IllegalArgumentException ex) {
			return domain;
		}
	}

	private static boolean isPort(String wanted, int port) {
		return wanted.isEmpty() || wanted.equals(Integer.toString(port));
	}

	private static boolean isWithin(byte[] network, int bits, byte[] address) {
		if (address.length != network.length) {
			return false;
		}
		for (int i = 0; i < bits; i++) {
			int mask = 0x80 >> (i % 8);
			if ((network[i / 8] & mask) != (address[i / 8] & mask)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Parses an IP address.
	 * @param text the text
	 * @return the bytes of the address; {@code null} if the text is a host name. An IPv4
	 * address that is written as an IPv6 address has four bytes
	 */
	static byte @Nullable [] address(String text) {
		boolean ipv4 = IPV4.matcher(text).matches();
		if (!ipv4 && !text.matches("[0-9a-f:.]*:[0-9a-f:.]*")) {
			return null;
		}
		try {
			// The brackets prevent a lookup as a host name.
			return InetAddress.getByName(ipv4 ? text : "[" + text + "]").getAddress();
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * One entry of the list.
	 */
	@FunctionalInterface
	private interface Entry {

		/**
		 * Returns whether the entry matches a server.
		 * @param host the host
		 * @param port the port
		 * @param address the address; {@code null} if the host is a name
		 * @return {@code true} if the server is reached without a proxy
		 */
		boolean matches(String host, int port, byte @Nullable [] address);

	}

}
