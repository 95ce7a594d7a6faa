package dev.kubeinformer.test.internal.builtin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.status.Rejection;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Allocates the {@code nodePort}s of a Service before it is validated, as kube-apiserver
 * does (pkg/registry/core/service/storage/alloc.go). Does not check whether another
 * Service uses a port.
 */
public final class ServicePorts {

	private static final String NODE_PORT = "nodePort";

	private static final int FIRST = 30_000;

	private static final int LAST = 32_767;

	private final ObjectNode service;

	private final JsonNode spec;

	/**
	 * Values of {@code nodePort} in this Service, which {@link #next()} does not choose
	 * again.
	 */
	private final Set<Integer> used;

	private int next;

	private ServicePorts(ObjectNode service, int number) {
		this.service = service;
		this.spec = service.path("spec");
		this.used = used(this.spec);
		this.next = FIRST + (number * 7) % (LAST - FIRST + 1);
	}

	static boolean hasNodePorts(JsonNode spec) {
		String type = spec.path("type").asString("");
		return "NodePort".equals(type) || "LoadBalancer".equals(type);
	}

	static Set<Integer> used(JsonNode spec) {
		Set<Integer> ports = new HashSet<>();
		spec.path("ports").forEach((port) -> ports.add(port.path(NODE_PORT).asInt(0)));
		ports.remove(0);
		return ports;
	}

	/**
	 * Restores the {@code nodePort}s that an update leaves out.
	 * @param spec the specification
	 * @param before the specification before the update
	 */
	static void keep(JsonNode spec, JsonNode before) {
		if (!hasNodePorts(spec) || !hasNodePorts(before)) {
			return;
		}
		Set<Integer> used = used(before);
		used.retainAll(used(spec));
		Map<String, Integer> known = new HashMap<>();
		before.path("ports")
			.forEach((port) -> known.put(port.path("name").asString(""), port.path(NODE_PORT).asInt(0)));
		for (JsonNode port : spec.path("ports")) {
			int old = known.getOrDefault(port.path("name").asString(""), 0);
			if (port instanceof ObjectNode object && port.path(NODE_PORT).asInt(0) == 0 && old != 0
					&& !used.contains(old)) {
				object.put(NODE_PORT, old);
			}
		}
	}

	/**
	 * Allocates the ports of a new Service. Ports of the Service with the same number
	 * share a {@code nodePort}.
	 * @param service the Service
	 * @param number a number that no other Service had; it determines the first port to
	 * try
	 * @throws RequestFailure 422 for a port that cannot be allocated
	 */
	public static void create(ObjectNode service, int number) {
		new ServicePorts(service, number).create();
	}

	/**
	 * Allocates the ports of a changed Service.
	 * @param service the Service
	 * @param before the Service before the update
	 * @param number a number that no other Service had; it determines the first port to
	 * try
	 * @throws RequestFailure 422 for a port that cannot be allocated, 500 for a port that
	 * is set twice
	 */
	public static void update(ObjectNode service, JsonNode before, int number) {
		new ServicePorts(service, number).update(used(before.path("spec")));
	}

	private void create() {
		if (!hasNodePorts(this.spec)) {
			return;
		}
		Set<Integer> allocated = new HashSet<>();
		Map<Integer, Integer> shared = new HashMap<>();
		int index = 0;
		for (JsonNode item : this.spec.path("ports")) {
			int given = item.path(NODE_PORT).asInt(0);
			if (item instanceof ObjectNode port && (given != 0 || allocates())) {
				int number = port.path("port").asInt(0);
				int same = shared.getOrDefault(number, 0);
				if (same == 0) {
					int wanted = wanted(number);
					same = (wanted != 0) ? allocate(wanted, index, allocated) : next();
					shared.put(number, same);
					port.put(NODE_PORT, same);
				}
				else if (given == 0) {
					port.put(NODE_PORT, same);
				}
				else if (given != same) {
					allocate(given, index, allocated);
				}
			}
			index++;
		}
	}

	private void update(Set<Integer> before) {
		if (!hasNodePorts(this.spec)) {
			return;
		}
		Set<Integer> allocated = new HashSet<>();
		Set<String> seen = new HashSet<>();
		int index = 0;
		for (JsonNode item : this.spec.path("ports")) {
			int given = item.path(NODE_PORT).asInt(0);
			if (item instanceof ObjectNode port && (given != 0 || allocates())) {
				if (given == 0) {
					port.put(NODE_PORT, next());
				}
				else if (!before.contains(given) && !allocated.contains(given)) {
					allocate(given, index, allocated);
				}
				String all = "{" + port.path("protocol").asString("") + " " + port.path(NODE_PORT).asInt() + "}";
				if (!seen.add(all)) {
					throw Statuses.unexpected("duplicate nodePort: " + all);
				}
			}
			index++;
		}
	}

	private boolean allocates() {
		return "NodePort".equals(this.spec.path("type").asString(""))
				|| this.spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
	}

	private int wanted(int number) {
		for (JsonNode port : this.spec.path("ports")) {
			int given = port.path(NODE_PORT).asInt(0);
			if (given != 0 && port.path("port").asInt(0) == number) {
				return given;
			}
		}
		return 0;
	}

	private int allocate(int port, int index, Set<Integer> allocated) {
		boolean valid = port >= FIRST && port <= LAST;
		if (!valid || !allocated.add(port)) {
			String why = (valid) ? "provided port is already allocated"
					: "provided port is not in the valid range. The range of valid ports is " + FIRST + "-" + LAST;
			throw Rejection.of("", "Service", this.service.path("metadata").path("name").asString(""), new Rejection(
					"spec.ports[" + index + "].nodePort", "FieldValueInvalid", "Invalid value: " + port + ": " + why));
		}
		return port;
	}

	private int next() {
		while (!this.used.add(this.next)) {
			this.next = (this.next < LAST) ? this.next + 1 : FIRST;
		}
		return this.next;
	}

}
