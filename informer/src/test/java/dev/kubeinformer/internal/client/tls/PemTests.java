package dev.kubeinformer.internal.client.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of certificates and keys in PEM. The fixtures were made by OpenSSL, and Go's
 * {@code tls.X509KeyPair} says the same of each row but of those about the order of
 * certificates.
 */
class PemTests {

	private static final String PLACE = "The kubeconfig '/x'";

	@ParameterizedTest
	@CsvSource({ "rsa, rsa-pkcs1", "rsa, rsa-pkcs8", "ec-p256, ec-p256-params", "ec-p256, ec-p256-sec1",
			"ec-p256, ec-p256-nopub", "ec-p256, ec-p256-pkcs8", "ec-p384, ec-p384-params", "ec-p384, ec-p384-sec1",
			"ec-p384, ec-p384-nopub", "ec-p384, ec-p384-pkcs8", "ec-p521, ec-p521-params", "ec-p521, ec-p521-sec1",
			"ec-p521, ec-p521-nopub", "ec-p521, ec-p521-pkcs8", "ed25519, ed25519" })
	void keyOfEachKindShouldBeRead(String certificate, String key) {
		ClientIdentity identity = identity(text(certificate + ".crt"), text(key + ".key"));
		assertThat(identity.chain()).singleElement()
			.extracting((it) -> it.getSubjectX500Principal().getName())
			.isEqualTo("CN=client,O=system:masters");
		assertThat(PrivateKeys.match(identity.key(), identity.chain().get(0).getPublicKey())).isTrue();
		assertThat(identity).hasToString("ClientIdentity");
	}

	static Stream<String> layouts() {
		String certificate = text("ec-p256.crt");
		String key = text("ec-p256-params.key");
		String both = certificate + key;
		return Stream.of(both, key + certificate, both.replace("\n", "\r\n"), both.strip(),
				"Bag Attributes\n    friendlyName: me\nsubject=CN = client\n" + certificate + "between: the blocks\n\n"
						+ key + "the end",
				"\n\n\n" + both, both.replace("-----\n", "-----  \t\n"), both.replace("\n", "\n\n"),
				certificate + text("intermediate.crt") + text("ca.crt") + key, "-----BEGIN CERTIFICATE-----\n" + both,
				text("ec-p256.crt").replace("M", " M") + key,
				"-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n" + both,
				certificate.replaceFirst("\n", "\nComment: a header\n\n") + key);
	}

	@ParameterizedTest
	@MethodSource("layouts")
	void certificateAndKeyShouldBeReadFromOneText(String text) {
		assertThat(identity(text, text).chain().get(0).getSubjectX500Principal().getName()).startsWith("CN=client");
	}

	static Stream<String> orders() {
		String leaf = text("rsa.crt");
		String intermediate = text("intermediate.crt");
		String root = text("ca.crt");
		return Stream.of(leaf + intermediate + root, root + intermediate + leaf, intermediate + leaf + root,
				intermediate + root + leaf, root + leaf + intermediate);
	}

	@ParameterizedTest
	@MethodSource("orders")
	void certificatesShouldBeSentInTheOrderOfTheirSignatures(String certificates) {
		assertThat(identity(certificates, text("rsa-pkcs1.key")).chain())
			.extracting((it) -> it.getSubjectX500Principal().getName())
			.containsExactly("CN=client,O=system:masters", "CN=intermediate", "CN=root");
	}

