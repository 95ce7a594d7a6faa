package dev.kubeinformer.test.internal.fault;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;

/**
 * Objects that are served in a form that differs from the stored one, because of a fault.
 */
public final class Corruptions {

	private final Map<Target, UnaryOperator<String>> changes = new ConcurrentHashMap<>();

	public void put(GroupResource resource, ObjectKey key, UnaryOperator<String> change) {
		this.changes.put(new Target(resource, key), change);
	}

	public void remove(GroupResource resource, ObjectKey key, UnaryOperator<String> change) {
		this.changes.remove(new Target(resource, key), change);
	}

	public void clear() {
		this.changes.clear();
	}

	public byte[] apply(GroupResource resource, ObjectKey key, byte[] json) {
		if (this.changes.isEmpty()) {
			return json;
		}
		UnaryOperator<String> change = this.changes.get(new Target(resource, key));
		return (change != null) ? Json.utf8(change.apply(new String(json, StandardCharsets.UTF_8))) : json;
	}

	/**
	 * An object of a resource.
	 *
	 * @param resource the resource
	 * @param key the object
	 */
	private record Target(GroupResource resource, ObjectKey key) {
	}

}
