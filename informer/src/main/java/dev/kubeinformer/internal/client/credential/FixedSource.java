package dev.kubeinformer.internal.client.credential;

import java.util.function.BooleanSupplier;

/**
 * Source of a credential that never changes, because it is inline in the configuration.
 *
 * @param latest the credential
 */
record FixedSource(Credential latest) implements CredentialSource {

	@Override
	public Credential current(BooleanSupplier cancelled) {
		return this.latest;
	}

	@Override
	public Credential after(Credential refused, BooleanSupplier cancelled) {
		return this.latest;
	}

}
