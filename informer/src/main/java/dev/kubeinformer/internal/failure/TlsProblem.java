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
 * Reason why a TLS handshake between client and API server failed. The exceptions of the
 * JDK only report the symptom, so they are translated into a reason and an explanation.
 *
 * @param reason the reason in one word
 * @param message the explanation
 */
public record TlsProblem(String reason, String message) {

	/** The certificate is not signed by an authority that the client trusts. */
	private static final TlsProblem CERTIFICATE_NOT_TRUSTED = new TlsProblem("CertificateNotTrusted",
			"the API server's certificate is not signed by an authority that the client trusts; the client needs the "
					+ "cluster's certificate authority");

	/** The trusted authority has expired; the certificate itself may be valid. */
	private static final TlsProblem AUTHORITY_EXPIRED = new TlsProblem("AuthorityExpired",
			"the certificate of the authority that signed the API server's certificate has expired; "
					+ "the client needs the current certificate authority of the cluster");

	/** The certificate has expired. */
	private static final TlsProblem CERTIFICATE_EXPIRED = new TlsProblem("CertificateExpired",
			"the API server's certificate has expired");

	/** The certificate is not valid yet. */
	private static final TlsProblem CERTIFICATE_NOT_YET_VALID = new TlsProblem("CertificateNotYetValid",
			"the API server's certificate is not valid yet; check the clock of this machine");

	/** The server requires a client certificate. */
	private static final TlsProblem CLIENT_CERTIFICATE_REQUIRED = new TlsProblem("ClientCertificateRequired",
			"the API server, or a proxy in front of it, requires a client certificate, and the client sent none");

	/**
	 * The server rejected the handshake without a reason. With TLS 1.2, Go servers and
	 * newer JDKs also report a missing client certificate like this.
	 */
	private static final TlsProblem HANDSHAKE_REFUSED = new TlsProblem("TlsHandshakeRefused",
			"the API server, or a proxy in front of it, rejected the TLS handshake: it supports no "
					+ "cipher suite of the client, or requires a client certificate, which is missing");

	/**
	 * The server closed the connection with an alert, which got lost. That happens if
	 * OkHttp writes data of HTTP/2 while the JDK reads the alert. The JDK then reports
	 * only that the connection is closed.
	 */
	private static final TlsProblem CONNECTION_CLOSED = new TlsProblem("TlsConnectionClosed",
			"the API server, or a proxy in front of it, closed the connection before it responded; it "
					+ "may require a client certificate, if the client sent none or a wrong one");

	/** The server does not know the host name that the client has sent. */
	private static final TlsProblem SERVER_NAME_UNKNOWN = new TlsProblem("ServerNameUnknown",
			"the API server, or a router in front of it, does not know the server name that the "
					+ "client sent (SNI); the name is 'tls-server-name' if that is set, otherwise the host of "
					+ "the URL");

	/** Client and server have no common TLS version. */
	private static final TlsProblem VERSIONS_DIFFER = new TlsProblem("TlsVersionsDiffer",
			"the API server and the client speak no common version of TLS; the client speaks TLS 1.2 "
					+ "and 1.3 unless its SSL bundle or the JVM restricts them");

	/** The client uses TLS and the server does not. */
	private static final TlsProblem TLS_NOT_SPOKEN = new TlsProblem("TlsNotSpoken",
			"the API server does not speak TLS at this port; correct the port, or begin the URL with http://");

	/** The server uses TLS and the client does not. */
	private static final TlsProblem TLS_EXPECTED = new TlsProblem("TlsExpected",
			"the API server speaks TLS at this port; begin the URL with https://");

	private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

	/** OkHttp's message for a certificate that is valid for another host name. */
	private static final Pattern OTHER_NAME = Pattern
		.compile("Hostname (\\S+) not verified:.*subjectAltNames: \\[([^\\]]*)].*", Pattern.DOTALL);

	/**
	 * Start of the message of {@code internal.client.tls} for the same problem; it names
	 * the expected host name.
	 */
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
		// If a request could not be sent, the reason is among the suppressed exceptions.
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
			return ofOtherName("the API server's certificate is for %s, and not for '%s'; use one of these names in "
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
	 * Returns the problem for an alert of the server. If the alert is about a certificate
	 * (RFC 8446, 6.2), it is the certificate of the client.
	 */
	private static @Nullable TlsProblem ofAlert(String alert) {
		return switch (alert) {
			case "certificate_required" -> CLIENT_CERTIFICATE_REQUIRED;
			case "handshake_failure" -> HANDSHAKE_REFUSED;
			case "unrecognized_name" -> SERVER_NAME_UNKNOWN;
			case "protocol_version" -> VERSIONS_DIFFER;
			case "certificate_expired" -> refused("it has expired, or the clock of the server is wrong");
			case "certificate_revoked" -> refused("it was revoked");
			case "unknown_ca" -> refused("the server does not trust the authority that signed it");
			case "unsupported_certificate" -> refused("the server does not support this type of certificate");
			case "bad_certificate", "certificate_unknown", "access_denied" ->
				refused("it is missing, or the server does not trust it (%s)".formatted(alert));
			default -> null;
		};
	}

	private static TlsProblem refused(String why) {
		return new TlsProblem("ClientCertificateRefused",
				"the API server, or a proxy in front of it, rejected the client certificate: " + why);
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
		// Bytes of an alert record (RFC 8446, 5.1), which Okio quotes when it expects a
		// line of HTTP.
		return cause instanceof EOFException && String.valueOf(cause.getMessage()).contains("content=1503");
	}

}