	@Test
	void certificatesThatBeginWithThatOfTheKeyShouldStayAsTheyAre() {
		assertThat(identity(text("rsa.crt") + text("ca.crt") + text("intermediate.crt"), text("rsa-pkcs8.key")).chain())
			.extracting((it) -> it.getSubjectX500Principal().getName())
			.containsExactly("CN=client,O=system:masters", "CN=root", "CN=intermediate");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "rsa | ec-p256-sec1 | does not belong to the certificate of 'client-certificate'",
					"ec-p256 | rsa-pkcs1 | does not belong to the certificate",
					"ec-p256 | ec-p384-sec1 | does not belong", "ec-p256 | ed25519 | does not belong",
					"ed25519 | ec-p256-nopub | does not belong", "dsa | rsa-pkcs8 | does not belong",
					"dsa | dsa | of a type that is not supported for TLS (DSA)",
					"dsa | dsa-pkcs8 | of a type that is not supported for TLS (DSA)",
					"rsa | ed448 | of a type that is not supported for TLS (algorithm 1.3.101.113)",
					"rsa | ec-k256-params | of a type that is not supported for TLS (curve 1.3.132.0.10)",
					"rsa | ec-explicit | of a type that is not supported for TLS (a curve without a name)",
					"rsa | encrypted-pkcs8 | holds an encrypted private key",
					"rsa | encrypted-pkcs1 | holds an encrypted private key",
					"ec-p256 | encrypted-sec1 | holds an encrypted private key" })
	void keyThatCannotBeUsedShouldBeNamed(String certificate, String key, String problem) {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> identity(text(certificate + ".crt"), text(key + ".key")))
			.withMessageStartingWith(PLACE + ", field 'client-key', holds ")
			.withMessageContaining(problem)
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getAction()).isNotBlank());
	}

	@Test
	void encryptedKeyShouldComeWithTheCommandThatDecryptsIt() {
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> identity(text("rsa.crt"), text("encrypted-pkcs8.key")))
			.satisfies((ex) -> assertThat(ex.getAction()).contains("openssl pkey -in"));
	}

	static Stream<List<String>> broken() {
		String certificate = text("ec-p256.crt");
		String key = text("ec-p256-sec1.key");
		return Stream.of(List.of("", key, "client-certificate", "is empty"),
				List.of(certificate, " \n", "client-key", "is empty"),
				List.of("hello", key, "client-certificate", "holds no PEM ('-----BEGIN …-----')"),
				List.of(certificate, "0\u0082\u0001\n", "client-key", "holds no PEM ('-----BEGIN …-----')"),
				List.of("\ufeff" + certificate, key, "client-certificate", "a blank or a byte order mark precedes it"),
				List.of(certificate.indent(2), key, "client-certificate", "a blank or a byte order mark precedes it"),
				List.of(certificate.replace("\n", "\r"), key, "client-certificate", "incomplete or broken"),
				List.of(certificate.substring(0, 200), key, "client-certificate", "incomplete or broken"),
				List.of(certificate.replace("E-----", "E----"), key, "client-certificate", "incomplete or broken"),
				List.of(certificate.replace("MII", "M*I"), key, "client-certificate", "incomplete or broken"),
				List.of(certificate.replace("-----END", "=\n-----END"), key, "client-certificate",
						"incomplete or broken"),
				List.of(key, certificate, "client-certificate", "holds a private key but no certificate"),
				List.of(certificate, certificate, "client-key", "holds a certificate but no private key"),
				List.of("-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----", key,
						"client-certificate", "holds no certificate, but [CERTIFICATE REQUEST]"),
				List.of(certificate, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", "client-key",
						"holds no private key, but [PUBLIC KEY]"),
				List.of("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", key, "client-certificate",
						"holds a certificate that cannot be read"),
				List.of(certificate, "-----BEGIN EC PRIVATE KEY-----\n-----END EC PRIVATE KEY-----", "client-key",
						"holds a private key that cannot be read"),
				List.of(certificate, "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----", "client-key",
						"holds a private key that cannot be read"),
				List.of(certificate, "-----BEGIN PRIVATE KEY-----\nMP////8A\n-----END PRIVATE KEY-----", "client-key",
						"holds a private key that cannot be read"),
				List.of(certificate, "-----BEGIN PRIVATE KEY-----\nMISA////AAAA\n-----END PRIVATE KEY-----",
						"client-key", "holds a private key that cannot be read"));
	}

	@ParameterizedTest
	@MethodSource("broken")
	void whatIsNoPairShouldBeNamed(List<String> row) {
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> identity(row.get(0), row.get(1)))
			.withMessageStartingWith(PLACE + ", field '" + row.get(2) + "', ")
			.withMessageContaining(row.get(3))
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("AAAA", "MII"));
	}

	@Test
	void labelShouldNotCount() {
		String key = text("rsa-pkcs1.key").replace("RSA PRIVATE KEY", "EC PRIVATE KEY");
		assertThat(identity(text("rsa.crt"), key).key().getAlgorithm()).isEqualTo("RSA");
	}

	@Test
	void attributesBehindAKeyShouldNotCount() throws Exception {
		byte[] der = PemBlock.in(text("ed25519.key")).get(0).der();
		byte[] extended = java.util.Arrays.copyOf(der, der.length + 2);
		extended[1] += 2;
		extended[der.length] = (byte) 0xa0;
		assertThat(PrivateKeys.read(new PemBlock("PRIVATE KEY", java.util.Map.of(), extended)).getAlgorithm())
			.isEqualTo("EdDSA");
	}

	@Test
	void fileShouldBeNamed() {
		Content certificate = new Content.InFile(PLACE, "client-certificate", Path.of("/x/tls.crt"));
		Content key = new Content.InFile(PLACE, "client-key", Path.of("/x/tls.key"));
		assertThatExceptionOfType(ClientConfigurationException.class)
			.isThrownBy(() -> Pem.identity(certificate, text("rsa.crt"), key, text("ec-p256-sec1.key")))
			.withMessage(
					PLACE + ", field 'client-key', names the file '/x/tls.key', which holds a private key that does "
							+ "not belong to the certificate of 'client-certificate'");
	}

	@Test
	void authoritiesShouldBeReadInAnyOrderAndNumber() {
		assertThat(authorities(text("ca.crt") + "# text\n" + text("intermediate.crt"))).hasSize(2);
		assertThat(authorities(text("rsa-pkcs1.key") + text("ca.crt"))).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
			"-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n",
			"-----BEGIN TRUSTED CERTIFICATE-----\nAAAA\n-----END TRUSTED CERTIFICATE-----\n",
			"-----BEGIN CERTIFICATE-----\nComment: x\n\nAAAA\n-----END CERTIFICATE-----\n" })
	void whatIsNoAuthorityShouldBeLeftOut(String other) {
		assertThat(authorities(other + text("ca.crt"))).hasSize(1);
		assertThatExceptionOfType(ClientConfigurationException.class).isThrownBy(() -> authorities(other))
			.withMessageStartingWith(PLACE + ", field 'certificate-authority', holds ")
			.withNoCause();
	}

	private static List<?> authorities(String pem) {
		return Pem.authorities(PLACE, "certificate-authority", pem);
	}

	private static ClientIdentity identity(String certificate, String key) {
		return Pem.identity(PLACE, "client-certificate", certificate, "client-key", key);
	}

	static String text(String name) {
		try (InputStream input = Objects.requireNonNull(PemTests.class.getResourceAsStream(name), name)) {
			return new String(input.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
