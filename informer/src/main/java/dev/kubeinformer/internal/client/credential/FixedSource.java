package dev.kubeinformer.internal.client.credential;

import java.util.function.BooleanSupplier;

/**
 * Part of a credential that is inline in the configuration.
 *
 * @param latest the part
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
