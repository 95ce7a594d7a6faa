package dev.kubeinformer.types;

import java.util.List;

/**
 * Failed write of a reconciler, without contents of objects.
 *
 * @param verb the verb of RBAC: {@code create}, {@code patch}, {@code delete} or
 * {@code get}
 * @param resource the resource with its subresource, such as {@code deployments.apps} or
 * {@code foos.example.com/status}
 * @param kind the kind of the object
 * @param key the object; its name is empty if the API server should have generated the
 * name
 * @param status the HTTP status; 0 if the API server did not respond
 * @param reason the reason that the API server gave, such as {@code Invalid};
 * {@code NotServed} if it does not serve the resource or subresource; empty if there is
 * no reason
 * @param refusedBy the webhook or policy that rejected the write; empty if none did
 * @param fields the first fields that the API server named, without values
 */
public record FailedWrite(String verb, String resource, String kind, ObjectKey key, int status, String reason,
		String refusedBy, List<String> fields) {

	/**
	 * Creates a failed write.
	 */
	public FailedWrite {
		fields = List.copyOf(fields);
	}

	/**
	 * Returns a short text about the response of the API server.
	 * @return a text such as {@code HTTP 422 Invalid: spec.selector}; empty if the API
	 * server did not respond
	 */
	public String answer() {
		if (this.status == 0) {
			return "";
		}
		String said = "HTTP %d %s".formatted(this.status, this.reason).strip();
		String by = this.refusedBy.isEmpty() ? "" : " by " + this.refusedBy;
		return said + by + (this.fields.isEmpty() ? "" : ": " + String.join(", ", this.fields));
	}

	@Override
	public String toString() {
		String object = this.key.name().isEmpty() ? this.key.namespace() : this.key.toString();
		return "%s %s '%s'".formatted(this.verb, this.resource, object);
	}

}
