package dev.kubeinformer.internal.codec.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.PrintableText;

/**
 * Comparison of what objects hold, field by field, which does not ask the models: custom
 * classes need not compare themselves. The {@code resourceVersion} and the
 * {@code managedFields} in the metadata are no content.
 * <p>
 * As the API server drops empty collections, an empty list, map or array counts as none;
 * an empty object does not. Lists are compared in their order, maps and sets without one.
 * Times are the same at the same instant, numbers at the same value; quantities also have
 * a format. Other values are compared as they compare themselves.
 */
public final class ModelContent {

	private static final int LONGEST_PATH = 300;

	private ModelContent() {
	}

	/**
	 * Returns whether two states of an object have the same content, their status
	 * excepted.
	 * @param first a state
	 * @param second another state
	 * @return whether nothing else differs
	 */
	public static boolean sameApartFromStatus(@Nullable Object first, @Nullable Object second) {
		return new ContentComparison(false, null).isSame(first, second, ContentPart.OBJECT);
	}

	/**
	 * Finds where the content of two states of an object differs.
	 * @param first a state
	 * @param second another state
	 * @return the path to the first difference, such as {@code spec.containers[0].image},
	 * without any value; {@code null} if there is none
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
	 * Returns a hash of the content of an object, its status excepted. It depends on the
	 * content alone.
	 * @param object the object
	 * @return the hash
	 */
	public static ContentHash hash(Object object) {
		ContentDigest digest = new ContentDigest(false);
		digest.add(object, ContentPart.OBJECT);
		return digest.hash();
	}

}
