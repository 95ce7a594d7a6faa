package dev.kubeinformer.internal.client.credential;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.tls.ClientIdentity;

/**
 * What authenticates requests at one moment. The text form shows neither token nor key.
 *
 * @param authorization the value of the header {@code Authorization}; {@code null} for
 * none
 * @param identity the certificate of the client; {@code null} for none
 * @param source what it is of, for people, for example {@code token file '/x/token'}
 * @param readAt when it was read or fetched
 * @param expires when it expires; {@code null} if that is not known
 */
public record Credential(@Nullable String authorization, @Nullable ClientIdentity identity, String source,
		Instant readAt, @Nullable Instant expires) {

	/**
	 * Returns whether there is a header or a certificate at all.
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
