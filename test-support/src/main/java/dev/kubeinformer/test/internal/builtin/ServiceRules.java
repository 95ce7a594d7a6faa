package dev.kubeinformer.test.internal.builtin;

import java.util.HashSet;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

/**
 * Rules for Services (validateService of kube-apiserver).
 */
final class ServiceRules {

	private static final String ONCE = "may not change once set";

	private static final String LOAD_BALANCER = "LoadBalancer";

	private ServiceRules() {
	}

	static void service(Part service) {
		Part spec = service.at("spec");
		boolean headless = isHeadless(spec.node());
		String type = spec.text("type");
		boolean external = "ExternalName".equals(type);
		Part ports = spec.at("ports");
		if (ports.size() == 0 && !headless && !external) {
			ports.required();
		}
		type(spec, type, headless);
		Set<String> names = new HashSet<>();
		for (Part port : ports.items()) {
			port(port, ports.size() > 1, names);
		}
		MetadataRules.labels(spec.at("selector"));
		spec.at("sessionAffinity").requiredOneOf("ClientIP", "None");
		if ("None".equals(spec.text("sessionAffinity"))) {
			spec.ifSet("sessionAffinityConfig",
					(config) -> config.forbidden("must not be set when session affinity is None"));
		}
		if (!external) {
			addresses(spec);
		}
		for (Part address : spec.at("externalIPs").items()) {
			Addresses.requireAddress(address);
		}
		spec.at("type").requiredOneOf("ClusterIP", "ExternalName", LOAD_BALANCER, "NodePort");
		nodePorts(ports, type);
		if (!LOAD_BALANCER.equals(type)) {
			String only = "may only be used when `type` is 'LoadBalancer'";
			if (spec.at("loadBalancerSourceRanges").size() > 0) {
				spec.at("loadBalancerSourceRanges").as("spec.LoadBalancerSourceRanges").forbidden(only);
			}
			spec.ifSet("allocateLoadBalancerNodePorts", (part) -> part.forbidden(only));
			spec.ifSet("loadBalancerClass", (part) -> part.forbidden("may only be used when `type` is 'LoadBalancer'"));
		}
		externalPolicy(spec, type);
		if (Set.of("ClusterIP", "NodePort", LOAD_BALANCER).contains(type)) {
			Part internal = spec.at("internalTrafficPolicy");
			if (internal.isEmpty()) {
				internal.required();
			}
			else {
				internal.oneOf("Cluster", "Local");
			}
		}
	}

	static boolean isHeadless(JsonNode spec) {
		return "None".equals(spec.path("clusterIP").asString(""))
				|| (spec.path("clusterIPs").size() == 1 && "None".equals(spec.path("clusterIPs").path(0).asString("")));
	}

	private static void type(Part spec, String type, boolean headless) {
		switch (type) {
			case LOAD_BALANCER, "NodePort" -> {
				if (headless) {
					spec.at("clusterIPs")
						.item(0)
						.invalid("\"None\"", "may not be set to 'None' for " + type + " services");
				}
			}
			case "ExternalName" -> {
				String not = "may not be set for ExternalName services";
				if (spec.at("clusterIPs").size() > 0) {
					spec.at("clusterIPs").forbidden(not);
				}
				if (spec.at("ipFamilies").size() > 0) {
					spec.at("ipFamilies").forbidden(not);
				}
				spec.ifSet("ipFamilyPolicy", (policy) -> policy.forbidden(not));
				Part name = spec.at("externalName");
				MetadataRules.requiredName(name, (text) -> Formats
					.dnsSubdomain(text.endsWith(".") ? text.substring(0, text.length() - 1) : text));
			}
			default -> {
			}
		}
	}

	private static void port(Part port, boolean named, Set<String> names) {
		Part name = port.at("name");
		if (!name.isEmpty()) {
			name.invalid(Formats.dnsLabel(name.text()));
			if (!names.add(name.text())) {
				name.duplicate();
			}
		}
		else if (named) {
			name.required();
		}
		port.at("port").port();
		port.at("protocol").requiredOneOf("SCTP", "TCP", "UDP");
		port.at("targetPort").portOrName();
		port.ifSet("appProtocol", (protocol) -> protocol.invalid(Formats.labelKey(protocol.text())));
	}

