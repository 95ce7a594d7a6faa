package dev.kubeinformer.spring.autoconfigure.client;

import io.kubernetes.client.openapi.ApiClient;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

import dev.kubeinformer.spring.settings.InvalidPropertyValueException;

/**
 * The certificate authority that the properties of a client name.
 *
 * @param pem the path or location of a PEM file, or PEM itself
 * @param key the property that names it
 */
record ClientAuthority(String pem, String key) {

	/**
	 * Has a client trust the authority, and no other one.
	 * @param client the client
	 * @throws InvalidPropertyValueException if there are no certificates
	 */
	void apply(ApiClient client) {
		SslBundle bundle = SslBundle.of(new PemSslStoreBundle(null, PemSslStoreDetails.forCertificate(this.pem)));
		try {
			new ClientTls(client).apply(bundle);
		}
		catch (RuntimeException ex) {
			String problem = "names no certificates in PEM that can be read (%s)"
				.formatted(ex.getClass().getSimpleName());
			throw PemContent.isPresentInText(this.pem)
					? InvalidPropertyValueException.secret(this.key, "holds no certificates in PEM that can be read")
					: new InvalidPropertyValueException(this.key, this.pem, problem);
		}
	}

}
