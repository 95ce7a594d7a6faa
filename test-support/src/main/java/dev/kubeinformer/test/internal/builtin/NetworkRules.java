package dev.kubeinformer.test.internal.builtin;

import java.util.List;

/**
 * Rules for Ingresses and NetworkPolicies (apis/networking/validation of kube-apiserver).
 */
final class NetworkRules {

	private static final List<String> NOT_IN_PATH = List.of("//", "/./", "/../", "%2f", "%2F");

	private static final List<String> NOT_AT_END = List.of("/..", "/.");

	private NetworkRules() {
	}

	static void ingress(Part ingress) {
		Part spec = ingress.at("spec");
		Part rules = spec.at("rules");
		if (rules.size() == 0 && !spec.has("defaultBackend")) {
			spec.invalid((rules.isSet()) ? "[]" : "null", "either `defaultBackend` or `rules` must be specified");
		}
		spec.ifSet("defaultBackend", NetworkRules::backend);
		for (Part rule : rules.items()) {
			if (!rule.at("host").isEmpty()) {
				if (Addresses.isAddress(rule.text("host"))) {
					rule.at("host").invalid("must be a DNS name, not an IP address");
				}
				host(rule.at("host"));
			}
			rule.ifSet("http", (http) -> {
				if (http.at("paths").size() == 0) {
					http.at("paths").required();
				}
				http.at("paths").items().forEach(NetworkRules::path);
			});
		}
		for (Part tls : spec.at("tls").items()) {
			tls.at("hosts").items().forEach(NetworkRules::host);
			MetadataRules.name(tls.at("secretName"), Formats::dnsSubdomain);
		}
		spec.ifSet("ingressClassName", (name) -> name.invalid(Formats.dnsSubdomain(name.text())));
	}

	private static void host(Part host) {
		host.invalid(host.text().contains("*") ? Formats.wildcard(host.text()) : Formats.dnsSubdomain(host.text()));
	}

	private static void path(Part rule) {
		Part type = rule.at("pathType");
		Part path = rule.at("path");
		if (!type.isSet()) {
			type.required("pathType must be specified");
			return;
		}
		switch (type.text()) {
			case "Exact", "Prefix" -> {
				if (!path.text().startsWith("/")) {
					path.invalid("must be an absolute path");
				}
				for (String wrong : NOT_IN_PATH) {
					if (path.text().contains(wrong)) {
						path.invalid("must not contain '" + wrong + "'");
					}
				}
				for (String wrong : NOT_AT_END) {
					if (path.text().endsWith(wrong)) {
						path.invalid("cannot end with '" + wrong + "'");
					}
				}
			}
			case "ImplementationSpecific" -> {
				if (!path.isEmpty() && !path.text().startsWith("/")) {
					path.invalid("must be an absolute path");
				}
			}
			default -> type.unsupported("Exact", "ImplementationSpecific", "Prefix");
		}
		backend(rule.at("backend"));
	}

	private static void backend(Part backend) {
		Part service = backend.at("service");
		if (backend.has("resource") && service.isSet()) {
			backend.invalid("\"\"", "cannot set both resource and service backends");
		}
		else if (backend.has("resource")) {
			VolumeRules.requireText(backend.at("resource.kind"));
			VolumeRules.requireText(backend.at("resource.name"));
		}
		else if (!service.isSet()) {
			backend.invalid("\"\"", "resource or service backend is required");
		}
		else {
			MetadataRules.requiredName(service.at("name"), Formats::dnsLabel);
			Part name = service.at("port.name");
			Part number = service.at("port.number");
			if (!name.isEmpty() && number.number() != 0) {
				backend.invalid("\"\"", "cannot set both port name & port number");
			}
			else if (!name.isEmpty()) {
				name.invalid(Formats.portName(name.text()));
			}
			else if (number.number() != 0) {
				number.port();
			}
			else {
				backend.required("port name or number is required");
			}
		}
	}

	static void networkPolicy(Part policy) {
		Part spec = policy.at("spec");
		MetadataRules.selector(spec.at("podSelector"));
		for (Part rule : spec.at("ingress").items()) {
			rule.at("ports").items().forEach(NetworkRules::policyPort);
			rule.at("from").items().forEach(NetworkRules::peer);
		}
		for (Part rule : spec.at("egress").items()) {
			rule.at("ports").items().forEach(NetworkRules::policyPort);
			rule.at("to").items().forEach(NetworkRules::peer);
		}
		Part types = spec.at("policyTypes");
		if (types.size() > 2) {
			types.invalid("may not specify more than two policyTypes");
			return;
		}
		types.items().forEach((type) -> type.oneOf("Ingress", "Egress"));
	}

	private static void policyPort(Part rule) {
		rule.ifSet("protocol", (protocol) -> protocol.oneOf("TCP", "UDP", "SCTP"));
		Part port = rule.at("port");
		Part end = rule.at("endPort");
		if (!port.isSet()) {
			if (end.isSet()) {
				end.invalid("may not be specified when `port` is not specified");
			}
		}
		else if (port.node().isString()) {
			if (end.isSet()) {
				end.invalid("may not be specified when `port` is non-numeric");
			}
			port.invalid(Formats.portName(port.text()));
		}
		else {
			port.port();
			if (end.isSet()) {
				if (end.number() < port.number()) {
					end.invalid("must be greater than or equal to `port`");
				}
				end.port();
			}
		}
	}

	private static void peer(Part peer) {
		int peers = 0;
		for (String kind : List.of("podSelector", "namespaceSelector")) {
			if (peer.has(kind)) {
				peers++;
				MetadataRules.selector(peer.at(kind));
			}
		}
		boolean block = peer.has("ipBlock");
		if (block) {
			block(peer.at("ipBlock"));
		}
		if (peers == 0 && !block) {
			peer.required("must specify a peer");
		}
		else if (peers > 0 && block) {
			peer.forbidden("may not specify both ipBlock and another peer");
		}
	}

	private static void block(Part block) {
		Part range = block.at("cidr");
		if (range.isEmpty()) {
			range.required();
			return;
		}
		if (!Addresses.requireRange(range)) {
			return;
		}
		Addresses.Range all = Addresses.range(range.text());
		for (Part except : block.at("except").items()) {
			Addresses.Range part = (Addresses.requireRange(except)) ? Addresses.range(except.text()) : null;
			if (all != null && part != null && !all.strictlyContains(part)) {
				except.invalid("must be a strict subset of `cidr`");
			}
		}
	}

}
