package dev.kubeinformer.internal.client.credential;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Logs that a credential was replaced or cannot be renewed. Never logs the credential
 * itself. Thread-safe.
 */
final class ExchangeLog {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	private static final int LONGEST_REASON = 1000;

	private boolean warned;

	/**
	 * Logs a replacement.
	 * @param fresh the new credential
	 */
	void exchanged(Credential fresh) {
		exchanged(fresh, false);
	}

	/**
	 * Logs a replacement.
	 * @param fresh the new credential
	 * @param repeated {@code true} to log nothing, because the previous credential was
	 * not usable either
	 */
	synchronized void exchanged(Credential fresh, boolean repeated) {
		this.warned = false;
		if (repeated) {
			logger.debug("The credential was replaced again: {}", fresh.source());
			return;
		}
		if (fresh.expires() != null) {
			logger.info("The credential was replaced: {}; the new one expires at {}", fresh.source(), fresh.expires());
		}
		else {
			logger.info("The credential was replaced: {}", fresh.source());
		}
	}

	/**
	 * Records that reading or fetching works again, even if it returned the same
	 * credential.
	 */
	synchronized void healthy() {
		this.warned = false;
	}

	/**
	 * Warns that a credential cannot be renewed. Further calls log nothing until a
	 * renewal has succeeded.
	 * @param kept the credential that stays in use
	 * @param failure the reason
	 * @param now the wall-clock time
	 */
	synchronized void kept(Credential kept, Exception failure, Instant now) {
		if (this.warned) {
			return;
		}
		this.warned = true;
		logger.warn("Cannot renew the credential: {}; the old one {}", reason(failure), state(kept.expires(), now));
	}

	private static String state(@Nullable Instant expires, Instant now) {
		if (expires == null) {
			return "stays in use";
		}
		return expires.isAfter(now) ? "stays in use and expires at " + expires
				: "expired at %s, and requests fail until it is renewed".formatted(expires);
	}

	/**
	 * Warns that another credential is used instead of the preferred one.
	 * @param used the credential that is used
	 * @param failure the reason why the preferred credential is not usable
	 */
	synchronized void instead(Credential used, Exception failure) {
		this.warned = true;
		logger.warn("{}; using the {} instead", reason(failure), used.source());
	}

	private static String reason(Exception failure) {
		String message = failure.getMessage();
		return (message != null) ? PrintableText.of(message, LONGEST_REASON) : failure.getClass().getName();
	}

}
