package dev.kubeinformer.internal.client.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.client.ClientTime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of what a bundle of authorities vouches for: what Go's
 * {@code x509.Certificate.Verify} says.
 */
class AuthorityRulesTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final HeldCertificate root = valid(-1, 1).commonName("root").certificateAuthority(1).build();

	private final HeldCertificate intermediate = valid(-1, 1).commonName("intermediate")
		.certificateAuthority(0)
		.signedBy(this.root)
		.build();

	private final HeldCertificate server = valid(-1, 1).commonName("server").signedBy(this.intermediate).build();

	private static HeldCertificate.Builder valid(long fromDays, long toDays) {
		return new HeldCertificate.Builder().ecdsa256()
			.validityInterval(NOW.plus(Duration.ofDays(fromDays)).toEpochMilli(),
					NOW.plus(Duration.ofDays(toDays)).toEpochMilli());
	}

	private static @Nullable CertificateException verify(HeldCertificate[] bundle, HeldCertificate... chain) {
		String pem = Stream.of(bundle).map(HeldCertificate::certificatePem).collect(Collectors.joining());
		ClientTime time = new ClientTime(Clock.fixed(NOW, ZoneOffset.UTC), () -> 0);
		AuthorityTrust trust = new AuthorityTrust(new Authorities(TlsClient.inline(pem), time), time);
		try {
			trust.checkServerTrusted(
					Arrays.stream(chain).map(HeldCertificate::certificate).toArray(X509Certificate[]::new), "UNKNOWN");
			return null;
		}
		catch (CertificateException ex) {
			return ex;
		}
	}

	private static HeldCertificate[] bundle(HeldCertificate... certificates) {
		return certificates;
	}

	@Test
	void eachCertificateOfTheBundleShouldEndAPath() {
		assertThat(verify(bundle(this.root), this.server, this.intermediate)).isNull();
		assertThat(verify(bundle(this.root), this.server, this.intermediate, this.root)).isNull();
		assertThat(verify(bundle(this.intermediate), this.server)).isNull();
		assertThat(verify(bundle(this.intermediate), this.server, this.intermediate, this.root)).isNull();
		assertThat(verify(bundle(this.server), this.server)).isNull();
		assertThat(verify(bundle(TlsServer.authority("other"), this.root), this.server, this.intermediate)).isNull();
	}

	@Test
	void chainMayBeInAnyOrderAndHaveMoreThanThePath() {
		assertThat(verify(bundle(this.root), this.server, this.root, TlsServer.authority("other"), this.intermediate))
			.isNull();
	}

	@Test
	void authorityShouldBeFoundAmongOthersOfItsName() {
		HeldCertificate former = valid(-1, 1).commonName("root").certificateAuthority(1).build();
		assertThat(verify(bundle(former, this.root), this.server, this.intermediate)).isNull();
		assertThat(verify(bundle(former), this.server, this.intermediate)).isNotNull();
	}

	@Test
	void missingLinkShouldBeRefused() {
		assertThat(verify(bundle(this.root), this.server))
			.hasMessage("No trusted authority has signed the certificate");
		assertThat(verify(bundle(TlsServer.authority("other")), this.server, this.intermediate, this.root)).isNotNull();
	}

	@Test
	void selfSignedServerShouldBeTrustedIfItIsInTheBundle() {
		HeldCertificate self = valid(-1, 1).commonName("self").build();
		assertThat(verify(bundle(self), self)).isNull();
		assertThat(verify(bundle(this.root), self)).isNotNull();
		HeldCertificate expired = valid(-2, -1).commonName("self").build();
		assertThat(verify(bundle(expired), expired)).isInstanceOf(CertificateExpiredException.class);
	}

	@Test
	void certificateWithoutTheRightToSignShouldNotVouch() {
		HeldCertificate plain = valid(-1, 1).commonName("plain").build();
		HeldCertificate signed = valid(-1, 1).commonName("server").signedBy(plain).build();
		assertThat(verify(bundle(plain), signed)).isNotNull();
		assertThat(verify(bundle(plain, this.root), signed, plain)).isNotNull();
	}

	@Test
	void expiredServerShouldBeRefused() {
		HeldCertificate expired = valid(-2, -1).commonName("server").signedBy(this.intermediate).build();
		assertThat(verify(bundle(this.root), expired, this.intermediate))
			.isInstanceOf(CertificateExpiredException.class);
		HeldCertificate early = valid(1, 2).commonName("server").signedBy(this.intermediate).build();
		assertThat(verify(bundle(this.root), early, this.intermediate))
			.isInstanceOf(CertificateNotYetValidException.class);
	}

	@Test
	void expiredAuthorityShouldNotVouchAndBeNamed() {
		HeldCertificate expired = valid(-2, -1).commonName("former").certificateAuthority(1).build();
		HeldCertificate signed = valid(-1, 1).commonName("server").signedBy(expired).build();
		assertThat(verify(bundle(expired), signed)).hasMessageContaining("the authority 'CN=former' expired at ");
		HeldCertificate middle = valid(-2, -1).commonName("middle").certificateAuthority(0).signedBy(this.root).build();
		HeldCertificate below = valid(-1, 1).commonName("server").signedBy(middle).build();
		assertThat(verify(bundle(this.root), below, middle)).isNotNull();
	}

	@Test
	void exchangedAuthorityOfTheSameKeyShouldVouch() {
		HeldCertificate expired = valid(-2, -1).keyPair(this.root.keyPair())
			.commonName("root")
			.certificateAuthority(1)
			.build();
		assertThat(verify(bundle(expired, this.root), this.server, this.intermediate)).isNull();
	}

	@Test
	void keyThatAServerMayNotHaveShouldBeRefused() {
		// Client certificates of OpenSSL: extendedKeyUsage = clientAuth.
		ClientTime time = new ClientTime(Clock.fixed(NOW.plus(Duration.ofDays(400)), ZoneOffset.UTC), () -> 0);
		ClientIdentity identity = Pem.identity("x", "c", PemTests.text("rsa.crt"), "k", PemTests.text("rsa-pkcs8.key"));
		AuthorityTrust trust = new AuthorityTrust(
				new Authorities(TlsClient.inline(PemTests.text("intermediate.crt")), time), time);
		assertThatExceptionOfType(CertificateException.class)
			.isThrownBy(() -> trust.checkServerTrusted(identity.chain().toArray(new X509Certificate[0]), "UNKNOWN"))
			.withMessageContaining("may not be used for a server");
		assertThatExceptionOfType(CertificateException.class)
			.isThrownBy(() -> trust.checkClientTrusted(identity.chain().toArray(new X509Certificate[0]), "UNKNOWN"));
		assertThatCode(() -> assertThat(trust.getAcceptedIssuers()).hasSize(1)).doesNotThrowAnyException();
	}

}
