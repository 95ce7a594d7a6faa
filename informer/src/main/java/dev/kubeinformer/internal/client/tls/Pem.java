package dev.kubeinformer.internal.client.tls;

import java.io.ByteArrayInputStream;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.Content;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads certificates and keys in PEM, with the rules of Go's {@code tls.X509KeyPair} and
 * {@code CertPool.AppendCertsFromPEM}.
 */
public final class Pem {

	private static final String WHOLE = "Provide it whole, in PEM.";

	private Pem() {
	}

	/**
	 * Reads a client certificate with its key. Both may be in one text.
	 * @param place the name of the configuration that has the fields, as the subject of a
	 * sentence
	 * @param certificateField the name of the field of the certificate, with the file if
	 * there is one
	 * @param certificate the certificate and the certificates that signed it, in PEM
	 * @param keyField the name of the field of the key, with the file if there is one
	 * @param key the key, in PEM
	 * @return the certificate and the key
	 * @throws ClientConfigurationException if they are not usable
	 */
	public static ClientIdentity identity(String place, String certificateField, String certificate, String keyField,
			String key) {
		return identity(new Content.Inline(place, certificateField, certificate), certificate,
				new Content.Inline(place, keyField, key), key);
	}

	/**
	 * Reads a client certificate with its key. Both may be in one text.
	 * @param certificate the field of the certificate, for messages
	 * @param certificatePem the certificate and the certificates that signed it, in PEM
	 * @param key the field of the key, for messages
	 * @param keyPem the key, in PEM
	 * @return the certificate and the key
	 * @throws ClientConfigurationException if they are not usable
	 */
	public static ClientIdentity identity(Content certificate, String certificatePem, Content key, String keyPem) {
		List<X509Certificate> chain = chain(certificate, certificatePem);
		PrivateKey privateKey = key(key, keyPem);
		for (X509Certificate leaf : chain) {
			if (PrivateKeys.match(privateKey, leaf.getPublicKey())) {
				return new ClientIdentity(ordered(leaf, chain), privateKey);
			}
		}
		throw invalid(key,
				"holds a private key that does not belong to the certificate of '%s'".formatted(certificate.field()),
				"Use the key that the certificate was requested with");
	}

	private static List<X509Certificate> chain(Content source, String pem) {
		List<PemBlock> blocks = PemBlock.in(pem);
		if (blocks.isEmpty()) {
			throw invalid(source, PemBlock.absence(pem), null);
		}
		List<X509Certificate> certificates = certificates(blocks, PemBlock::isCertificate);
		if (!certificates.isEmpty()) {
			return certificates;
		}
		throw without(source, blocks);
	}

	private static ClientConfigurationException without(Content source, List<PemBlock> blocks) {
		if (blocks.stream().anyMatch(PemBlock::isCertificate)) {
			return invalid(source, "holds a certificate that cannot be read: it is incomplete or broken", null);
		}
		if (blocks.stream().allMatch(PemBlock::isKey)) {
			return invalid(source, "holds a private key but no certificate",
					"Name the certificate here; certificate and key may have been switched");
		}
		return invalid(source, "holds no certificate, but " + PemBlock.types(blocks), null);
	}

	private static List<X509Certificate> certificates(List<PemBlock> blocks, Predicate<PemBlock> selected) {
		// Go checks only the first certificate, and skips unreadable certificates in a
		// pool.
		CertificateFactory factory = factory();
		List<X509Certificate> certificates = new ArrayList<>();
		for (PemBlock block : blocks) {
			if (selected.test(block)) {
				try {
					certificates
						.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der())));
				}
				catch (CertificateException ex) {
					// The caller reports this if there is no other certificate.
				}
			}
		}
		return certificates;
	}

	private static CertificateFactory factory() {
		try {
			return CertificateFactory.getInstance("X.509");
		}
		catch (CertificateException ex) {
			throw new IllegalStateException("This JVM has no X.509 certificates", ex);
		}
	}

	private static PrivateKey key(Content source, String pem) {
		List<PemBlock> blocks = PemBlock.in(pem);
		if (blocks.isEmpty()) {
			throw invalid(source, PemBlock.absence(pem), null);
		}
		PemBlock key = blocks.stream().filter(PemBlock::isKey).findFirst().orElse(null);
		if (key == null) {
			throw blocks.stream().allMatch(PemBlock::isCertificate)
					? invalid(source, "holds a certificate but no private key",
							"Name the key here; certificate and key may have been switched")
					: invalid(source, "holds no private key, but " + PemBlock.types(blocks), null);
		}
		try {
			return PrivateKeys.read(key);
		}
		catch (UnusableKeyException ex) {
			throw invalid(source, ex.problem(), ex.action());
		}
	}

	private static List<X509Certificate> ordered(X509Certificate leaf, List<X509Certificate> certificates) {
		// A server expects the certificate first, followed by the certificates that
		// signed it. Keep the order if it is already correct.
		if (certificates.get(0) == leaf) {
			return List.copyOf(certificates);
		}
		List<X509Certificate> rest = new ArrayList<>(certificates);
		List<X509Certificate> ordered = new ArrayList<>();
		for (X509Certificate next = leaf; next != null; next = issuer(next, rest)) {
			ordered.add(next);
			rest.remove(next);
		}
		ordered.addAll(rest);
		return List.copyOf(ordered);
	}

	private static @Nullable X509Certificate issuer(X509Certificate certificate, List<X509Certificate> candidates) {
		return candidates.stream()
			.filter((candidate) -> candidate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal()))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Reads the certificates of authorities.
	 * @param place the name of the configuration that has the field, as the subject of a
	 * sentence
	 * @param field the name of the field, with the file if there is one
	 * @param pem the certificates, in PEM
	 * @return the certificates; at least one
	 * @throws ClientConfigurationException if there is no readable certificate
	 */
	public static List<X509Certificate> authorities(String place, String field, String pem) {
		return authorities(new Content.Inline(place, field, pem), pem);
	}

	/**
	 * Reads the certificates of authorities.
	 * @param source the field of the certificates, for messages
	 * @param pem the certificates, in PEM
	 * @return the certificates; at least one
	 * @throws ClientConfigurationException if there is no readable certificate
	 */
	public static List<X509Certificate> authorities(Content source, String pem) {
		List<PemBlock> blocks = PemBlock.in(pem);
		if (blocks.isEmpty()) {
			throw invalid(source, PemBlock.absence(pem), null);
		}
		List<X509Certificate> certificates = certificates(blocks,
				(block) -> block.isCertificate() && block.headers().isEmpty());
		if (certificates.isEmpty()) {
			throw without(source, blocks);
		}
		return List.copyOf(certificates);
	}

	/**
	 * Creates the exception for a field with unusable content.
	 * @param source the field
	 * @param rule the violated rule, as the end of a sentence
	 * @param action the remedy; {@code null} to ask for complete PEM
	 * @return the exception
	 */
	static ClientConfigurationException invalid(Content source, String rule, @Nullable String action) {
		String problem = (source instanceof Content.InFile file)
				? "names the file '%s', which %s".formatted(file.path(), rule) : rule;
		return new ClientConfigurationException(source.place(), source.field(), problem,
				(action != null) ? action : WHOLE);
	}

}
