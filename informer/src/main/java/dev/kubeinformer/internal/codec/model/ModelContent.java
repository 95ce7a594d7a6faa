package dev.kubeinformer.internal.codec.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Compares the contents of objects, field by field. Methods of the models are not called,
 * so custom classes need not implement {@code equals}. The {@code resourceVersion} and
 * the {@code managedFields} in the metadata are ignored.
 * <p>
 * An empty list, map or array is equal to a missing one, because the API server drops
 * empty collections. An empty object is not equal to a missing one. The order of elements
 * counts in lists, but not in maps and sets. Times are equal if they are the same
 * instant, numbers if they have the same value, and quantities if they have the same
 * value and format. Other values are compared by {@code equals}.
 */
public final class ModelContent {

	private static final int LONGEST_PATH = 300;

	private ModelContent() {
	}

	/**
	 * Returns whether two states of an object have the same content, if their status is
	 * ignored.
	 * @param first a state
	 * @param second another state
	 * @return {@code true} if nothing else differs
	 */
	public static boolean sameApartFromStatus(@Nullable Object first, @Nullable Object second) {
		return new ContentComparison(false, null).isSame(first, second, ContentPart.OBJECT);
	}

	/**
	 * Finds the first difference between the contents of two states of an object.
	 * @param first a state
	 * @param second another state
	 * @return the path to the first difference, such as {@code spec.containers[0].image},
	 * without values; {@code null} if there is none
	 */
	public static @Nullable String firstDifference(@Nullable Object first, @Nullable Object second) {
		List<String> steps = new ArrayList<>();
		if (new ContentComparison(true, steps).isSame(first, second, ContentPart.OBJECT)) {
			return null;
		}
		Collections.reverse(steps);
		String path = String.join("", steps);
		return PrintableText.of(path.startsWith(".") ? path.substring(1) : path, LONGEST_PATH);
	}

	/**
	 * Returns a hash of the content of an object without its status. Equal contents have
	 * the same hash in every process.
	 * @param object the object
	 * @return the hash
	 */
	public static ContentHash hash(Object object) {
		ContentDigest digest = new ContentDigest(false);
		digest.add(object, ContentPart.OBJECT);
		return digest.hash();
	}

}
