package dev.kubeinformer.internal.codec.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.election.LeaseRecord;

/**
 * Lease ({@code coordination.k8s.io/v1}) as JSON. Everything that does not concern the
 * election stays unchanged: labels, annotations, and fields of later versions of
 * Kubernetes. Immutable.
 */
public final class LeaseDocument {

	static final JsonMapper JSON = JsonMapper.builder().build();

	/** Format of Kubernetes' MicroTime. */
	private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
		.withZone(ZoneOffset.UTC);

	private static final String HOLDER = "holderIdentity";

	private static final String DURATION = "leaseDurationSeconds";

	private static final String ACQUIRED = "acquireTime";

	private static final String RENEWED = "renewTime";

	private static final String TRANSITIONS = "leaseTransitions";

	private static final String PREFERRED = "preferredHolder";

	private final ObjectNode root;

	private LeaseDocument(ObjectNode root) {
		this.root = root;
	}

	/**
	 * Returns a Lease to create.
	 * @param namespace the namespace
	 * @param name the name
	 * @return the Lease, without a holder
	 */
	public static LeaseDocument of(String namespace, String name) {
		ObjectNode root = JSON.createObjectNode();
		root.put("apiVersion", "coordination.k8s.io/v1");
		root.put("kind", "Lease");
		root.putObject("metadata").put("name", name).put("namespace", namespace);
		return new LeaseDocument(root);
	}

	/**
	 * Reads a Lease.
	 * @param json the Lease in JSON
	 * @return the Lease
	 * @throws MalformedResponseException if the JSON is not a Lease
	 */
	public static LeaseDocument read(byte[] json) throws MalformedResponseException {
		try {
			return read(JSON.readTree(json));
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("The Lease is not JSON", ex);
		}
	}

	static LeaseDocument read(@Nullable JsonNode tree) throws MalformedResponseException {
		if (!(tree instanceof ObjectNode root)
				|| root.path("metadata").path("resourceVersion").asString("").isEmpty()) {
			throw new MalformedResponseException("The Lease has no resourceVersion");
		}
		return new LeaseDocument(root);
	}

	/**
	 * Reads an event of a watch.
	 * @param json the event in JSON
	 * @return the Lease; {@code null} if the event reports that the Lease was deleted
	 * @throws MalformedResponseException if the JSON is not an event of a Lease, for
	 * example an error
	 */
	public static @Nullable LeaseDocument readEvent(String json) throws MalformedResponseException {
		try {
			JsonNode event = JSON.readTree(json);
			return switch (event.path("type").asString("")) {
				case "ADDED", "MODIFIED" -> read(event.path("object"));
				case "DELETED" -> null;
				default -> throw new MalformedResponseException("The watch of the Lease has failed");
			};
		}
		catch (JacksonException ex) {
			throw new MalformedResponseException("The event is not JSON", ex);
		}
	}

	/**
	 * Returns a copy with another election record.
	 * @param record the record
	 * @return the copy
	 */
	public LeaseDocument with(LeaseRecord record) {
		ObjectNode copy = this.root.deepCopy();
		ObjectNode spec = (copy.path("spec") instanceof ObjectNode known) ? known : copy.putObject("spec");
		spec.put(HOLDER, record.holder());
		spec.put(DURATION, record.durationSeconds());
		put(spec, ACQUIRED, record.acquireTime());
		put(spec, RENEWED, record.renewTime());
		spec.put(TRANSITIONS, record.transitions());
		if (record.preferredHolder().isEmpty()) {
			spec.remove(PREFERRED);
		}
		else {
			spec.put(PREFERRED, record.preferredHolder());
		}
		return new LeaseDocument(copy);
	}

	private static void put(ObjectNode spec, String name, @Nullable Instant time) {
		if (time != null) {
			spec.put(name, MICRO_TIME.format(time));
		}
		else {
			spec.remove(name);
		}
	}

	/**
	 * Returns a copy with a label.
	 * @param key the key of the label
	 * @param value the value of the label
	 * @return the copy
	 */
	public LeaseDocument withLabel(String key, String value) {
		return with("labels", key, value);
	}

	/**
	 * Returns a copy with an annotation.
	 * @param key the key of the annotation
	 * @param value the value of the annotation; empty to remove it
	 * @return the copy
	 */
	public LeaseDocument withAnnotation(String key, String value) {
		return with("annotations", key, value);
	}

	private LeaseDocument with(String field, String key, String value) {
		ObjectNode copy = this.root.deepCopy();
		ObjectNode metadata = (ObjectNode) copy.path("metadata");
		ObjectNode values = (metadata.path(field) instanceof ObjectNode known) ? known : metadata.putObject(field);
		if (value.isEmpty()) {
			values.remove(key);
		}
		else {
			values.put(key, value);
		}
		return new LeaseDocument(copy);
	}

	/**
	 * Returns the value of an annotation.
	 * @param key the key of the annotation
	 * @return the value; empty if the annotation is missing
	 */
	public String annotation(String key) {
		return this.root.path("metadata").path("annotations").path(key).asString("");
	}

	/**
	 * Returns the name of the Lease.
	 * @return the name
	 */
	public String name() {
		return this.root.path("metadata").path("name").asString("");
	}

	/**
	 * Returns the version of the Lease.
	 * @return the version; empty if the Lease was not read
	 */
	public String resourceVersion() {
		return this.root.path("metadata").path("resourceVersion").asString("");
	}

	/**
	 * Returns the election record. Values of the wrong type count as missing.
	 * @return the record
	 */
	public LeaseRecord record() {
		JsonNode spec = this.root.path("spec");
		return new LeaseRecord(spec.path(HOLDER).asString(""), spec.path(DURATION).asInt(0), time(spec.path(ACQUIRED)),
				time(spec.path(RENEWED)), spec.path(TRANSITIONS).asLong(0), spec.path(PREFERRED).asString(""));
	}

	private static @Nullable Instant time(JsonNode value) {
		try {
			String text = value.asString("");
			return text.isEmpty() ? null : Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text));
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/**
	 * Returns the body of a request that deletes a Lease if its version has not changed.
	 * @param resourceVersion the version
	 * @return the JSON in UTF-8
	 */
	public static byte[] deleteOptions(String resourceVersion) {
		ObjectNode root = JSON.createObjectNode();
		root.put("apiVersion", "v1");
		root.put("kind", "DeleteOptions");
		root.putObject("preconditions").put("resourceVersion", resourceVersion);
		return JSON.writeValueAsBytes(root);
	}

	/**
	 * Writes the Lease.
	 * @return the JSON in UTF-8
	 */
	public byte[] write() {
		return JSON.writeValueAsBytes(this.root);
	}

}
