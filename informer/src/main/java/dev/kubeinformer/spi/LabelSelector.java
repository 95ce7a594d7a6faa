package dev.kubeinformer.spi;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Label selector in the syntax of the Kubernetes API, evaluated on labels in memory. All
 * of its comma-separated requirements must be met:
 * <ul>
 * <li>{@code key=value}, {@code key==value}: the label has that value</li>
 * <li>{@code key!=value}: the label has another value or does not exist</li>
 * <li>{@code key in (a,b)}: the label has one of the values</li>
 * <li>{@code key notin (a,b)}: the label has none of the values or does not exist</li>
 * <li>{@code key}, {@code !key}: the label exists, the label does not exist</li>
 * <li>{@code key>1}, {@code key<5}: the label is an integer greater or less than the
 * number</li>
 * </ul>
 * It accepts and rejects the same text as {@code labels.Parse} of k8s.io/apimachinery.
 * Immutable.
 */
public final class LabelSelector implements Predicate<@Nullable Map<String, String>> {

	private final String text;

	private final List<Requirement> requirements;

	private LabelSelector(String text, List<Requirement> requirements) {
		this.text = text;
		this.requirements = requirements;
	}

	/**
	 * Parses a selector.
	 * @param text the selector; a blank selector matches everything
	 * @return the selector
	 * @throws IllegalArgumentException if the selector is not valid; the message has the
	 * position
	 */
	public static LabelSelector parse(String text) {
		return new LabelSelector(text, new LabelSelectorParser(text).requirements());
	}

	/**
	 * Returns whether labels match.
	 * @param labels the labels; {@code null} for none
	 * @return {@code true} if every requirement is met
	 */
	@Override
	public boolean test(@Nullable Map<String, String> labels) {
		for (Requirement requirement : this.requirements) {
			if (!requirement.value().test((labels != null) ? valueOf(labels, requirement.key()) : null)) {
				return false;
			}
		}
		return true;
	}

	// The API server reads a label with the value null as empty.
	private static @Nullable String valueOf(Map<String, @Nullable String> labels, String key) {
		String value = labels.get(key);
		return (value == null && labels.containsKey(key)) ? "" : value;
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * Requirement for one label.
	 *
	 * @param key the key of the label
	 * @param value the condition for the value of the label; the value is {@code null} if
	 * the label does not exist
	 */
	record Requirement(String key, Predicate<@Nullable String> value) {

	}

}
