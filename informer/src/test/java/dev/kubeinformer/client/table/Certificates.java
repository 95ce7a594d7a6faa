package dev.kubeinformer.client.table;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and keys of the table, in every form that people have them in. The groups
 * of a client are its organizational unit.
 */
final class Certificates {

	private static final long DAY = 86_400_000;

	final HeldCertificate clientAuthority = authority("client-ca", null);

	final HeldCertificate serverAuthority = authority("server-ca", null);

	final HeldCertificate otherAuthority = authority("other-ca", null);

	final HeldCertificate rootAuthority = authority("root-ca", null);

	final HeldCertificate intermediateAuthority = authority("intermediate-ca", this.rootAuthority);

	final HeldCertificate server = server(this.serverAuthority).build();

	final HeldCertificate strange = server(this.otherAuthority).build();

	final HeldCertificate chained = server(this.intermediateAuthority).build();

	final HeldCertificate selfSigned = server(null).build();

	final HeldCertificate expired = server(this.serverAuthority)
		.validityInterval(System.currentTimeMillis() - 2 * DAY, System.currentTimeMillis() - DAY)
		.build();

	final HeldCertificate future = server(this.serverAuthority)
		.validityInterval(System.currentTimeMillis() + DAY, System.currentTimeMillis() + 2 * DAY)
		.build();

	final HeldCertificate nameless = builder().commonName("127.0.0.1").signedBy(this.serverAuthority).build();

	final HeldCertificate named = builder().commonName("kube")
		.addSubjectAlternativeName("api.cluster.test")
		.signedBy(this.serverAuthority)
		.build();

	final HeldCertificate wildcard = builder().commonName("kube")
		.addSubjectAlternativeName("*.cluster.test")
		.signedBy(this.serverAuthority)
		.build();

	final HeldCertificate router = builder().commonName("router")
		.addSubjectAlternativeName("router.test")
		.signedBy(this.otherAuthority)
		.build();

	private final Map<String, String> pems = new LinkedHashMap<>();

	Certificates() throws GeneralSecurityException, IOException {
		this.pems.put("ca", this.serverAuthority.certificatePem());
		this.pems.put("other-ca", this.otherAuthority.certificatePem());
		this.pems.put("root-ca", this.rootAuthority.certificatePem());
		this.pems.put("intermediate-ca", this.intermediateAuthority.certificatePem());
		this.pems.put("self-signed", this.selfSigned.certificatePem());
		this.pems.put("server-leaf", this.server.certificatePem());
		this.pems.put("text", "Bag Attributes\n    friendlyName: kube\nsubject=CN = kube\n");
		client("client", builder().commonName("carol").organizationalUnit("ops").signedBy(this.clientAuthority));
		client("stranger", builder().commonName("mallory").signedBy(this.otherAuthority));
		client("late",
				builder().commonName("larry")
					.signedBy(this.clientAuthority)
					.validityInterval(System.currentTimeMillis() - 2 * DAY, System.currentTimeMillis() - DAY));
		HeldCertificate below = authority("client-intermediate", this.clientAuthority);
		this.pems.put("client-intermediate", below.certificatePem());
		client("chained", builder().commonName("chris").signedBy(below));
		HeldCertificate rsa = client("rsa",
				new HeldCertificate.Builder().rsa2048().commonName("rita").signedBy(this.clientAuthority));
		this.pems.put("rsa-pkcs1", rsa.privateKeyPkcs1Pem());
		client("ed25519",
				new HeldCertificate.Builder().keyPair(KeyPairGenerator.getInstance("Ed25519").generateKeyPair())
					.commonName("edward")
					.signedBy(this.clientAuthority));
		sec1(client("ec", builder().commonName("erica").signedBy(this.clientAuthority)));
		this.pems.put("encrypted", encrypted(rsa));
		// The content is not checked, because it cannot be decrypted without the
		// password.
		this.pems.put("encrypted-pkcs1", Der.pem("RSA PRIVATE KEY", rsa.certificate().getSignature())
			.replaceFirst("KEY-----\n",
					"KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,7E0E7EE6BAB2A19E7C5A33C1F3D0A4BB\n\n"));
	}

	private static HeldCertificate.Builder builder() {
		return new HeldCertificate.Builder().ecdsa256();
	}

	private static HeldCertificate authority(String name, @Nullable HeldCertificate signer) {
		HeldCertificate.Builder builder = builder().commonName(name).certificateAuthority((signer != null) ? 0 : 1);
		return ((signer != null) ? builder.signedBy(signer) : builder).build();
	}

	private static HeldCertificate.Builder server(@Nullable HeldCertificate signer) {
		HeldCertificate.Builder builder = builder().commonName("kube")
			.addSubjectAlternativeName("127.0.0.1")
			.addSubjectAlternativeName("::1")
			.addSubjectAlternativeName("localhost");
		return (signer != null) ? builder.signedBy(signer) : builder;
	}

	private HeldCertificate client(String name, HeldCertificate.Builder builder) {
		HeldCertificate client = builder.build();
		this.pems.put(name, client.certificatePem());
		this.pems.put(name + "-key", client.privateKeyPkcs8Pem());
		return client;
	}

	private void sec1(HeldCertificate client) {
		byte[] secret = Der.octets32(((ECPrivateKey) client.keyPair().getPrivate()).getS());
		ECPublicKey key = (ECPublicKey) client.keyPair().getPublic();
		byte[] point = Der.concatenated(new byte[] { 4 }, Der.octets32(key.getW().getAffineX()),
				Der.octets32(key.getW().getAffineY()));
		this.pems.put("ec-sec1", Der.pem("EC PRIVATE KEY", Der.sec1(secret, point)));
		this.pems.put("ec-sec1-short", Der.pem("EC PRIVATE KEY", Der.sec1(secret, new byte[0])));
		this.pems.put("ec-parameters", Der.pem("EC PARAMETERS", Der.curve()));
	}

	private static String encrypted(HeldCertificate client) throws GeneralSecurityException, IOException {
		String algorithm = "PBEWithHmacSHA256AndAES_128";
		SecretKey password = SecretKeyFactory.getInstance(algorithm)
			.generateSecret(new PBEKeySpec("secret-of-the-key".toCharArray()));
		Cipher cipher = Cipher.getInstance(algorithm);
		cipher.init(Cipher.ENCRYPT_MODE, password);
		// Under its own name, which names no identifier to JDK 17, it is not written.
		AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
		parameters.init(cipher.getParameters().getEncoded());
		byte[] content = cipher.doFinal(client.keyPair().getPrivate().getEncoded());
		return Der.pem("ENCRYPTED PRIVATE KEY", new EncryptedPrivateKeyInfo(parameters, content).getEncoded());
	}

	/**
	 * Returns texts, one after the other.
	 * @param names their names, joined by {@code +}
	 * @return the text
	 */
	String pem(String names) {
		StringBuilder text = new StringBuilder();
		for (String name : names.split("\\+")) {
			String pem = this.pems.get(name);
			if (pem == null) {
				throw new IllegalArgumentException("no PEM '%s' in %s".formatted(name, this.pems.keySet()));
			}
			text.append(pem);
		}
		return text.toString();
	}

}
