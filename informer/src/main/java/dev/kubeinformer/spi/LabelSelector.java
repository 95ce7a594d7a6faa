package dev.kubeinformer.spi;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A label selector in the syntax of the Kubernetes API, asked of labels that are here
 * already. All requirements that its commas separate must be met:
 * <ul>
 * <li>{@code key=value}, {@code key==value}: the label has that value</li>
 * <li>{@code key!=value}: it has not, or there is no such label</li>
 * <li>{@code key in (a,b)}: the label has one of the values</li>
 * <li>{@code key notin (a,b)}: it has none of them, or there is no such label</li>
 * <li>{@code key}, {@code !key}: there is such a label, there is none</li>
 * <li>{@code key>1}, {@code key<5}: the label is a whole number above or below</li>
 * </ul>
 * It reads what {@code labels.Parse} of k8s.io/apimachinery reads, and refuses what that
 * refuses. Immutable.
 */
public final class LabelSelector implements Predicate<@Nullable Map<String, String>> {

	private final String text;

	private final List<Requirement> requirements;

	private LabelSelector(String text, List<Requirement> requirements) {
		this.text = text;
		this.requirements = requirements;
	}

	/**
	 * Reads a selector.
	 * @param text the selector; blank for one that everything matches
	 * @return the selector
	 * @throws IllegalArgumentException if it is no selector; the message says where
	 */
	public static LabelSelector parse(String text) {
		return new LabelSelector(text, new LabelSelectorParser(text).requirements());
	}

	/**
	 * Returns whether labels match.
	 * @param labels the labels; {@code null} for none
	 * @return whether every requirement is met
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

	// What the API server reads of a label that is null is the empty value.
	private static @Nullable String valueOf(Map<String, @Nullable String> labels, String key) {
		String value = labels.get(key);
		return (value == null && labels.containsKey(key)) ? "" : value;
	}

	@Override
	public String toString() {
		return this.text;
	}

	/**
	 * What is asked of one label.
	 *
	 * @param key the label
	 * @param value asked of its value, which is {@code null} if there is no such label
	 */
	record Requirement(String key, Predicate<@Nullable String> value) {

	}

}