	private static void addresses(Part spec) {
		Part addresses = spec.at("clusterIPs");
		String address = spec.text("clusterIP");
		if (!address.isEmpty() && addresses.size() == 0) {
			addresses.required();
		}
		else if (!address.isEmpty() && !address.equals(addresses.item(0).text())) {
			addresses.invalid("first value must match `clusterIP`");
		}
		else if (address.isEmpty() && addresses.size() > 0) {
			addresses.invalid("must be empty when `clusterIP` is not specified");
		}
		Set<String> families = new HashSet<>();
		for (Part family : spec.at("ipFamilies").items()) {
			family.oneOf("IPv4", "IPv6");
			if (!families.add(family.text())) {
				family.duplicate();
			}
		}
		spec.ifSet("ipFamilyPolicy", (policy) -> policy.oneOf("PreferDualStack", "RequireDualStack", "SingleStack"));
		for (Part part : addresses.items()) {
			if ("None".equals(part.text()) && part.path().endsWith("[0]")) {
				if (addresses.size() > 1) {
					addresses.invalid("'None' must be the first and only value");
				}
				continue;
			}
			Addresses.requireAddress(part);
		}
		if (addresses.size() > 2) {
			addresses.invalid("may only hold up to 2 values");
		}
	}

	private static void nodePorts(Part ports, String type) {
		Set<String> nodePorts = new HashSet<>();
		for (Part port : ports.items()) {
			if ("ClusterIP".equals(type) && port.number("nodePort") != 0) {
				port.at("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
			}
		}
		for (Part port : ports.items()) {
			long number = port.number("nodePort");
			if (number != 0 && !nodePorts.add(port.text("protocol") + number)) {
				port.at("nodePort").duplicate();
			}
		}
		Set<String> numbers = new HashSet<>();
		for (Part port : ports.items()) {
			if (!numbers.add(port.text("protocol") + port.number("port"))) {
				ObjectNode shown = Json.object()
					.put("protocol", port.text("protocol"))
					.put("port", port.number("port"))
					.put("targetPort", 0);
				port.duplicate(shown.toString(), "");
			}
		}
	}

	private static void externalPolicy(Part spec, String type) {
		boolean faces = LOAD_BALANCER.equals(type) || "NodePort".equals(type) || spec.at("externalIPs").size() > 0;
		Part policy = spec.at("externalTrafficPolicy");
		if (!faces && !policy.isEmpty()) {
			policy.invalid("may only be set for externally-accessible services");
		}
		else if (!policy.isEmpty()) {
			policy.oneOf("Cluster", "Local");
		}
		if (spec.number("healthCheckNodePort") != 0 && !(LOAD_BALANCER.equals(type) && "Local".equals(policy.text()))) {
			spec.at("healthCheckNodePort")
				.invalid("may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
		}
	}

	static void serviceUpdate(Part service, JsonNode before) {
		Part spec = service.at("spec");
		JsonNode old = before.path("spec");
		boolean external = "ExternalName".equals(spec.text("type"))
				|| "ExternalName".equals(old.path("type").asString(""));
		boolean stays = isHeadless(spec.node()) && isHeadless(old);
		if (!external && !stays) {
			Part addresses = spec.at("clusterIPs");
			JsonNode were = old.path("clusterIPs");
			if (were.size() > 0 && addresses.size() == 0) {
				addresses.item(0).invalid("null", "primary clusterIP can not be unset");
			}
			else {
				for (int i = 0; i < Math.min(were.size(), addresses.size()); i++) {
					if (!were.get(i).equals(addresses.node().get(i))) {
						addresses.item(i).invalid(Part.shown(addresses.node()), ONCE);
					}
				}
			}
			families(spec, old);
		}
		if (LOAD_BALANCER.equals(spec.text("type")) && LOAD_BALANCER.equals(old.path("type").asString(""))
				&& !spec.at("loadBalancerClass").node().equals(old.path("loadBalancerClass"))) {
			spec.at("loadBalancerClass").invalid(ONCE);
		}
	}

	private static void families(Part spec, JsonNode old) {
		Part families = spec.at("ipFamilies");
		JsonNode were = old.path("ipFamilies");
		boolean changed = were.size() > 0 && families.size() > 0 && !were.get(0).equals(families.node().get(0));
		if (changed && !isHeadless(spec.node()) && !isHeadless(old)) {
			families.item(0).invalid(Part.shown(families.node()), ONCE);
		}
	}

}
