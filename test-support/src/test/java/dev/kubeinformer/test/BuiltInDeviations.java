package dev.kubeinformer.test;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * Where the embedded API judges built-in objects otherwise than kube-apiserver, and why.
 */
final class BuiltInDeviations {

	// Fields of causes, and the reason for which the embedded API does not know them.
	private static final Map<Pattern, String> FIELDS = new LinkedHashMap<>();

	private BuiltInDeviations() {
	}

	static boolean areAlike(JsonNode object, BuiltInFuzzTests.Verdict here, BuiltInFuzzTests.Verdict there) {
		if (here.code() == there.code() && here.fields().equals(there.fields())) {
			return true;
		}
		TreeSet<String> ours = new TreeSet<>(here.fields());
		TreeSet<String> theirs = new TreeSet<>(there.fields());
		ours.removeAll(there.fields());
		theirs.removeAll(here.fields());
		boolean refusals = (here.accepted() || here.code() == 422) && (there.accepted() || there.code() == 422);
		theirs.removeIf((field) -> FIELDS.keySet().stream().anyMatch((known) -> known.matcher(field).matches()));
		return refusals && ours.isEmpty() && theirs.isEmpty();
	}

}
