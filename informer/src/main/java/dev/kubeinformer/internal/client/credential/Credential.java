package dev.kubeinformer.internal.client.credential;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.tls.ClientIdentity;

/**
 * Credential that authenticates requests at one moment: a header, a client certificate or
 * both. {@link #toString()} shows neither token nor key.
 *
 * @param authorization the value of the header {@code Authorization}; {@code null} for
 * none
 * @param identity the certificate of the client; {@code null} for none
 * @param source the source of the credential, for example {@code token file '/x/token'}
 * @param readAt the time at which it was read or fetched
 * @param expires the time at which it expires; {@code null} if unknown
 */
public record Credential(@Nullable String authorization, @Nullable ClientIdentity identity, String source,
		Instant readAt, @Nullable Instant expires) {

	/**
	 * Returns whether the credential has a header or a certificate.
	 * @return {@code false} for an anonymous user
	 */
	public boolean authenticates() {
		return this.authorization != null || this.identity != null;
	}

	/**
	 * Returns whether another credential has the same header and the same certificate.
	 * @param other the other credential
	 * @return {@code true} if both authenticate in the same way
	 */
	public boolean authenticatesAs(Credential other) {
		return Objects.equals(this.authorization, other.authorization) && Objects.equals(this.identity, other.identity);
	}

	@Override
	public String toString() {
		return this.source + ", read at " + this.readAt + ((this.expires != null) ? ", expires " + this.expires : "");
	}

}
