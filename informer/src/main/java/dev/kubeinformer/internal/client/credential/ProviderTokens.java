package dev.kubeinformer.internal.client.credential;

import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.client.ClusterAccess;

/**
 * Tokens of an auth provider. New ones are written to where the old ones came from, as
 * kubectl does, because with many identity providers a refresh token is valid once. If
 * that fails, they are used all the same. For one thread at a time.
 */
final class ProviderTokens {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	private static final String ID = "id-token";

	private static final String REFRESH = "refresh-token";

	private final ClusterAccess.@Nullable ProviderStore store;

	private String id;

	private String refresh;

	/** Refresh token that the store is known to hold. */
	private String stored;

	private boolean warned;

	/**
	 * Creates tokens.
	 * @param provider the provider that has them
	 */
	ProviderTokens(ClusterAccess.Provider provider) {
		this.store = provider.store();
		this.id = provider.config().getOrDefault(ID, "");
		this.refresh = provider.config().getOrDefault(REFRESH, "");
		this.stored = this.refresh;
	}

	/**
	 * Returns the ID token.
	 * @return the token; empty for none
	 */
	String id() {
		return this.id;
	}

	/**
	 * Returns the refresh token.
	 * @return the token; empty for none
	 */
	String refresh() {
		return this.refresh;
	}

	/**
	 * Takes over what another process has written to the store: a refresh token that was
	 * not there before, and an ID token that expires later. What is known may be newer
	 * than what is there.
	 */
	void adopt() {
		if (this.store == null) {
			return;
		}
		try {
			Map<String, String> config = this.store.read();
			String found = config.getOrDefault(REFRESH, "");
			if (!found.isEmpty() && !found.equals(this.stored)) {
				this.stored = found;
				this.refresh = found;
			}
			String next = config.getOrDefault(ID, "");
			Instant expires = BearerTokens.expires(next);
			Instant known = BearerTokens.expires(this.id);
			if (expires != null && (known == null || expires.isAfter(known))) {
				this.id = next;
			}
		}
		catch (IOException ex) {
			logger.debug("Cannot read the tokens of an auth provider anew", ex);
		}
	}

	/**
	 * Replaces the tokens, also in the store.
	 * @param provider who gave them, for messages
	 * @param next the ID token
	 * @param refresh the refresh token; empty if it stays
	 */
	void renewed(String provider, String next, String refresh) {
		this.id = next;
		this.refresh = refresh.isEmpty() ? this.refresh : refresh;
		if (this.store == null) {
			failed(provider, "the client's configuration, which comes from no file", null);
			return;
		}
		Map<String, String> values = new LinkedHashMap<>();
		values.put(ID, this.id);
		values.put(REFRESH, this.refresh);
		try {
			this.store.write(values);
			this.stored = this.refresh;
			this.warned = false;
		}
		catch (IOException ex) {
			String problem = (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getSimpleName();
			failed(provider, "%s (%s)".formatted(this.store.name(), problem), ex);
		}
	}

	private void failed(String provider, String place, @Nullable IOException cause) {
		if (this.refresh.equals(this.stored)) {
			// With the token that is there, the next start gets another ID token.
			logger.debug("The new ID token of {} is not written to {}", provider, place, cause);
		}
		else if (!this.warned) {
			this.warned = true;
			logger.warn("{} gave another refresh token, which cannot be written to {}: it is used until the end of "
					+ "this process; if the old one is not valid any more, log in again before the next start, "
					+ "or use a file that can be written", provider, place);
		}
	}

}
