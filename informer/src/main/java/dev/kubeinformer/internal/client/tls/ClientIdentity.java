package dev.kubeinformer.internal.client.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * Certificate and key with which a client authenticates. {@link #toString()} does not
 * show the key.
 *
 * @param chain the certificate, followed by the certificates that signed it
 * @param key the key of the first certificate
 */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

	/**
	 * Returns the expiry time of the certificate.
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
