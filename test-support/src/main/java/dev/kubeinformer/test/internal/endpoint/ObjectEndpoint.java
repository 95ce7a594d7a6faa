package dev.kubeinformer.test.internal.endpoint;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.access.Access;
import dev.kubeinformer.test.internal.fault.ResponseFault;
import dev.kubeinformer.test.internal.http.Bodies;
import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.lease.CompetingLeaseHolder;
import dev.kubeinformer.test.internal.list.ListEndpoint;
import dev.kubeinformer.test.internal.list.ListReader;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ApiPath;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.Subresources;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.DeleteOptions;
import dev.kubeinformer.test.internal.write.Deletion;
import dev.kubeinformer.test.internal.write.Namespaces;
import dev.kubeinformer.test.internal.write.ObjectUpdates;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.Upsert;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Serves the verbs on single objects: get, create, update and delete.
 * {@link PatchEndpoint} serves patches.
 */
public final class ObjectEndpoint {

	private final StoredObjects store;

	private final RevisionLog log;

	private final ObjectRenderer renderer;

	private final Namespaces namespaces;

	private final Deletion deletion;

	private final CompetingLeaseHolder rival;

	private final PatchEndpoint patches;

	private final ScaleEndpoint scales;

	public ObjectEndpoint(StoredObjects store, RevisionLog log, ObjectRenderer renderer, Namespaces namespaces,
			Deletion deletion, CompetingLeaseHolder rival) {
		this.store = store;
		this.log = log;
		this.renderer = renderer;
		this.namespaces = namespaces;
		this.deletion = deletion;
		this.rival = rival;
		this.patches = new PatchEndpoint(store, log, renderer, namespaces);
		this.scales = new ScaleEndpoint(store);
	}

	void get(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		this.rival.precede(type, key);
		ResponseFault.AsOf asOf = exchange.interference(ResponseFault.AsOf.class);
		if (asOf != null) {
			answer(exchange, 200, type, past(type, key, asOf.revision()));
			return;
		}
		long asked = exchange.query().resourceVersion(false);
		long current = this.log.revision();
		if (asked > current) {
			throw Statuses.tooLargeResourceVersion(asked, current);
		}
		PersistedObject object = this.store.get(type, key);
		if (isScale(exchange)) {
			exchange.json(200, this.scales.get(type, object));
			return;
		}
		answer(exchange, 200, type, object);
	}

	private PersistedObject past(ResourceDefinition type, ObjectKey key, long revision) {
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
		WriteOptions options = WriteOptions.of(exchange.recorded(), "CreateOptions", false, exchange::warn,
				exchange::duplicateFields);
		ObjectNode body = Bodies.object(exchange, type.kind());
		String name = Json.text(body.path("metadata"), "name");
		this.namespaces.check(type, namespace, name);
		if (name != null) {
			this.rival.precede(type, new ObjectKey(namespace, name));
		}
		answer(exchange, 201, type, this.store.create(type, namespace, body, options));
	}

	void update(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		this.rival.precede(type, key);
		WriteOptions options = WriteOptions.of(exchange.recorded(), "UpdateOptions", false, exchange::warn,
				exchange::duplicateFields);
		if (isScale(exchange)) {
			exchange.json(200, this.scales.update(type, key, Bodies.object(exchange, ScaleEndpoint.KIND), options));
			return;
		}
		ObjectNode body = Bodies.object(exchange, type.kind());
		if (!options.subresource().isEmpty() || !Subresources.isCreatedByUpdate(type)) {
			answer(exchange, 200, type, this.store.update(type, key, body, options));
			return;
		}
		new Upsert(this.log, type.resource(), key).run(
				() -> answer(exchange, 200, type, this.store.update(type, key, body.deepCopy(), options)),
				() -> answer(exchange, 201, type, createByUpdate(exchange, type, key, body.deepCopy(), options)));
	}

	private PersistedObject createByUpdate(Exchange exchange, ResourceDefinition type, ObjectKey key, ObjectNode body,
			WriteOptions options) {
		StoredObjects.checkIdentity(type, key, body);
		ObjectNode metadata = body.withObject("metadata");
		ObjectUpdates.checkUid(type, key, "", metadata);
		this.namespaces.check(type, key.namespace(), key.name());
		Access.checkCreate(exchange.user(), exchange.recorded());
		metadata.remove("resourceVersion");
		return this.store.create(type, key.namespace(), body, options);
	}

	void patch(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		this.rival.precede(type, key);
		if (isScale(exchange)) {
			WriteOptions options = WriteOptions.of(exchange.recorded(), "PatchOptions", false, exchange::warn,
					exchange::duplicateFields);
			exchange.json(200,
					this.scales.patch(type, key, Bodies.mediaType(exchange), Bodies.patch(exchange), options));
			return;
		}
		this.patches.patch(exchange, type, key);
	}

	void delete(Exchange exchange, ResourceDefinition type, ObjectKey key) {
		DeleteOptions options = DeleteOptions.of(Bodies.options(exchange), exchange.query());
		Deletion.Result result = this.deletion.delete(type, key, options);
		if (!result.gone() || type.isReturnedByDelete()) {
			answer(exchange, (options.cascading() && !result.gone()) ? 202 : 200, type, result.object());
		}
		else {
			String uid = result.object().tree().path("metadata").path("uid").asString();
			exchange.json(200, Statuses.deleted(type.resource(), key.name(), uid));
		}
	}

	/**
	 * Deletes the objects of a collection that match the selectors of the request.
	 * @param exchange the request
	 * @param type their resource
	 * @param namespace their namespace, empty for cluster-scoped objects
	 * @param lists the endpoint of lists; the response is the list of the objects before
	 * the delete
	 */
	void deleteCollection(Exchange exchange, ResourceDefinition type, String namespace, ListEndpoint lists) {
		DeleteOptions options = DeleteOptions.of(Bodies.options(exchange), exchange.query());
		ListReader.Page page = lists.read(exchange, type, namespace);
		for (PersistedObject object : page.objects()) {
			try {
				this.deletion.delete(type, object.key(), options);
			}
			catch (RequestFailure ex) {
				// 404: the object was deleted in the meantime.
				if (ex.code() != 404) {
					throw ex;
				}
			}
		}
		lists.answer(exchange, type, page);
	}

	private static boolean isScale(Exchange exchange) {
		ApiPath path = ApiPath.parse(exchange.recorded().path());
		return path != null && Subresources.SCALE.equals(path.subresource());
	}

	private void answer(Exchange exchange, int status, ResourceDefinition type, PersistedObject object) {
		byte[] json = this.renderer.in(exchange.representation(), exchange.query()).object(type, object);
		ResponseFault.Versions versions = exchange.interference(ResponseFault.Versions.class);
		if (versions != null) {
			ObjectNode tree = Json.readObject(json);
			tree.withObject("metadata").put("resourceVersion", versions.apply(Long.toString(object.revision())));
			exchange.json(status, tree);
			return;
		}
		exchange.send(status, Exchange.JSON, json);
	}

}
