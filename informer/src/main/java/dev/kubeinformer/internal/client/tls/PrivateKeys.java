package dev.kubeinformer.internal.client.tls;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads private keys in PKCS#1, PKCS#8 and SEC1. As in Go, the format is determined by
 * the content, not by the label of the PEM block. The JDK reads only PKCS#8, and does not
 * accept every SEC1 key that is wrapped in PKCS#8.
 */
final class PrivateKeys {

	private static final String RSA = "1.2.840.113549.1.1.1";

	private static final String EC = "1.2.840.10045.2.1";

	private static final String ED25519 = "1.3.101.112";

	private static final String DSA = "1.2.840.10040.4.1";

	/** Elliptic curves of TLS that the JDK supports, by object identifier. */
	private static final Map<String, String> CURVES = Map.of("1.2.840.10045.3.1.7", "secp256r1", "1.3.132.0.34",
			"secp384r1", "1.3.132.0.35", "secp521r1");

	private PrivateKeys() {
	}

	/**
	 * Reads a key.
	 * @param block the block with the key
	 * @return the key
	 * @throws UnusableKeyException if the key is not usable
	 */
	static PrivateKey read(PemBlock block) throws UnusableKeyException {
		if (block.isEncrypted()) {
			throw new UnusableKeyException("holds an encrypted private key, which cannot be used here",
					"Decrypt the key: openssl pkey -in encrypted.key -out decrypted.key");
		}
		if (block.type().equals("DSA PRIVATE KEY")) {
			throw unknown("DSA");
		}
		if (block.type().equals("OPENSSH PRIVATE KEY")) {
			throw unknown("OpenSSH");
		}
		DerReader key = new DerReader(block.der()).enter(DerReader.SEQUENCE);
		BigInteger version = key.integer();
		try {
			return switch (key.tag()) {
				case DerReader.INTEGER -> rsa(key);
				case DerReader.SEQUENCE -> wrapped(key);
				case DerReader.OCTETS -> ec(version, key, null);
				default -> throw UnusableKeyException.broken();
			};
		}
		catch (GeneralSecurityException ex) {
			// Exceptions of the JDK may quote the data.
			throw UnusableKeyException.broken();
		}
	}

	private static UnusableKeyException unknown(String kind) {
		return new UnusableKeyException(
				"holds a private key of a type that is not supported for TLS (%s)".formatted(kind),
				"Use an RSA, ECDSA (P-256, P-384, P-521) or Ed25519 key in PKCS#8, PKCS#1 or SEC1");
	}

	private static PrivateKey wrapped(DerReader key) throws UnusableKeyException, GeneralSecurityException {
		// PKCS#8 (RFC 5208): algorithm and key. Attributes, and the public key of RFC
		// 5958, may follow.
		DerReader algorithm = key.enter(DerReader.SEQUENCE);
		String name = algorithm.objectId();
		byte[] content = key.read(DerReader.OCTETS);
		switch (name) {
			case RSA -> {
				DerReader rsa = new DerReader(content).enter(DerReader.SEQUENCE);
				rsa.integer();
				return rsa(rsa);
			}
			case EC -> {
				String curve = (algorithm.tag() == DerReader.OBJECT_ID) ? algorithm.objectId() : null;
				DerReader ec = new DerReader(content).enter(DerReader.SEQUENCE);
				return ec(ec.integer(), ec, curve);
			}
			case ED25519 -> {
				byte[] seed = new DerReader(content).read(DerReader.OCTETS);
				return KeyFactory.getInstance("Ed25519")
					.generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
			}
			case DSA -> throw unknown("DSA");
			default -> throw unknown("algorithm " + name);
		}
	}

	private static PrivateKey rsa(DerReader key) throws UnusableKeyException, GeneralSecurityException {
		// PKCS#1 (RFC 8017, A.1.2), after the version.
		return KeyFactory.getInstance("RSA")
			.generatePrivate(new RSAPrivateCrtKeySpec(key.integer(), key.integer(), key.integer(), key.integer(),
					key.integer(), key.integer(), key.integer(), key.integer()));
	}

	private static PrivateKey ec(BigInteger version, DerReader key, @Nullable String outer)
			throws UnusableKeyException, GeneralSecurityException {
		// SEC1 (RFC 5915), after the version: the number, the curve unless the outer
		// structure contains it, and usually the public part, which is not needed.
		if (!version.equals(BigInteger.ONE)) {
			throw UnusableKeyException.broken();
		}
		BigInteger number = new BigInteger(1, key.read(DerReader.OCTETS));
		String named = outer;
		if (outer == null && key.tag() == 0xa0) {
			DerReader parameters = key.enter(0xa0);
			named = (parameters.tag() == DerReader.OBJECT_ID) ? parameters.objectId() : null;
		}
		String curve = (named != null) ? CURVES.get(named) : null;
		if (curve == null) {
			throw unknown((named != null) ? "curve " + named : "a curve without a name");
		}
		AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
		parameters.init(new ECGenParameterSpec(curve));
		ECParameterSpec spec = parameters.getParameterSpec(ECParameterSpec.class);
		if (number.signum() == 0 || number.compareTo(spec.getOrder()) >= 0) {
			throw UnusableKeyException.broken();
		}
		return KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(number, spec));
	}

	/**
	 * Returns whether a key belongs to a certificate. Signs with the private key and
	 * verifies with the public key, so that the public part need not be computed.
	 * @param key the private key
	 * @param certified the public key of the certificate
	 * @return {@code true} if the key belongs to the certificate
	 */
	static boolean match(PrivateKey key, PublicKey certified) {
		String algorithm;
		if (key instanceof RSAKey rsa && certified instanceof RSAKey other) {
			if (!rsa.getModulus().equals(other.getModulus())) {
				return false;
			}
			algorithm = "SHA256withRSA";
		}
		else if (key instanceof ECKey && certified instanceof ECKey) {
			algorithm = "SHA256withECDSA";
		}
		else {
			algorithm = "Ed25519";
		}
		try {
			Signature signature = Signature.getInstance(algorithm);
			byte[] text = new byte[32];
			signature.initSign(key);
			signature.update(text);
			byte[] signed = signature.sign();
			signature.initVerify(certified);
			signature.update(text);
			return signature.verify(signed);
		}
		catch (GeneralSecurityException ex) {
			// The keys have different types or curves.
			return false;
		}
	}

}
