package dev.kubeinformer.internal.failure;

import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

import org.jspecify.annotations.Nullable;

/**
 * Reason why client and API server do not agree on TLS. The exceptions of the JDK say
 * what they met, and not what it means.
 *
 * @param reason the reason, as a word
 * @param message what it means
 */
public record TlsProblem(String reason, String message) {

	/** No authority that the client trusts vouches for the certificate. */
	private static final TlsProblem CERTIFICATE_NOT_TRUSTED = new TlsProblem("CertificateNotTrusted",
			"the API server's certificate is not signed by an authority that the client trusts; the client needs the "
					+ "cluster's certificate authority");

	/** The authority that is trusted is too old, and the certificate may be valid. */
	private static final TlsProblem AUTHORITY_EXPIRED = new TlsProblem("AuthorityExpired",
			"the certificate of the authority that signed the API server's certificate has expired; the client needs "
					+ "the present certificate authority of the cluster");

	/** The certificate is too old. */
	private static final TlsProblem CERTIFICATE_EXPIRED = new TlsProblem("CertificateExpired",
			"the API server's certificate has expired");

	/** The certificate is too new. */
	private static final TlsProblem CERTIFICATE_NOT_YET_VALID = new TlsProblem("CertificateNotYetValid",
			"the API server's certificate is not valid yet; does the clock of this machine go right?");

	/** The server insists on a certificate of the client. */
	private static final TlsProblem CLIENT_CERTIFICATE_REQUIRED = new TlsProblem("ClientCertificateRequired",
			"the API server, or a proxy in front of it, requires a client certificate, and the client sent none");

	/**
	 * With TLS 1.2, servers of Go and newer JDKs say it of a missing certificate, too.
	 */
	private static final TlsProblem HANDSHAKE_REFUSED = new TlsProblem("TlsHandshakeRefused",
			"the API server, or a proxy in front of it, refused the TLS handshake: it allows no cipher suite of the "
					+ "client, or requires a client certificate, which is missing");

	/**
	 * The alert itself is lost where HTTP/2 writes while the alert is being read: this is
	 * what the JDK says of a connection that TLS has closed.
	 */
	private static final TlsProblem CONNECTION_CLOSED = new TlsProblem("TlsConnectionClosed",
			"the API server, or a proxy in front of it, closed the connection before it answered; so does one that "
					+ "requires a client certificate, if the client sent none or another one");

	/** The server knows no such name. */
	private static final TlsProblem SERVER_NAME_UNKNOWN = new TlsProblem("ServerNameUnknown",
			"the API server, or a router in front of it, does not know the name that the client sent (SNI); it is "
					+ "'tls-server-name' if that is set, else the host of the URL");

	/** There is no version of TLS that both speak. */
	private static final TlsProblem VERSIONS_DIFFER = new TlsProblem("TlsVersionsDiffer",
			"the API server and the client speak no common version of TLS; the client speaks TLS 1.2 and 1.3 unless "
					+ "its SSL bundle or the JVM says otherwise");

	/** The client speaks TLS and the server does not. */
	private static final TlsProblem TLS_NOT_SPOKEN = new TlsProblem("TlsNotSpoken",
			"the API server does not speak TLS at this port: the port is another one, or the URL begins with http://");

	/** The server speaks TLS and the client does not. */
	private static final TlsProblem TLS_EXPECTED = new TlsProblem("TlsExpected",
			"the API server speaks TLS at this port: the URL must begin with https://");

	private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

	/** As OkHttp writes it. */
	private static final Pattern OTHER_NAME = Pattern
		.compile("Hostname (\\S+) not verified:.*subjectAltNames: \\[([^\\]]*)].*", Pattern.DOTALL);

	/** As the room of a client's TLS writes it, which knows the name that is expected. */
	private static final String OWN_OTHER_NAME = "The API server's certificate is for ";

