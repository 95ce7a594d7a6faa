package dev.kubeinformer.client;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Description of the credential that a client uses at one moment. It contains neither a
 * token nor a key.
 *
 * @param source the source of the credential, for example {@code token file '/x/token'}
 * @param inHeader {@code true} if each request contains the credential, such as a token,
 * so that anybody who reads a request could use it
 * @param readAt the time at which the credential was read or fetched
 * @param expires the time at which the credential expires; {@code null} if unknown
 */
public record ClientCredential(String source, boolean inHeader, Instant readAt, @Nullable Instant expires) {

	/**
	 * Returns a description for use within a sentence.
	 */
	@Override
	public String toString() {
		return this.source + ", read at " + this.readAt + ((this.expires != null) ? ", expires " + this.expires : "");
	}

}
