package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import dev.kubeinformer.internal.client.tls.Pem;

/**
 * Certificates and keys of the tests of {@link Pem}.
 *
 * @param certificate the certificate
 * @param key its key
 */
record TestPem(String certificate, String key) {

	static final TestPem OLD = new TestPem(text("ec-p256.crt"), text("ec-p256-pkcs8.key"));

	static final TestPem NEW = new TestPem(text("ec-p384.crt"), text("ec-p384-pkcs8.key"));

	private static String text(String name) {
		try (InputStream input = Pem.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(input, name).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
