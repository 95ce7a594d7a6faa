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
 * Verifies that the certificate of a server is one for its name. It throws what says
 * which name that is: OkHttp would name the host of the URL, which need not be it.
 */
final class NameVerifier implements HostnameVerifier {

	private static final int SHOWN_NAMES = 10;

	/** In place of the host of the URL; {@code null} for that one. */
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
		String expected = (this.serverName != null) ? "'%s', which 'tls-server-name' says".formatted(name)
				: "'%s'".formatted(name);
		return "The API server's certificate is for %s, and not for %s; set 'tls-server-name' to a name that it is for"
			.formatted(names(ServerNames.of(certificate)), expected);
	}

	private static String names(List<String> names) {
		if (names.isEmpty()) {
			return "no name at all (only its subject has one, which does not count)";
		}
		String shown = names.stream().limit(SHOWN_NAMES).collect(Collectors.joining("', '", "'", "'"));
		return (names.size() > SHOWN_NAMES) ? shown + " and %d more".formatted(names.size() - SHOWN_NAMES) : shown;
	}

	/**
	 * OkHttp, written in Kotlin, expects an {@code IOException} from wherever it comes.
	 */
	@SuppressWarnings("unchecked")
	private static <X extends Throwable> X unverified(SSLPeerUnverifiedException exception) throws X {
		throw (X) exception;
	}

}
