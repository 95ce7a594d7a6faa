package dev.kubeinformer.test;

import org.eclipse.jetty.http.HttpHeader;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verbs on single objects: get, create, update, patch and delete.
 */
final class ObjectEndpoint {

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private final ObjectStore store;

	private final RevisionLog log;

	private final ObjectRenderer renderer;

	ObjectEndpoint(ObjectStore store, RevisionLog log, ObjectRenderer renderer) {
		this.store = store;
		this.log = log;
		this.renderer = renderer;
	}

	void get(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		Disturbance.AsOf asOf = exchange.disturbance(Disturbance.AsOf.class);
		if (asOf != null) {
			answer(exchange, 200, type, past(type, key, asOf.revision()));
			return;
		}
		long asked = exchange.query().resourceVersion(false);
		long current = this.log.revision();
		if (asked > current) {
			throw Statuses.tooLargeResourceVersion(asked, current);
		}
		answer(exchange, 200, type, this.store.get(type, key));
	}

	private StoredObject past(ResourceDefinition type, ObjectKey key, long revision) {
		RevisionLog.Snapshot past = this.log.listAt(type.resource(), key.namespace(), revision);
		if (past == null) {
			throw Statuses.expiredList();
		}
		return past.objects()
			.stream()
			.filter((object) -> object.key().equals(key))
			.findFirst()
			.orElseThrow(() -> Statuses.notFound(type.resource(), key.name()));
	}

	void create(Exchange exchange, ResourceDefinition type, String namespace) {
		answer(exchange, 201, type, this.store.create(type, namespace, body(exchange, type)));
	}

	void update(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		ApiPath path = ApiPath.parse(exchange.recorded().path());
		String subresource = (path != null) ? path.subresource() : null;
		answer(exchange, 200, type, this.store.update(type, key, body(exchange, type), subresource));
	}

	void patch(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		String contentType = mediaType(exchange);
		if (!MERGE_PATCH.equals(contentType)) {
			throw Statuses.of(415, "patches of type \"" + contentType + "\" are not supported - accepted media types "
					+ "include: " + MERGE_PATCH);
		}
		ApiPath path = ApiPath.parse(exchange.recorded().path());
		String subresource = (path != null) ? path.subresource() : null;
		answer(exchange, 200, type, this.store.patch(type, key, parse(exchange, type), subresource));
	}

	void delete(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		StoredObject last = this.store.delete(type, key);
		if (type.isReturnedByDelete()) {
			answer(exchange, 200, type, last);
		}
		else {
			String uid = last.tree().path("metadata").path("uid").asString();
			exchange.json(200, Statuses.deleted(type.resource(), key.name(), uid));
		}
	}

	private void answer(Exchange exchange, int status, ResourceDefinition type, StoredObject object) {
		byte[] json = this.renderer.object(type, object);
		Disturbance.Versions versions = exchange.disturbance(Disturbance.Versions.class);
		if (versions != null) {
			ObjectNode tree = Json.readObject(json);
			tree.withObject("metadata").put("resourceVersion", versions.tell(Long.toString(object.revision())));
			exchange.json(status, tree);
			return;
		}
		exchange.send(status, Exchange.JSON, json);
	}

	private static ObjectNode body(Exchange exchange, ResourceDefinition type) {
		String contentType = mediaType(exchange);
		if (!contentType.isEmpty() && !Exchange.JSON.equals(contentType)) {
			throw Statuses.of(415, "the body of the request was in an unknown format (\"" + contentType
					+ "\") - accepted media types include: " + Exchange.JSON);
		}
		return parse(exchange, type);
	}

	private static String mediaType(Exchange exchange) {
		return exchange.header(HttpHeader.CONTENT_TYPE).split(";", 2)[0].trim();
	}

	private static ObjectNode parse(Exchange exchange, ResourceDefinition type) {
		try {
			JsonNode body = Json.read(exchange.body());
			if (body instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			throw Statuses.badRequest("the object provided is unrecognized (must be of type " + type.kind()
					+ "): json parse error: " + ex.getOriginalMessage());
		}
		throw Statuses.badRequest("the object provided is unrecognized (must be of type " + type.kind() + ")");
	}

}
