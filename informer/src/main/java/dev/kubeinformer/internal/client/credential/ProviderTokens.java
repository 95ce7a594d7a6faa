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
 * Tokens of an auth provider. As in kubectl, new tokens are written to the kubeconfig
 * from which the old tokens were read, because many identity providers accept a refresh
 * token only once. If writing fails, this process still uses the new tokens. Used by one
 * thread at a time.
 */
final class ProviderTokens {

	private static final Logger logger = LoggerFactory.getLogger(Credential.class);

	private static final String ID = "id-token";

	private static final String REFRESH = "refresh-token";

	private final ClusterAccess.@Nullable ProviderStore store;

	private String id;

	private String refresh;

	/** Refresh token that was last read from the store or written to it. */
	private String stored;

	private boolean warned;

	/**
	 * Creates tokens.
	 * @param provider the provider with the tokens
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
	 * Uses the tokens that another process has written to the store: a new refresh token,
	 * and an ID token that expires later than the current one. Other tokens in the store
	 * are ignored, because they may be older.
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
			logger.debug("Cannot read the current tokens of an auth provider", ex);
		}
	}

	/**
	 * Replaces the tokens here and in the store.
	 * @param provider the name of the provider, for messages
	 * @param next the new ID token
	 * @param refresh the new refresh token; empty to keep the old one
	 */
	void renewed(String provider, String next, String refresh) {
		this.id = next;
		this.refresh = refresh.isEmpty() ? this.refresh : refresh;
		if (this.store == null) {
			failed(provider, "the client's configuration, which is not in a file", null);
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
			// The refresh token in the store stays valid, so the next start can obtain
			// another ID token.
			logger.debug("Cannot write the new ID token of {} to {}", provider, place, cause);
		}
		else if (!this.warned) {
			this.warned = true;
			logger.warn("{} issued a new refresh token, which cannot be written to {}; it is used until the end "
					+ "of this process. If the old token is no longer valid, log in again before the next "
					+ "start, or use a writable file", provider, place);
		}
	}

}
