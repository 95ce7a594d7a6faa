package dev.kubeinformer.client;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Description of the credential that a client uses at one moment, for people. It holds
 * neither a token nor a key.
 *
 * @param source where it comes from, for example {@code token file '/x/token'}
 * @param inHeader whether each request carries it, so that whoever reads a request can
 * use it
 * @param readAt when it was read or fetched
 * @param expires when it expires; {@code null} if that is not known
 */
public record ClientCredential(String source, boolean inHeader, Instant readAt, @Nullable Instant expires) {

	/**
	 * Returns the description as part of a sentence.
	 */
	@Override
	public String toString() {
		return this.source + ", read at " + this.readAt + ((this.expires != null) ? ", expires " + this.expires : "");
	}

}
