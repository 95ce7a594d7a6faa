package dev.kubeinformer.internal.client.credential;

import java.util.function.BooleanSupplier;

/**
 * Source of a part of a credential that is inline in the configuration, so it never
 * changes.
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
