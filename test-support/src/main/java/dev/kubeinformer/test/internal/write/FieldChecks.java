package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Treatment of fields that are unknown or set twice ({@code fieldValidation}): rejected,
 * reported by a warning, or ignored.
 *
 * @param directive the parameter of the request, empty for "Warn"
 * @param warnings receives the warnings for the client
 * @param duplicates the paths of fields that the body sets twice
 */
public record FieldChecks(String directive, Consumer<String> warnings, Supplier<List<String>> duplicates) {

	/**
	 * Ignores all such fields.
	 */
	public static final FieldChecks NONE = new FieldChecks("Ignore", (warning) -> {
	}, List::of);

	/**
	 * Reports fields.
	 * @param unknown the paths of the unknown fields
	 * @return the errors for which the request is rejected; empty if it is not rejected
	 */
	List<String> report(List<String> unknown) {
		if ("Ignore".equals(this.directive)) {
			return List.of();
		}
		List<String> complaints = new ArrayList<>();
		this.duplicates.get().forEach((path) -> complaints.add("duplicate field \"" + path + "\""));
		unknown.forEach((path) -> complaints.add("unknown field \"" + path + "\""));
		if ("Strict".equals(this.directive)) {
			return complaints;
		}
		complaints.forEach(this.warnings);
		return List.of();
	}

}
