package dev.kubeinformer.internal.client.tls;

import java.security.cert.X509Certificate;
import java.util.List;

import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Certificates and keys in PEM, as Go's {@code tls.X509KeyPair} and
 * {@code CertPool.AppendCertsFromPEM} read them.
 */
public final class Pem {

	private Pem() {
	}

	/**
	 * Reads a client certificate with its key. Both may be in one text.
	 * @param place what names them, as the subject of a sentence
	 * @param certificateField the field of the certificate, with its file if it has one
	 * @param certificate the certificate and those that signed it, in PEM
	 * @param keyField the field of the key, with its file if it has one
	 * @param key the key, in PEM
	 * @return the certificate and the key
	 * @throws ClientConfigurationException if they cannot be used
	 */
	public static ClientIdentity identity(String place, String certificateField, String certificate, String keyField,
			String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Reads the certificates of authorities.
	 * @param place what names them, as the subject of a sentence
	 * @param field the field, with its file if it has one
	 * @param pem the certificates, in PEM
	 * @return the certificates; at least one
	 * @throws ClientConfigurationException if there are none, or one cannot be read
	 */
	public static List<X509Certificate> authorities(String place, String field, String pem) {
		throw new UnsupportedOperationException();
	}

}
