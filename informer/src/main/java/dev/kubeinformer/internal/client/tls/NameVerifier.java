package dev.kubeinformer.internal.client.tls;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

import org.jspecify.annotations.Nullable;

/**
 * Verifies that the certificate of a server is valid for the expected name. If it is not,
 * this verifier itself throws an exception that mentions {@code tls-server-name}, because
 * the exception of OkHttp would mention only the host of the URL.
 */
final class NameVerifier implements HostnameVerifier {

	private static final int SHOWN_NAMES = 10;

	/** Expected name; {@code null} for the host of the URL. */
	private final @Nullable String serverName;

	private final BooleanSupplier verifies;

	NameVerifier(@Nullable String serverName, BooleanSupplier verifies) {
		this.serverName = serverName;
		this.verifies = verifies;
	}

	@Override
	public boolean verify(String host, SSLSession session) {
		if (!this.verifies.getAsBoolean()) {
			return true;
		}
		String name = (this.serverName != null) ? this.serverName : host;
		Certificate[] chain;
		try {
			chain = session.getPeerCertificates();
		}
		catch (SSLPeerUnverifiedException ex) {
			return false;
		}
		if (!(chain[0] instanceof X509Certificate certificate)) {
			return false;
		}
		if (!ServerNames.matches(certificate, name)) {
			throw NameVerifier.<RuntimeException>unverified(new SSLPeerUnverifiedException(message(certificate, name)));
		}
		return true;
	}

	private String message(X509Certificate certificate, String name) {
		String expected = (this.serverName != null) ? "'%s' (from 'tls-server-name')".formatted(name)
				: "'%s'".formatted(name);
		return "The API server's certificate is for %s, and not for %s; set 'tls-server-name' to one of these names"
			.formatted(names(ServerNames.of(certificate)), expected);
	}

	private static String names(List<String> names) {
		if (names.isEmpty()) {
			return "no name (only its subject has one, which is ignored)";
		}
		String shown = names.stream().limit(SHOWN_NAMES).collect(Collectors.joining("', '", "'", "'"));
		return (names.size() > SHOWN_NAMES) ? shown + " and %d more".formatted(names.size() - SHOWN_NAMES) : shown;
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> X unverified(SSLPeerUnverifiedException exception) throws X {
		// The interface declares no exception. OkHttp is written in Kotlin and handles
		// an IOException from any call.
		throw (X) exception;
	}

}
