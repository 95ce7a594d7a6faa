package dev.kubeinformer.test.internal.builtin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * Rules for the containers of a Pod (validateContainers of kube-apiserver).
 */
final class ContainerRules {

	private static final String[] PROTOCOLS = { "SCTP", "TCP", "UDP" };

	private static final String[] FIELDS = { "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName",
			"spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs" };

	private static final String[] RESOURCES = { "limits.cpu", "limits.ephemeral-storage", "limits.memory",
			"requests.cpu", "requests.ephemeral-storage", "requests.memory" };

	private static final String NOT_IN_INIT = "may not be set for init containers without restartPolicy=Always";

	private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

	private ContainerRules() {
	}

	static void containers(Part spec, Map<String, JsonNode> volumes) {
		Part containers = spec.at("containers");
		if (containers.size() == 0) {
			containers.required();
		}
		Set<String> names = new HashSet<>();
		for (Part container : containers.items()) {
			common(container, volumes);
			if (!names.add(container.text("name"))) {
				container.at("name").duplicate();
			}
			lifecycle(container);
			container.ifSet("restartPolicy", (policy) -> policy.oneOf("Always", "Never", "OnFailure"));
		}
		hostPorts(containers.items());
		for (Part container : spec.at("initContainers").items()) {
			common(container, volumes);
			container.ifSet("restartPolicy", (policy) -> policy.oneOf("Always", "Never", "OnFailure"));
			String name = container.text("name");
			if (names.contains(name)) {
				container.at("name").duplicate();
			}
			else if (!name.isEmpty()) {
				names.add(name);
			}
			if ("Always".equals(container.text("restartPolicy"))) {
				lifecycle(container);
				continue;
			}
			for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
				container.ifSet(field, (part) -> part.forbidden(NOT_IN_INIT));
			}
		}
	}

	private static void common(Part container, Map<String, JsonNode> volumes) {
		MetadataRules.requiredName(container.at("name"), Formats::dnsLabel);
		if (container.at("image").isEmpty()) {
			container.at("image").required();
		}
		container.at("terminationMessagePolicy").requiredOneOf("File", "FallbackToLogsOnError");
		ports(container.at("ports"));
		environment(container.at("env"));
		environmentFrom(container.at("envFrom"));
		VolumeRules.mounts(container, volumes);
		container.at("imagePullPolicy").requiredOneOf("Always", "IfNotPresent", "Never");
		ResourceRules.requirements(container.at("resources"));
		Part security = container.at("securityContext");
		security.ifSet("runAsUser", PodRules::id);
		security.ifSet("runAsGroup", PodRules::id);
		if (security.has("allowPrivilegeEscalation") && !security.flag("allowPrivilegeEscalation")
				&& security.flag("privileged")) {
			security.invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
		}
	}

	private static void ports(Part ports) {
		Set<String> names = new HashSet<>();
		for (Part port : ports.items()) {
			Part name = port.at("name");
			if (!name.isEmpty()) {
				List<String> wrong = Formats.portName(name.text());
				name.invalid(wrong);
				if (wrong.isEmpty() && !names.add(name.text())) {
					name.duplicate();
				}
			}
			Part number = port.at("containerPort");
			if (number.number() == 0) {
				number.required();
			}
			else {
				number.port();
			}
			if (port.number("hostPort") != 0) {
				port.at("hostPort").port();
			}
			port.at("protocol").requiredOneOf(PROTOCOLS);
		}
	}

	private static void hostPorts(List<Part> containers) {
		Set<String> taken = new HashSet<>();
		for (Part container : containers) {
			for (Part port : container.at("ports").items()) {
				long number = port.number("hostPort");
				String text = port.text("protocol") + "/" + port.text("hostIP") + "/" + number;
				if (number != 0 && !taken.add(text)) {
					port.at("hostPort").duplicate("\"" + text + "\"", "");
				}
			}
		}
	}

	private static void environment(Part variables) {
		for (Part variable : variables.items()) {
			Part name = variable.at("name");
			MetadataRules.requiredName(name, Formats::environmentName);
			variable.ifSet("valueFrom", (source) -> valueFrom(variable, source));
		}
	}

	private static void valueFrom(Part variable, Part source) {
		int sources = 0;
		for (String kind : List.of("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")) {
			Part reference = source.at(kind);
			if (!reference.isSet()) {
				continue;
			}
			sources++;
			switch (kind) {
				case "fieldRef" -> fieldReference(reference);
				case "resourceFieldRef" -> {
					Part resource = reference.at("resource");
					if (resource.isEmpty()) {
						resource.required();
					}
					else if (!resource.text().matches("(limits|requests)\\.hugepages-.*")) {
						resource.oneOf(RESOURCES);
					}
				}
				case "configMapKeyRef", "secretKeyRef" -> {
					reference.at("name").invalid(Formats.dnsSubdomain(reference.text("name")));
					MetadataRules.requiredName(reference.at("key"), Formats::configKey);
				}
				default -> {
				}
			}
		}
		if (sources == 0) {
			source.invalid("\"\"", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
					+ "`secretKeyRef` or `fileKeyRef`");
		}
		else if (!variable.at("value").isEmpty()) {
			source.invalid("\"\"", "may not be specified when `value` is not empty");
		}
		else if (sources > 1) {
			source.invalid("\"\"", "may not have more than one field specified at a time");
		}
	}

	private static void fieldReference(Part reference) {
		Part path = reference.at("fieldPath");
		if (path.isEmpty()) {
			path.required();
			return;
		}
		String text = path.text();
		if (text.matches("metadata\\.(labels|annotations)\\['.*'\\]")) {
			return;
		}
		if (!List.of(FIELDS).contains(text)) {
			boolean known = text.matches("metadata\\.(labels|annotations)|status\\.phase|spec\\.restartPolicy"
					+ "|spec\\.schedulerName|spec\\.hostNetwork");
			if (known) {
				path.unsupported(FIELDS);
			}
			else {
				path.invalid("error converting fieldPath: field label not supported: " + text);
			}
		}
	}

	private static void environmentFrom(Part sources) {
		for (Part source : sources.items()) {
			int count = 0;
			for (String kind : List.of("configMapRef", "secretRef")) {
				Part reference = source.at(kind);
				if (reference.isSet()) {
					count++;
					MetadataRules.requiredName(reference.at("name"),
							(name) -> Formats.prefix(name, Formats::dnsSubdomain));
				}
			}
			// kube-apiserver omits the index of the source.
			if (count == 0) {
				sources.invalid("\"\"", "must specify one of: `configMapRef` or `secretRef`");
			}
			else if (count > 1) {
				sources.invalid("\"\"", "may not have more than one field specified at a time");
			}
		}
	}

	private static void lifecycle(Part container) {
		container.at("lifecycle").ifSet("postStart", ContainerRules::handler);
		container.at("lifecycle").ifSet("preStop", ContainerRules::handler);
		PROBES.forEach((name) -> container.ifSet(name, (probe) -> probe(name, probe)));
	}

	private static void probe(String name, Part probe) {
		handler(probe);
		probe.notNegative("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold",
				"failureThreshold");
		Part grace = probe.at("terminationGracePeriodSeconds");
		if (grace.isSet() && grace.number() <= 0) {
			grace.invalid("must be greater than 0");
		}
		if ("readinessProbe".equals(name)) {
			if (grace.isSet()) {
				grace.invalid("must not be set for readinessProbes");
			}
		}
		else if (probe.has("successThreshold") && probe.number("successThreshold") != 1) {
			probe.at("successThreshold").invalid("must be 1");
		}
	}

	private static void handler(Part handler) {
		List<String> found = new ArrayList<>();
		for (String kind : List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep")) {
			Part action = handler.at(kind);
			if (!action.isSet()) {
				continue;
			}
			if (!found.isEmpty()) {
				action.forbidden("may not specify more than 1 handler type");
				continue;
			}
			found.add(kind);
			switch (kind) {
				case "exec" -> {
					if (action.at("command").size() == 0) {
						action.at("command").required();
					}
				}
				case "httpGet" -> {
					VolumeRules.requireText(action.at("path"));
					action.at("port").portOrName();
					action.at("scheme").oneOf("HTTP", "HTTPS");
					for (Part header : action.at("httpHeaders").items()) {
						Formats.headerName(header.text("name"))
							.forEach((why) -> action.at("httpHeaders").invalid("\"" + header.text("name") + "\"", why));
					}
				}
				case "tcpSocket" -> action.at("port").portOrName();
				case "grpc" -> action.at("port").port();
				default -> {
				}
			}
		}
		if (found.isEmpty()) {
			handler.required("must specify a handler type");
		}
	}

}
