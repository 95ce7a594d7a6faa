package dev.kubeinformer.internal.transport;

import java.io.IOException;
import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;

import okhttp3.internal.http2.ConnectionShutdownException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.failure.TlsProblem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the exceptions of the JDK mean.
 */
class TlsProblemRulesTests {

	@ParameterizedTest
	@CsvSource({ "certificate_required, ClientCertificateRequired, the client sent none",
			"bad_certificate, ClientCertificateRefused, it is missing",
			"certificate_unknown, ClientCertificateRefused, it is missing",
			"access_denied, ClientCertificateRefused, it is missing",
			"certificate_expired, ClientCertificateRefused, it has expired",
			"certificate_revoked, ClientCertificateRefused, it was revoked",
			"unsupported_certificate, ClientCertificateRefused, does not support this type of certificate",
			"unknown_ca, ClientCertificateRefused, does not trust the authority that signed it",
			"handshake_failure, TlsHandshakeRefused, requires a client certificate",
			"unrecognized_name, ServerNameUnknown, 'tls-server-name'", "protocol_version, TlsVersionsDiffer, TLS 1.2" })
	void alertShouldBeExplained(String alert, String reason, String message) {
		// The second form is that of newer JDKs.
		for (String text : new String[] { "Received fatal alert: " + alert,
				"(" + alert + ") Received fatal alert: " + alert }) {
			assertProblem(new SSLHandshakeException(text), reason, message);
			assertProblem(new SSLException(text), reason, message);
		}
	}

	@Test
	void alertThatWasReadAfterAFailedWriteShouldBeExplained() {
		SocketException failure = new SocketException("Broken pipe");
		assertThat(TlsProblem.of(failure)).isNull();
		failure.addSuppressed(new IOException("unexpected end of stream"));
		assertThat(TlsProblem.of(failure)).isNull();
		failure.addSuppressed(new SSLHandshakeException("Received fatal alert: certificate_required"));
		assertProblem(failure, "ClientCertificateRequired", "the client sent none");
	}

	@Test
	void connectionThatTlsHasClosedShouldBeExplained() {
		String message = "require a client certificate";
		assertProblem(new SocketException("Connection or outbound has closed"), "TlsConnectionClosed", message);
		assertProblem(new ConnectionShutdownException(), "TlsConnectionClosed", message);
	}

	@ParameterizedTest
	@CsvSource({ "Received fatal alert: internal_error", "Remote host terminated the handshake",
			"Received close_notify during handshake" })
	void whatMayMeanAnythingShouldStayAsItIs(String message) {
		assertThat(TlsProblem.of(new SSLHandshakeException(message))).isNull();
	}

	static Stream<Arguments> causes() {
		return Stream.of(
				Arguments.of(new CertificateException(new CertPathBuilderException("x")), "CertificateNotTrusted"),
				Arguments.of(new CertificateExpiredException("x"), "CertificateExpired"),
				Arguments.of(new CertificateNotYetValidException("x"), "CertificateNotYetValid"),
				Arguments.of(
						new CertificateException(
								new CertPathBuilderException("x", new CertificateExpiredException("x"))),
						"AuthorityExpired"));
	}

	@ParameterizedTest
	@MethodSource("causes")
	void causeShouldBeExplained(Exception cause, String reason) {
		SSLHandshakeException failure = new SSLHandshakeException("(certificate_unknown) x");
		failure.initCause(cause);
		assertProblem(failure, reason, "certificate");
	}

	@Test
	void versionThatTheServerSelectedShouldBeExplained() {
		assertProblem(
				new SSLProtocolException(
						"The server selected protocol version TLS11 is not accepted by client preferences [TLS13]"),
				"TlsVersionsDiffer", "speak no common version of TLS");
	}

	@Test
	void otherNameShouldBeExplainedByWhateverVerifiedIt() {
		assertProblem(new SSLPeerUnverifiedException("""
				Hostname api not verified:
				    certificate: sha256/x
				    DN: CN=a
				    subjectAltNames: [a.example.com, 10.0.0.1]"""), "CertificateForAnotherName",
				"is for [a.example.com, 10.0.0.1], and not for 'api'; use one of these names in the URL, or set "
						+ "'tls-server-name' to one");
		assertProblem(new SSLPeerUnverifiedException("Hostname api not verified:\n subjectAltNames: []"),
				"CertificateForAnotherName", "is for no name, and not for 'api'");
		assertProblem(new SSLPeerUnverifiedException("The API server's certificate is for 'a', and not for 'b'"),
				"CertificateForAnotherName", "the API server's certificate is for 'a', and not for 'b'");
		assertThat(TlsProblem.of(new SSLPeerUnverifiedException("Certificate pinning failure!"))).isNull();
	}

	@Test
	void otherFailuresShouldHaveNoProblem() {
		assertThat(TlsProblem.of(new IOException("Received fatal alert: unknown_ca"))).isNull();
	}

	private static void assertProblem(IOException failure, String reason, String message) {
		TlsProblem problem = TlsProblem.of(failure);
		assertThat(problem).isNotNull();
		assertThat(problem.reason()).isEqualTo(reason);
		assertThat(problem.message()).contains(message);
	}

}
