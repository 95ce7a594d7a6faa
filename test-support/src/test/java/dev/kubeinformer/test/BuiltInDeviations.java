package dev.kubeinformer.test;

import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * Where the embedded API judges built-in objects otherwise than kube-apiserver, and why.
 */
final class BuiltInDeviations {

	private static final List<Deviation> KNOWN = List.of(
			new Deviation("StatefulSet", 34,
					"templates of Pods and claims are not looked at, and changes are refused as one"),
			new Deviation("Service", 34, "names had to begin with a letter"),
			new Deviation("HorizontalPodAutoscaler", 36, "the version of the target may be empty, replicas begin at 1"),
			new Deviation("PodDisruptionBudget", 36, "names are looked at earlier"),
			new Deviation("Secret|ConfigMap", "a list of numbers is bytes to Go",
					(here, there) -> here.text().contains("of type []uint8")),
			new Deviation("Node", "an admission plugin adds a taint to a new Node",
					(here, there) -> numberless(here).equals(numberless(there))),
			new Deviation("Service", "ports of nodes are given out without a look at those that are taken",
					(here, there) -> there.code() == 500 || there.text().contains("nodePort: Duplicate value")));

	private BuiltInDeviations() {
	}

	private static String numberless(BuiltInFuzzTests.Verdict verdict) {
		return verdict.fields().toString().replaceAll("\\d", "#");
	}

	static boolean areAlike(JsonNode object, BuiltInFuzzTests.Verdict here, BuiltInFuzzTests.Verdict there, int minor) {
		if (here.code() == there.code() && here.fields().equals(there.fields())) {
			return true;
		}
		String kind = object.path("kind").asString("");
		return KNOWN.stream()
			.anyMatch((known) -> known.kinds.matcher(kind).matches() && minor < known.until
					&& known.rule.fits(here, there));
	}

	/**
	 * Rule for a deviation.
	 */
	@FunctionalInterface
	interface Rule {

		boolean fits(BuiltInFuzzTests.Verdict here, BuiltInFuzzTests.Verdict there);

	}

	/**
	 * Known deviation.
	 *
	 * @param kinds the kinds of objects
	 * @param reason the reason
	 * @param until the first minor version that answers as the embedded API
	 * @param rule which answers it explains
	 */
	private record Deviation(Pattern kinds, String reason, int until, Rule rule) {

		Deviation(String kinds, String reason, Rule rule) {
			this(Pattern.compile(kinds), reason, Integer.MAX_VALUE, rule);
		}

		Deviation(String kinds, int until, String reason) {
			this(Pattern.compile(kinds), reason, until, (here, there) -> true);
		}

	}

}
