package dev.kubeinformer.internal.client.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * The certificate that a client authenticates with. The text form shows no key.
 *
 * @param chain the certificate, followed by those that signed it
 * @param key the key of the first certificate
 */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

	/**
	 * Returns when the certificate expires.
	 * @return the time
	 */
	public Instant expires() {
		return this.chain.get(0).getNotAfter().toInstant();
	}

	@Override
	public String toString() {
		return "ClientIdentity";
	}

}
