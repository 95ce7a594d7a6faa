package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends requests to an identity provider.
 */
final class IssuerHttp {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private static final int LARGEST_ANSWER = 1 << 20;

	private static final Pattern LOOPBACK = Pattern
		.compile("(?i)http://(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d+)?([/?#]|$)");

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final @Nullable SSLSocketFactory sockets;

	private volatile @Nullable HttpURLConnection current;

	/**
	 * Creates requests.
	 * @param authorities the trusted authorities; {@code null} for the authorities of the
	 * JVM
	 */
	IssuerHttp(@Nullable List<X509Certificate> authorities) {
		this.sockets = (authorities != null) ? sockets(authorities) : null;
	}

	private static SSLSocketFactory sockets(List<X509Certificate> authorities) {
		try {
			KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
			store.load(null, null);
			for (int i = 0; i < authorities.size(); i++) {
				store.setCertificateEntry("authority-" + i, authorities.get(i));
			}
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(store);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, trust.getTrustManagers(), null);
			return context.getSocketFactory();
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Returns whether others on the network could read the data that is sent to a URL.
	 * @param url the URL
	 * @return {@code true} if the URL is HTTP without TLS, and not to this machine
	 */
	static boolean isReadable(String url) {
		return url.regionMatches(true, 0, "http://", 0, "http://".length()) && !LOOPBACK.matcher(url).lookingAt();
	}

	Answer get(String url) throws UnreachableException {
		try {
			return answer(open(url));
		}
		catch (IOException ex) {
			throw new UnreachableException(ex);
		}
	}

	Answer post(String url, String form, @Nullable String authorization) throws UnreachableException {
		try {
			return answer(posted(url, form, authorization));
		}
		catch (IOException ex) {
			throw new UnreachableException(ex);
		}
	}

	private HttpURLConnection posted(String url, String form, @Nullable String authorization) throws IOException {
		HttpURLConnection connection = open(url);
		connection.setRequestMethod("POST");
		connection.setDoOutput(true);
		connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
		if (authorization != null) {
			connection.setRequestProperty("Authorization", authorization);
		}
		try (OutputStream output = connection.getOutputStream()) {
			output.write(form.getBytes(StandardCharsets.UTF_8));
		}
		return connection;
	}

	private HttpURLConnection open(String url) throws IOException {
		HttpURLConnection connection;
		try {
			connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
		}
		catch (IllegalArgumentException | ClassCastException ex) {
			throw new IOException("its URL is not valid", ex);
		}
		connection.setConnectTimeout((int) TIMEOUT.toMillis());
		connection.setReadTimeout((int) TIMEOUT.toMillis());
		// A redirect could lead to any host, which could then choose the receiver of
		// tokens.
		connection.setInstanceFollowRedirects(false);
		connection.setRequestProperty("Accept", "application/json");
		if (this.sockets != null && connection instanceof HttpsURLConnection secure) {
			secure.setSSLSocketFactory(this.sockets);
		}
		this.current = connection;
		return connection;
	}

	private Answer answer(HttpURLConnection connection) throws IOException {
		try {
			int status = connection.getResponseCode();
			InputStream body = (status < HttpURLConnection.HTTP_BAD_REQUEST) ? connection.getInputStream()
					: connection.getErrorStream();
			byte[] content = (body != null) ? body.readNBytes(LARGEST_ANSWER) : new byte[0];
			return new Answer(status, tree(content));
		}
		finally {
			this.current = null;
			connection.disconnect();
		}
	}

	private static JsonNode tree(byte[] content) {
		try {
			return JSON.readTree(content);
		}
		catch (JacksonException ex) {
			return JSON.missingNode();
		}
	}

	/**
	 * Aborts a running request.
	 */
	void close() {
		HttpURLConnection connection = this.current;
		if (connection != null) {
			connection.disconnect();
		}
	}

	/**
	 * Thrown when the provider does not respond.
	 */
	static final class UnreachableException extends IOException {

		private static final long serialVersionUID = 1L;

		UnreachableException(IOException cause) {
			super(cause.getClass().getSimpleName() + ": " + cause.getMessage(), cause);
		}

	}

	/**
	 * Response of an identity provider. {@link #toString()} shows only the HTTP status.
	 *
	 * @param status the HTTP status
	 * @param body the body
	 */
	record Answer(int status, JsonNode body) {

		boolean isOk() {
			return this.status >= HttpURLConnection.HTTP_OK && this.status < HttpURLConnection.HTTP_MULT_CHOICE;
		}

		String text(String field) {
			return this.body.path(field).asString("");
		}

		/**
		 * Returns the error code of OAuth 2 (RFC 6749, section 5.2), a word from a fixed
		 * list.
		 * @return the error after a comma; empty if there is none
		 */
		String errorCode() {
			String code = text("error");
			return code.matches("[a-z_]{1,40}") ? ", " + code : "";
		}

		@Override
		public String toString() {
			return "Answer[" + this.status + "]";
		}

	}

}
