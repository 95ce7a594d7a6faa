package dev.kubeinformer.test.internal.builtin;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rules for where Pods are scheduled: affinity and spread.
 */
final class AffinityRules {

	private AffinityRules() {
	}

	static void affinity(Part affinity) {
		Part node = affinity.at("nodeAffinity");
		node.ifSet("requiredDuringSchedulingIgnoredDuringExecution", (required) -> {
			Part terms = required.at("nodeSelectorTerms");
			if (terms.size() == 0) {
				terms.required("must have at least one node selector term");
			}
			terms.items().forEach(AffinityRules::nodeTerm);
		});
		for (Part preferred : node.at("preferredDuringSchedulingIgnoredDuringExecution").items()) {
			weight(preferred.at("weight"));
			nodeTerm(preferred.at("preference"));
		}
		for (String kind : List.of("podAffinity", "podAntiAffinity")) {
			Part pods = affinity.at(kind);
			pods.at("requiredDuringSchedulingIgnoredDuringExecution").items().forEach(AffinityRules::podTerm);
			for (Part preferred : pods.at("preferredDuringSchedulingIgnoredDuringExecution").items()) {
				weight(preferred.at("weight"));
				podTerm(preferred.at("podAffinityTerm"));
			}
		}
	}

	private static void weight(Part weight) {
		if (weight.number() < 1 || weight.number() > 100) {
			weight.invalid(Long.toString(weight.number()), "must be in the range 1-100");
		}
	}

	private static void nodeTerm(Part term) {
		for (Part expression : term.at("matchExpressions").items()) {
			Part values = expression.at("values");
			switch (expression.text("operator")) {
				case "In", "NotIn" -> {
					if (values.size() == 0) {
						values.required("must be specified when `operator` is 'In' or 'NotIn'");
					}
				}
				case "Exists", "DoesNotExist" -> {
					if (values.size() > 0) {
						values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
					}
				}
				case "Gt", "Lt" -> {
					if (values.size() != 1) {
						values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
					}
				}
				default -> expression.at("operator").invalid("not a valid selector operator");
			}
			expression.at("key").invalid(Formats.labelKey(expression.text("key")));
		}
	}

	private static void podTerm(Part term) {
		MetadataRules.selector(term.at("labelSelector"));
		Part key = term.at("topologyKey");
		if (key.isEmpty()) {
			key.required("can not be empty");
		}
		key.invalid(Formats.labelKey(key.text()));
	}

	static void spreads(Part spreads) {
		Set<String> known = new HashSet<>();
		for (Part spread : spreads.items()) {
			Part skew = spread.at("maxSkew");
			if (skew.number() <= 0) {
				skew.invalid(Long.toString(skew.number()), "must be greater than zero");
			}
			Part key = spread.at("topologyKey");
			if (key.isEmpty()) {
				key.required("can not be empty");
			}
			else {
				key.invalid(Formats.labelKey(key.text()));
			}
			Part action = spread.at("whenUnsatisfiable");
			action.oneOf("DoNotSchedule", "ScheduleAnyway");
			if (!known.add(key.text() + " " + action.text())) {
				spread.at("{topologyKey, whenUnsatisfiable}")
					.duplicate("\"{" + key.text() + ", " + action.text() + "}\"", "");
			}
			MetadataRules.selector(spread.at("labelSelector"));
		}
	}

}
