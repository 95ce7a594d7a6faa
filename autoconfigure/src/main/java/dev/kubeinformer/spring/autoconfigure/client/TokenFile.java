package dev.kubeinformer.spring.autoconfigure.client;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import io.kubernetes.client.util.credentials.Authentication;
import io.kubernetes.client.util.credentials.RefreshAuthentication;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File with a bearer token that is exchanged from time to time, as the kubelet does with
 * that of a service account. As in client-go ({@code transport/token_source.go}) it is
 * read again after a minute, and after a request that was turned away; while it cannot be
 * read, the last token is used. Safe for use by several threads.
 */
final class TokenFile implements Supplier<String> {

	/** As client-go. */
	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(TokenFile.class);

	private final Path file;

	private volatile @Nullable String last;

	private volatile boolean failing;

	TokenFile(Path file) {
		this.file = file;
	}

	/**
	 * Returns what authenticates by the file.
	 * @return the authentication
	 * @throws UnusableTokenException if the file holds no token now
	 */
	Authentication authentication() {
		this.last = read();
		return new Renewing();
	}

	@Override
	public String get() {
		String previous = this.last;
		try {
			String token = read();
			this.last = token;
			this.failing = false;
			return token;
		}
		catch (UnusableTokenException ex) {
			if (previous == null) {
				throw ex;
			}
			if (!this.failing) {
				this.failing = true;
				logger.warn("The token file '{}' {}. The token that was read before is used until it can be read again",
						this.file, ex.getMessage());
			}
			return previous;
		}
	}

	private String read() {
		String token;
		try {
			token = Files.readString(this.file, StandardCharsets.UTF_8).strip();
		}
		catch (IOException ex) {
			// The message of the cause is the path, or nothing.
			throw new UnusableTokenException("cannot be read (%s)".formatted(ex.getClass().getSimpleName()));
		}
		if (token.isEmpty()) {
			throw new UnusableTokenException("is empty");
		}
		if (token.chars().anyMatch((character) -> character < '!' || character > '~')) {
			throw new UnusableTokenException("holds more than a token: white space, or characters beyond ASCII");
		}
		return token;
	}

	/**
	 * Authentication that sends a request that was turned away once more, if the file
	 * holds another token by then.
	 */
	private final class Renewing extends RefreshAuthentication {

		Renewing() {
			super(TokenFile.this, PERIOD);
		}

		@Override
		public Response intercept(Chain chain) throws IOException {
			Response response = super.intercept(chain);
			if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED || isOneShot(chain.request())
					|| ("Bearer " + get()).equals(response.request().header("Authorization"))) {
				return response;
			}
			response.close();
			setExpiry(Instant.MIN);
			return super.intercept(chain);
		}

		private static boolean isOneShot(Request request) {
			RequestBody body = request.body();
			return body != null && body.isOneShot();
		}

	}

	/**
	 * Thrown when a file holds no token. The message says why, without its content.
	 */
	static final class UnusableTokenException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		UnusableTokenException(String problem) {
			super(problem);
		}

	}

}
