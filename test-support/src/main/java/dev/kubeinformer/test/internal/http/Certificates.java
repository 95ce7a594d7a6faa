package dev.kubeinformer.test.internal.http;

import java.time.Duration;
import java.time.Instant;

import javax.net.ssl.SSLContext;

import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * Certificate authority of one server, and a certificate for the loopback addresses,
 * which the authority has signed.
 */
public final class Certificates {

	private final HeldCertificate authority;

	private final HeldCertificate server;

	private Certificates(HeldCertificate authority, HeldCertificate server) {
		this.authority = authority;
		this.server = server;
	}

	static Certificates create() {
		HeldCertificate authority = valid(new HeldCertificate.Builder()).commonName("embedded-kubernetes-ca")
			.certificateAuthority(0)
			.build();
		HeldCertificate server = valid(new HeldCertificate.Builder()).commonName("embedded-kubernetes")
			.addSubjectAlternativeName("127.0.0.1")
			.addSubjectAlternativeName("localhost")
			.signedBy(authority)
			.build();
		return new Certificates(authority, server);
	}

	private static HeldCertificate.Builder valid(HeldCertificate.Builder builder) {
		Instant now = Instant.now();
		return builder.ecdsa256()
			.validityInterval(now.minus(Duration.ofDays(1)).toEpochMilli(),
					now.plus(Duration.ofDays(365)).toEpochMilli());
	}

	// The authority's certificate in PEM, as kubeconfigs contain it.
	public String authorityPem() {
		return this.authority.certificatePem();
	}

	SSLContext sslContext() {
		return new HandshakeCertificates.Builder().heldCertificate(this.server, this.authority.certificate())
			.build()
			.sslContext();
	}

}
