package dev.kubeinformer.informer;

import java.util.Map;

/**
 * Objects of an informer that cannot be decoded or transformed at one moment.
 * {@link InformerStatus.Cache#quarantined()} has their number.
 *
 * @param everything {@code true} if all objects are quarantined, for example because the
 * model class does not match
 * @param problems the reason by {@code namespace/name} or {@code name}, for the first few
 * objects: the path of a field and its expected type, or the place where a transform
 * failed; never a value. Control characters are escaped in keys and reasons
 */
public record QuarantinedObjects(boolean everything, Map<String, String> problems) {

	/**
	 * Creates the objects.
	 * @param everything {@code true} if all objects are quarantined
	 * @param problems the reason by object, for the first few objects
	 */
	public QuarantinedObjects {
		problems = Map.copyOf(problems);
	}

	/**
	 * Returns an empty instance.
	 * @return the instance without quarantined objects
	 */
	public static QuarantinedObjects none() {
		return new QuarantinedObjects(false, Map.of());
	}

}
