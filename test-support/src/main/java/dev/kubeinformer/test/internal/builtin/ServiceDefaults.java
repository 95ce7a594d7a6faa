package dev.kubeinformer.test.internal.builtin;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the defaults of Services, and the addresses and ports that kube-apiserver assigns
 * to them.
 */
public final class ServiceDefaults {

	private static final String ADDRESS = "clusterIP";

	private static final String ADDRESSES = "clusterIPs";

	private static final String NONE = "None";

	private ServiceDefaults() {
	}

	static void service(ObjectNode spec) {
		if ("ClientIP".equals(spec.path("sessionAffinity").asString(""))) {
			ObjectNode client = spec.withObjectProperty("sessionAffinityConfig").withObjectProperty("clientIP");
			if (!client.has("timeoutSeconds")) {
				client.put("timeoutSeconds", 10_800);
			}
		}
		else if (spec.path("sessionAffinity").asString("").isEmpty()
				|| NONE.equals(spec.path("sessionAffinity").asString(""))) {
			spec.remove("sessionAffinityConfig");
		}
		String type = spec.path("type").asString("");
		for (JsonNode port : spec.path("ports")) {
			JsonNode target = port.path("targetPort");
			boolean absent = !target.isValueNode() || (target.isString() && target.asString().isEmpty())
					|| (target.isNumber() && target.asInt() == 0);
			if (absent && port instanceof ObjectNode object && object.has("port")) {
				object.set("targetPort", object.get("port"));
			}
		}
		boolean faces = "NodePort".equals(type) || "LoadBalancer".equals(type)
				|| ("ClusterIP".equals(type) && !spec.path("externalIPs").isEmpty());
		if (faces && spec.path("externalTrafficPolicy").asString("").isEmpty()) {
			spec.put("externalTrafficPolicy", "Cluster");
		}
		boolean known = "NodePort".equals(type) || "LoadBalancer".equals(type) || "ClusterIP".equals(type);
		if (known && !spec.has("internalTrafficPolicy")) {
			spec.put("internalTrafficPolicy", "Cluster");
		}
		if ("LoadBalancer".equals(type) && !spec.has("allocateLoadBalancerNodePorts")) {
			spec.put("allocateLoadBalancerNodePorts", true);
		}
	}

	/**
	 * If {@code clusterIP} is set and {@code clusterIPs} is not, sets the list to this
	 * address.
	 * @param spec the specification
	 */
	public static void pair(ObjectNode spec) {
		String address = spec.path(ADDRESS).asString("");
		if (!address.isEmpty() && spec.path(ADDRESSES).isEmpty()) {
			spec.putArray(ADDRESSES).add(address);
		}
	}

	/**
	 * Restores the addresses and ports that an update leaves out. If an update changes
	 * only {@code clusterIP}, also changes {@code clusterIPs}.
	 * @param spec the specification
	 * @param before the specification before the update
	 */
	public static void keep(ObjectNode spec, JsonNode before) {
		forget(spec, before);
		boolean external = "ExternalName".equals(spec.path("type").asString(""));
		if (external || "ExternalName".equals(before.path("type").asString(""))) {
			pair(spec);
			return;
		}
		String address = spec.path(ADDRESS).asString("");
		String was = before.path(ADDRESS).asString("");
		boolean same = spec.path(ADDRESSES).equals(before.path(ADDRESSES));
		if (!address.isEmpty() && !address.equals(was) && (same || spec.path(ADDRESSES).isEmpty())) {
			spec.remove(ADDRESSES);
			pair(spec);
		}
		if (address.isEmpty() && spec.path(ADDRESSES).isEmpty() && before.has(ADDRESS)) {
			spec.set(ADDRESS, before.get(ADDRESS));
		}
		// Older clients send only clusterIP.
		if (spec.path(ADDRESSES).isEmpty() && before.has(ADDRESSES)
				&& spec.path(ADDRESS).equals(before.path(ADDRESS))) {
			spec.set(ADDRESSES, before.get(ADDRESSES).deepCopy());
		}
		for (String field : new String[] { "ipFamilies", "ipFamilyPolicy" }) {
			if (!spec.has(field) && before.has(field)) {
				spec.set(field, before.get(field).deepCopy());
			}
		}
		ServicePorts.keep(spec, before);
	}

	// Drops fields that the new type of Service does not have, unless the client
	// changed them.
	private static void forget(ObjectNode spec, JsonNode before) {
		String type = spec.path("type").asString("");
		if ("ExternalName".equals(type) && !type.equals(before.path("type").asString(""))) {
			for (String field : new String[] { ADDRESSES, "ipFamilies", "ipFamilyPolicy" }) {
				if (spec.path(field).equals(before.path(field))) {
					spec.remove(field);
				}
			}
			if (spec.path(ADDRESS).equals(before.path(ADDRESS)) && !spec.has(ADDRESSES)) {
				spec.remove(ADDRESS);
			}
		}
		if (ServicePorts.hasNodePorts(before) && !ServicePorts.hasNodePorts(spec)
				&& ServicePorts.used(before).containsAll(ServicePorts.used(spec))) {
			spec.path("ports").forEach((port) -> ((ObjectNode) port).remove("nodePort"));
		}
		boolean faced = ServicePorts.hasNodePorts(before) || !before.path("externalIPs").isEmpty();
		boolean faces = ServicePorts.hasNodePorts(spec) || !spec.path("externalIPs").isEmpty();
		if (faced && !faces && spec.path("externalTrafficPolicy").equals(before.path("externalTrafficPolicy"))) {
			spec.remove("externalTrafficPolicy");
		}
		boolean balanced = "LoadBalancer".equals(before.path("type").asString("")) && !"LoadBalancer".equals(type);
		for (String field : new String[] { "allocateLoadBalancerNodePorts", "loadBalancerClass" }) {
			if (balanced && spec.path(field).equals(before.path(field))) {
				spec.remove(field);
			}
		}
	}

	/**
	 * Assigns an address to a Service.
	 * @param spec the specification
	 * @param number a number that was not used for another Service; it determines the
	 * address
	 */
	public static void allocate(ObjectNode spec, int number) {
		String type = spec.path("type").asString("");
		if ("ExternalName".equals(type)) {
			return;
		}
		if (spec.path(ADDRESS).asString("").isEmpty()) {
			// The default range of addresses for Services is 10.96.0.0/12.
			String address = "10." + (96 + (number >> 16) % 16) + "." + ((number >> 8) & 255) + "." + (number & 255);
			spec.put(ADDRESS, address);
			spec.putArray(ADDRESSES).add(address);
		}
		if (!spec.has("ipFamilies")) {
			spec.putArray("ipFamilies").add(spec.path(ADDRESS).asString("").contains(":") ? "IPv6" : "IPv4");
		}
		if (!spec.has("ipFamilyPolicy")) {
			spec.put("ipFamilyPolicy", "SingleStack");
		}
	}

}
