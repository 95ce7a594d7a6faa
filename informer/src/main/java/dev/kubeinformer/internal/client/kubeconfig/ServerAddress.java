package dev.kubeinformer.internal.client.kubeconfig;

import java.io.ByteArrayOutputStream;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;

/**
 * Address of a server, parsed as in client-go ({@code rest/url_utils.go},
 * {@code tools/clientcmd/client_config.go} and Go's {@code net/url}): a URL without a
 * scheme is HTTP, the path of the URL is the prefix of the paths of all requests, and a
 * query or fragment is ignored.
 *
 * @param url the URL, without user, query and a slash at its end
 * @param user the user and password of the URL; {@code null} for none
 */
record ServerAddress(String url, ClusterAccess.@Nullable Basic user) {

	private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/]+)(/.*)?");

	private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\[\\]:]*)(?::([0-9]*))?");

	private static final Pattern NAME = Pattern
		.compile("[\\w\\-\\x{80}-\\x{10FFFF}]{1,63}(\\.[\\w\\-\\x{80}-\\x{10FFFF}]{1,63})*\\.?");

	/** Characters that Go does not escape in a path. */
	private static final String UNESCAPED = "-_.~$&+,/:;=@";

	private static final int LARGEST_PORT = 65535;

	/**
	 * Parses the field {@code server}.
	 * @param server the value
	 * @return the address
	 * @throws IllegalArgumentException if the value is not valid; the message is the end
	 * of a sentence and does not quote the value, which may contain a password
	 */
	static ServerAddress parse(String server) {
		if (server.chars().anyMatch((character) -> character < ' ' || character == 0x7f)) {
			throw new IllegalArgumentException("is not a URL: it has a line break or another control character");
		}
		String text = withoutQuery(server);
		Matcher url = URL.matcher(text);
		if (!url.matches()) {
			url = URL.matcher("http://" + text);
			if (!url.matches() || (url.group(3) != null && url.group(3).length() > 1)) {
				throw new IllegalArgumentException("is neither a URL nor a host with a port");
			}
		}
		String scheme = url.group(1).toLowerCase(Locale.ROOT);
		if (!"http".equals(scheme) && !"https".equals(scheme)) {
			throw new IllegalArgumentException("has a scheme that is neither http nor https");
		}
		String authority = url.group(2);
		int at = authority.lastIndexOf('@');
		if ("https".equals(scheme) && authority.startsWith(":", at + 1)) {
			// Go would connect to this machine without a name to verify.
			throw new IllegalArgumentException("has no host");
		}
		return new ServerAddress(scheme + "://" + host(authority.substring(at + 1)) + path(url.group(3)),
				(at >= 0) ? user(authority.substring(0, at)) : null);
	}

	// url.ParseRequestURI does not split off a fragment, so a fragment after a path
	// belongs to the path.
	private static String withoutQuery(String server) {
		String text = cut(server, '?');
		int path = text.indexOf('/', text.indexOf("://") + 3);
		int fragment = text.indexOf('#');
		return (path < 0 || fragment < path) ? cut(text, '#') : text;
	}

	private static String cut(String text, char end) {
		int index = text.indexOf(end);
		return (index >= 0) ? text.substring(0, index) : text;
	}

	private static String host(String text) {
		if (text.indexOf(' ') >= 0) {
			throw new IllegalArgumentException("is not a URL: its host has a space");
		}
		Matcher host = HOST.matcher(text);
		// Go would connect to this machine.
		String name = host.matches() ? (host.group(1).isEmpty() ? "localhost" : host.group(1)) : "";
		if (name.startsWith("[") ? !isAddress(name) : !NAME.matcher(name).matches()) {
			throw new IllegalArgumentException("is not a URL: its host or port is not valid");
		}
		return name + port(host.group(2));
	}

	private static boolean isAddress(String literal) {
		try {
			// Text in brackets is never looked up as a name.
			return InetAddress.getByName(literal) instanceof Inet6Address;
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	private static String port(@Nullable String text) {
		if (text == null || text.isEmpty()) {
			return "";
		}
		int port = (text.length() <= 9) ? Integer.parseInt(text) : 0;
		if (port < 1 || port > LARGEST_PORT) {
			throw new IllegalArgumentException("is not a URL: its port is not between 1 and 65535");
		}
		return ":" + port;
	}

	private static ClusterAccess.Basic user(String text) {
		if (text.indexOf(' ') >= 0) {
			throw new IllegalArgumentException("is not a URL: its user has a space");
		}
		int colon = text.indexOf(':');
		return (colon < 0) ? new ClusterAccess.Basic(unescaped(text), "")
				: new ClusterAccess.Basic(unescaped(text.substring(0, colon)), unescaped(text.substring(colon + 1)));
	}

	private static String path(@Nullable String text) {
		Deque<String> segments = new ArrayDeque<>();
		for (String segment : unescaped((text != null) ? text : "").split("/")) {
			if ("..".equals(segment)) {
				segments.pollLast();
			}
			else if (!segment.isEmpty() && !".".equals(segment)) {
				segments.add(escaped(segment));
			}
		}
		return segments.isEmpty() ? "" : "/" + String.join("/", segments);
	}

	private static String unescaped(String text) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ByteBuffer encoded = StandardCharsets.UTF_8.encode(text);
		while (encoded.hasRemaining()) {
			int character = encoded.get();
			if (character != '%') {
				bytes.write(character);
				continue;
			}
			int high = digit(encoded);
			bytes.write(high << 4 | digit(encoded));
		}
		return bytes.toString(StandardCharsets.UTF_8);
	}

	private static int digit(ByteBuffer encoded) {
		int digit = encoded.hasRemaining() ? Character.digit(encoded.get(), 16) : -1;
		if (digit < 0) {
			throw new IllegalArgumentException("is not a URL: it has a '%' that is not followed by two hex digits");
		}
		return digit;
	}

	private static String escaped(String segment) {
		StringBuilder escaped = new StringBuilder();
		for (byte character : segment.getBytes(StandardCharsets.UTF_8)) {
			boolean plain = character > 0
					&& (Character.isLetterOrDigit(character) || UNESCAPED.indexOf(character) >= 0);
			escaped.append(plain ? String.valueOf((char) character) : "%%%02X".formatted(character & 0xFF));
		}
		return escaped.toString();
	}

	/**
	 * Returns whether the connection is encrypted.
	 * @return {@code true} for HTTPS
	 */
	boolean isEncrypted() {
		return this.url.startsWith("https://");
	}

}
