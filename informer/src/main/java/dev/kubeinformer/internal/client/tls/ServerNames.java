package dev.kubeinformer.internal.client.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.StandardConstants;

import org.jspecify.annotations.Nullable;

/**
 * Compares the name of a server with the names in its certificate, by the rules of Go
 * ({@code hostnameInSNI} of {@code crypto/tls}, {@code Certificate.VerifyHostname} of
 * {@code crypto/x509}): the common name of a certificate is ignored, and an asterisk
 * matches exactly the first label.
 */
final class ServerNames {

	private static final int DNS_NAME = 2;

	private static final int IP_ADDRESS = 7;

	private static final Pattern IPV4 = Pattern.compile("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}");

	/** IPv6 addresses: texts with a colon, which the JDK does not resolve by DNS. */
	private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F.]*:[0-9a-fA-F:.]*");

	/**
	 * Host names as in Go: labels of letters, digits, underscores and hyphens, which do
	 * not begin with a hyphen.
	 */
	private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_][a-zA-Z0-9_-]*(\\.[a-zA-Z0-9_][a-zA-Z0-9_-]*)*");

	private ServerNames() {
	}

	/**
	 * Returns the names to send as SNI.
	 * @param host the name or the address of the server
	 * @return one name; empty for an address
	 */
	static List<SNIServerName> sni(String host) {
		String name = host;
		while (name.endsWith(".")) {
			name = name.substring(0, name.length() - 1);
		}
		if (name.isEmpty() || address(host) != null) {
			return List.of();
		}
		try {
			return List.of(new SNIHostName(name));
		}
		catch (IllegalArgumentException ex) {
			return List.of(new AnyName(name));
		}
	}

	/**
	 * Returns whether a certificate is valid for a name.
	 * @param certificate the certificate
	 * @param host the name or the address
	 * @return {@code true} if one of its names matches
	 */
	static boolean matches(X509Certificate certificate, String host) {
		InetAddress address = address(host);
		if (address != null) {
			return alternatives(certificate, IP_ADDRESS).stream().anyMatch((name) -> address.equals(address(name)));
		}
		String lower = host.toLowerCase(Locale.ROOT);
		return alternatives(certificate, DNS_NAME).stream()
			.anyMatch((name) -> matches(name.toLowerCase(Locale.ROOT), lower));
	}

	private static boolean matches(String pattern, String host) {
		String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
		String labels = pattern.startsWith("*.") ? pattern.substring(2) : pattern;
		if (!NAME.matcher(name).matches() || !NAME.matcher(labels).matches()) {
			return !host.isEmpty() && !host.equals(".") && pattern.equals(host);
		}
		return labels.equals(pattern) ? pattern.equals(name)
				: name.indexOf('.') > 0 && name.substring(name.indexOf('.') + 1).equals(labels);
	}

	/**
	 * Returns the names of a certificate, for messages.
	 * @param certificate the certificate
	 * @return the DNS names, followed by the addresses
	 */
	static List<String> of(X509Certificate certificate) {
		List<String> names = new ArrayList<>(alternatives(certificate, DNS_NAME));
		names.addAll(alternatives(certificate, IP_ADDRESS));
		return names;
	}

	private static List<String> alternatives(X509Certificate certificate, int type) {
		try {
			Collection<List<?>> all = certificate.getSubjectAlternativeNames();
			return (all != null) ? all.stream()
				.filter((name) -> Integer.valueOf(type).equals(name.get(0)))
				.map((name) -> String.valueOf(name.get(1)))
				.toList() : List.of();
		}
		catch (CertificateParsingException ex) {
			return List.of();
		}
	}

	private static @Nullable InetAddress address(String host) {
		boolean brackets = host.startsWith("[") && host.endsWith("]");
		String literal = brackets ? host.substring(1, host.length() - 1) : host;
		int zone = literal.indexOf('%');
		if (zone > 0) {
			literal = literal.substring(0, zone);
		}
		if (!IPV4.matcher(literal).matches() && !IPV6.matcher(literal).matches()) {
			return null;
		}
		try {
			return InetAddress.getByName(literal);
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	/**
	 * Name that Go sends as SNI, but that the JDK's own class rejects, such as a name
	 * with an underscore.
	 */
	private static final class AnyName extends SNIServerName {

		AnyName(String name) {
			super(StandardConstants.SNI_HOST_NAME, name.getBytes(StandardCharsets.UTF_8));
		}

	}

}
