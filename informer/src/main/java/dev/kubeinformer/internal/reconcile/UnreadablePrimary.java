package dev.kubeinformer.internal.reconcile;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.UnreadableObjectException;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ObjectKey;

/**
 * Explains why a reconciler does not run for a quarantined primary. A primary is
 * quarantined while its current state cannot be decoded.
 */
public final class UnreadablePrimary {

	private UnreadablePrimary() {
	}

	/**
	 * Rejects a requested run that would not take place.
	 * @param primaries the cache of primaries
	 * @param key the primary
	 * @param finalizer the finalizer of the reconciler; {@code null} if it has none
	 * @throws UnreadableObjectException if the primary cannot be read and there is no
	 * last readable state to clean up
	 */
	public static void requireReadable(ObjectStore<?> primaries, ObjectKey key, @Nullable String finalizer) {
		StoreSnapshot<?> snapshot = primaries.snapshot();
		UnreadableObject unreadable = snapshot.unreadable(key);
		if (unreadable == null) {
			return;
		}
		if (!unreadable.isBeingDeleted()) {
			throw notRun(unreadable);
		}
		if (finalizer != null && snapshot.find(key.namespace(), key.name()) == null) {
			throw notCleanedUp(unreadable, finalizer);
		}
	}

	static UnreadableObjectException notRun(UnreadableObject unreadable) {
		return new UnreadableObjectException(unreadable.key(), unreadable.problem(),
				"'%s' is quarantined and not reconciled: %s; fix the object or the class"
					.formatted(PrintableText.of(unreadable.key().toString()), unreadable.problem()),
				false);
	}

	static UnreadableObjectException notCleanedUp(UnreadableObject unreadable, @Nullable String finalizer) {
		return new UnreadableObjectException(unreadable.key(), unreadable.problem(),
				"the deletion of '%s' waits for the finalizer '%s', and the cleanup cannot run: the object is quarantined (%s) and was never readable here; fix the object or the class, or clean up manually and remove the finalizer"
					.formatted(PrintableText.of(unreadable.key().toString()), finalizer, unreadable.problem()),
				true);
	}

}
