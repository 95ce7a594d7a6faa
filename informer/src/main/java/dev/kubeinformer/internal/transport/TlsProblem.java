package dev.kubeinformer.internal.transport;

import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;

import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;

/**
 * Reason why client and API server do not agree on TLS. The exceptions of the JDK say
 * what they met, and not what it means.
 */
enum TlsProblem {

	/** No authority that the client trusts vouches for the certificate. */
	CERTIFICATE_NOT_TRUSTED("CertificateNotTrusted",
			"the API server's certificate is not signed by an authority that the client trusts; the client needs the "
					+ "cluster's certificate authority"),

	/** The certificate is too old. */
	CERTIFICATE_EXPIRED("CertificateExpired", "the API server's certificate has expired"),

	/** The certificate is too new. */
	CERTIFICATE_NOT_YET_VALID("CertificateNotYetValid",
			"the API server's certificate is not valid yet; does the clock of this machine go right?"),

	/** The client speaks TLS and the server does not. */
	TLS_NOT_SPOKEN("TlsNotSpoken",
			"the API server does not speak TLS at this port: the port is another one, or the URL begins with http://"),

	/** The server speaks TLS and the client does not. */
	TLS_EXPECTED("TlsExpected", "the API server speaks TLS at this port: the URL must begin with https://");

	private final String reason;

	private final String message;

	TlsProblem(String reason, String message) {
		this.reason = reason;
		this.message = message;
	}

	static @Nullable TlsProblem of(IOException failure) {
		String message = String.valueOf(failure.getMessage());
		if (!(failure instanceof SSLException)) {
			return isAlert(failure.getCause()) ? TLS_EXPECTED : null;
		}
		if (message.startsWith("Unsupported or unrecognized SSL message")) {
			return TLS_NOT_SPOKEN;
		}
		for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateExpiredException) {
				return CERTIFICATE_EXPIRED;
			}
			if (cause instanceof CertificateNotYetValidException) {
				return CERTIFICATE_NOT_YET_VALID;
			}
			if (cause instanceof CertPathBuilderException) {
				return CERTIFICATE_NOT_TRUSTED;
			}
		}
		return null;
	}

	private static boolean isAlert(@Nullable Throwable cause) {
		// The record of an alert (RFC 8446, 5.1): Okio quotes what it found where a line
		// of HTTP should be.
		return cause instanceof EOFException && String.valueOf(cause.getMessage()).contains("content=1503");
	}

	String reason() {
		return this.reason;
	}

	String message() {
		return this.message;
	}

}
