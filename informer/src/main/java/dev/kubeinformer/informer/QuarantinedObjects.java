package dev.kubeinformer.informer;

import java.util.Map;

/**
 * Objects of an informer that cannot be read as its class, or that its transform fails
 * on, at one moment. How many they are is in {@link InformerStatus.Cache#quarantined()}.
 *
 * @param everything whether there is no object that can be read, as with a class that
 * does not fit
 * @param problems the first few of them, as {@code namespace/name} or {@code name}, and
 * why they cannot be read: the path of a field and what it should be, or the place where
 * a transform failed; never a value. Control characters are escaped in both
 */
public record QuarantinedObjects(boolean everything, Map<String, String> problems) {

	/**
	 * Creates the objects.
	 * @param everything whether there is no object that can be read
	 * @param problems the first few of them, and why they cannot be read
	 */
	public QuarantinedObjects {
		problems = Map.copyOf(problems);
	}

	/**
	 * Returns none.
	 * @return what is quarantined where all can be read
	 */
	public static QuarantinedObjects none() {
		return new QuarantinedObjects(false, Map.of());
	}

}