	public static @Nullable TlsProblem of(IOException failure) {
		if (!(failure instanceof SSLException)) {
			return ofOther(failure);
		}
		String message = String.valueOf(failure.getMessage());
		if (failure instanceof SSLPeerUnverifiedException) {
			return ofName(message);
		}
		TlsProblem problem = ofMessage(message);
		return (problem != null) ? problem : ofCause(failure.getCause());
	}

	private static @Nullable TlsProblem ofOther(IOException failure) {
		if (isAlert(failure.getCause())) {
			return TLS_EXPECTED;
		}
		// After a request that could not be sent, OkHttp reads why.
		for (Throwable suppressed : failure.getSuppressed()) {
			if (suppressed instanceof SSLException alert) {
				return of(alert);
			}
		}
		boolean closed = "Connection or outbound has closed".equals(failure.getMessage())
				|| failure.getClass().getSimpleName().equals("ConnectionShutdownException");
		return closed ? CONNECTION_CLOSED : null;
	}

	private static @Nullable TlsProblem ofName(String message) {
		Matcher other = OTHER_NAME.matcher(message);
		if (other.matches()) {
			String names = other.group(2).isBlank() ? "no name" : "[" + other.group(2) + "]";
			return ofOtherName("the API server's certificate is for %s, and not for '%s'; use a name that it is for in "
				.formatted(names, other.group(1)) + "the URL, or set 'tls-server-name' to one");
		}
		return message.startsWith(OWN_OTHER_NAME) ? ofOtherName("t" + message.substring(1)) : null;
	}

	private static TlsProblem ofOtherName(String message) {
		return new TlsProblem("CertificateForAnotherName", message);
	}

	private static @Nullable TlsProblem ofMessage(String message) {
		if (message.startsWith("Unsupported or unrecognized SSL message")) {
			return TLS_NOT_SPOKEN;
		}
		if (message.contains("is not accepted by client preferences")) {
			return VERSIONS_DIFFER;
		}
		Matcher alert = ALERT.matcher(message);
		return alert.find() ? ofAlert(alert.group(1)) : null;
	}

	/**
	 * Alerts about a certificate (RFC 8446, 6.2) that come from the server are about that
	 * of the client.
	 */
	private static @Nullable TlsProblem ofAlert(String alert) {
		return switch (alert) {
			case "certificate_required" -> CLIENT_CERTIFICATE_REQUIRED;
			case "handshake_failure" -> HANDSHAKE_REFUSED;
			case "unrecognized_name" -> SERVER_NAME_UNKNOWN;
			case "protocol_version" -> VERSIONS_DIFFER;
			case "certificate_expired" -> refused("it has expired, or the clock of the server goes wrong");
			case "certificate_revoked" -> refused("it was revoked");
			case "unknown_ca" -> refused("the server does not trust the authority that signed it");
			case "unsupported_certificate" -> refused("the server does not support its kind");
			case "bad_certificate", "certificate_unknown", "access_denied" ->
				refused("it is missing, or not one that the server trusts (%s)".formatted(alert));
			default -> null;
		};
	}

	private static TlsProblem refused(String why) {
		return new TlsProblem("ClientCertificateRefused",
				"the API server, or a proxy in front of it, refused the client certificate: " + why);
	}

	private static @Nullable TlsProblem ofCause(@Nullable Throwable first) {
		for (Throwable cause = first; cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateExpiredException) {
				return CERTIFICATE_EXPIRED;
			}
			if (cause instanceof CertificateNotYetValidException) {
				return CERTIFICATE_NOT_YET_VALID;
			}
			if (cause instanceof CertPathBuilderException) {
				return hasExpired(cause) ? AUTHORITY_EXPIRED : CERTIFICATE_NOT_TRUSTED;
			}
		}
		return null;
	}

	private static boolean hasExpired(Throwable path) {
		for (Throwable cause = path.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateExpiredException) {
				return true;
			}
		}
		return false;
	}

	private static boolean isAlert(@Nullable Throwable cause) {
		// The record of an alert (RFC 8446, 5.1): Okio quotes what it found where a line
		// of HTTP should be.
		return cause instanceof EOFException && String.valueOf(cause.getMessage()).contains("content=1503");
	}

}
