package dev.kubeinformer.internal.client.credential;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Logs that a credential was exchanged, or cannot be. It never logs the credential. Safe
 * for use by several threads.
 */
final class ExchangeLog {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	private static final int LONGEST_REASON = 1000;

	private boolean warned;

	/**
	 * Logs an exchange.
	 * @param fresh the new credential
	 */
	void exchanged(Credential fresh) {
		exchanged(fresh, false);
	}

	/**
	 * Logs an exchange.
	 * @param fresh the new credential
	 * @param repeated whether the one before was of no use either, so that the exchange
	 * is no news
	 */
	synchronized void exchanged(Credential fresh, boolean repeated) {
		this.warned = false;
		if (repeated) {
			logger.debug("The credential was exchanged again: {}", fresh.source());
			return;
		}
		if (fresh.expires() != null) {
			logger.info("The credential was exchanged: {}; the new one expires at {}", fresh.source(), fresh.expires());
		}
		else {
			logger.info("The credential was exchanged: {}", fresh.source());
		}
	}

	/**
	 * Notes that reading or fetching works again, even if it brought the same credential.
	 */
	synchronized void healthy() {
		this.warned = false;
	}

	/**
	 * Warns that a credential cannot be renewed, once until that works again.
	 * @param kept the credential that stays in use
	 * @param failure why it cannot be renewed
	 * @param now the time of the day
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
	 * Warns that a fallback is used.
	 * @param used the fallback
	 * @param failure why the preferred credential cannot be used
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
