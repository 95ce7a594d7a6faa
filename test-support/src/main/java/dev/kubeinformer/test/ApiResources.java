package dev.kubeinformer.test;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.json.Models;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.server.ApiServer;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.status.Statuses;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.ObjectWrites;

/**
 * Access to the objects of one resource directly in the storage, without HTTP, faults or
 * the request log. A namespaced object without a namespace is stored in "default".
 * Thread-safe.
 * <p>
 * Writes store fixtures: their content is not validated, the status is written together
 * with the rest of the object, and a delete ignores finalizers. Only names and existence
 * are checked. The writes of {@link #asClient()} follow the rules of kube-apiserver for
 * clients.
 *
 * @param <T> the model class
 */
public final class ApiResources<T extends KubernetesObject> {

	private static final String DEFAULT_NAMESPACE = "default";

	private final ResourceDefinition type;

	private final Class<T> model;

	private final Models models;

	private final RevisionLog log;

	private final ObjectWrites writes;

	private final ObjectWrites clientWrites;

	private final ObjectRenderer renderer = new ObjectRenderer(new Corruptions());

	ApiResources(ResourceDefinition type, Class<T> model, Models models, ApiServer server) {
		this(type, model, models, server.log(), server.directWrites(), server.clientWrites());
	}

	private ApiResources(ResourceDefinition type, Class<T> model, Models models, RevisionLog log, ObjectWrites writes,
			ObjectWrites clientWrites) {
		this.type = type;
		this.model = model;
		this.models = models;
		this.log = log;
		this.writes = writes;
		this.clientWrites = clientWrites;
	}

	/**
	 * Returns access to the same objects, with writes that follow the rules of
	 * kube-apiserver. Each write has the same outcome as an HTTP request of a client:
	 * <ul>
	 * <li>A create or update is validated: by the schema and the rules of the custom
	 * resource's definition, or of the built-in type. The namespace must exist. If the
	 * write is rejected, the method throws a {@link StatusException} with the message of
	 * kube-apiserver, such as
	 * {@code WebApp.example.com "web" is invalid: spec.replicas: Invalid value: -1: …}.</li>
	 * <li>Defaults are filled in, and unknown fields are removed.</li>
	 * <li>The status is left out if it is a subresource.</li>
	 * <li>An update of a custom resource needs the {@code resourceVersion}, which
	 * {@link #edit} and {@link #createOrUpdate} set.</li>
	 * <li>A delete waits for finalizers: it sets the {@code deletionTimestamp}, and the
	 * object is removed with its last finalizer.</li>
	 * </ul>
	 * Faults, permissions of users and the log of requests do not apply, because there is
	 * no request.
	 * @return access to the same objects, with the rules for clients
	 */
	public ApiResources<T> asClient() {
		return new ApiResources<>(this.type, this.model, this.models, this.log, this.clientWrites, this.clientWrites);
	}

	/**
	 * Creates an object.
	 * @param object the object, which is not modified
	 * @return the stored object
	 * @throws StatusException 409 if the object exists, 422 if its name is invalid; with
	 * {@link #asClient()} whenever kube-apiserver would reject the create
	 */
	public T create(T object) {
		return typed(store(object));
	}

	/**
	 * Creates many objects from a template.
	 * @param count the number of objects
	 * @param template the function that creates an object from its number, counted from 0
	 */
	public void fill(int count, IntFunction<T> template) {
		for (int i = 0; i < count; i++) {
			store(template.apply(i));
		}
	}

	/**
	 * Replaces an object including its status.
	 * @param object the object, which is not modified; if its resourceVersion is not the
	 * current one, the update fails with a conflict
	 * @return the stored object
	 * @throws StatusException 404 if the object does not exist, 409 if it was changed in
	 * the meantime; with {@link #asClient()} whenever kube-apiserver would reject the
	 * update
	 */
	public T update(T object) {
		ObjectKey key = key(object.getMetadata().getNamespace(), object.getMetadata().getName());
		return StatusException.translate(() -> typed(this.writes.update(this.type, key, this.models.toJson(object))));
	}

	/**
	 * Creates an object, or replaces the object with that name, including its status.
	 * @param object the object, which is not modified; its resourceVersion is ignored
	 * @return the stored object
	 * @throws StatusException 422 if its name is invalid; with {@link #asClient()}
	 * whenever kube-apiserver would reject the write
	 */
	public T createOrUpdate(T object) {
		ObjectNode tree = this.models.toJson(object);
		ObjectKey key = key(object.getMetadata().getNamespace(), object.getMetadata().getName());
		while (true) {
			PersistedObject stored = this.log.get(this.type.resource(), key);
			ObjectNode body = tree.deepCopy();
			ObjectNode metadata = body.withObject("metadata").without("resourceVersion");
			if (stored != null) {
				metadata.put("resourceVersion", version(stored));
			}
			try {
				return typed((stored != null) ? this.writes.update(this.type, key, body)
						: this.writes.create(this.type, key.namespace(), body));
			}
			catch (RequestFailure ex) {
				throwUnlessChanged(ex, key, stored);
			}
		}
	}

	/**
	 * Changes an object. If another client changes the object at the same time, the
	 * function is called again with the newer state.
	 * @param namespace the namespace
	 * @param name the name
	 * @param change the change of a copy of the object
	 * @return the stored object
	 * @throws StatusException 404 if the object does not exist; with {@link #asClient()}
	 * whenever kube-apiserver would reject the update
	 */
	public T edit(@Nullable String namespace, String name, Consumer<? super T> change) {
		ObjectKey key = key(namespace, name);
		while (true) {
			PersistedObject stored = this.log.get(this.type.resource(), key);
			if (stored == null) {
				throw new StatusException(Statuses.notFound(this.type.resource(), name));
			}
			T edited = typed(stored);
			change.accept(edited);
			edited.getMetadata().setResourceVersion(version(stored));
			try {
				return typed(this.writes.update(this.type, key, this.models.toJson(edited)));
			}
			catch (RequestFailure ex) {
				throwUnlessChanged(ex, key, stored);
			}
		}
	}

	/**
	 * Changes a cluster-scoped object, or an object of the namespace "default".
	 * @param name the name
	 * @param change the change of a copy of the object
	 * @return the stored object
	 * @throws StatusException 404 if the object does not exist; with {@link #asClient()}
	 * whenever kube-apiserver would reject the update
	 * @see #edit(String, String, Consumer)
	 */
	public T edit(String name, Consumer<? super T> change) {
		return edit(null, name, change);
	}

	/**
	 * Deletes the objects of all namespaces one by one.
	 */
	public void deleteAll() {
		for (PersistedObject object : this.log.list(this.type.resource(), "").objects()) {
			try {
				this.writes.delete(this.type, object.key());
			}
			catch (RequestFailure ex) {
				// 404: another client has deleted the object in the meantime.
				if (ex.code() != 404) {
					throw new StatusException(ex);
				}
			}
		}
	}

	/**
	 * Deletes an object immediately. With {@link #asClient()}, the object is removed only
	 * after its last finalizer.
	 * @param namespace the namespace
	 * @param name the name
	 * @return its last state with the resourceVersion of the delete
	 * @throws StatusException 404 if the object does not exist
	 */
	public T delete(@Nullable String namespace, String name) {
		return typed(StatusException.translate(() -> this.writes.delete(this.type, key(namespace, name))));
	}

	/**
	 * Deletes a cluster-scoped object, or an object of the namespace "default".
	 * @param name the name
	 * @return its last state with the resourceVersion of the delete
	 * @throws StatusException 404 if the object does not exist
	 * @see #delete(String, String)
	 */
	public T delete(String name) {
		return delete(null, name);
	}

	/**
	 * Returns an object.
	 * @param namespace the namespace
	 * @param name the name
	 * @return a copy of the object; {@code null} if the object does not exist
	 */
	public @Nullable T get(@Nullable String namespace, String name) {
		PersistedObject stored = this.log.get(this.type.resource(), key(namespace, name));
		return (stored != null) ? typed(stored) : null;
	}

	/**
	 * Returns a cluster-scoped object, or an object of the namespace "default".
	 * @param name the name
	 * @return a copy of the object; {@code null} if the object does not exist
	 */
	public @Nullable T get(String name) {
		return get(null, name);
	}

	/**
	 * Returns the objects of all namespaces.
	 * @return copies of the objects, ordered by namespace and name
	 */
	public List<T> list() {
		return list("");
	}

	/**
	 * Returns the objects of a namespace.
	 * @param namespace the namespace
	 * @return copies of the objects, ordered by name
	 */
	public List<T> list(String namespace) {
		return this.log.list(this.type.resource(), namespace).objects().stream().map(this::typed).toList();
	}

	private PersistedObject store(T object) {
		ObjectNode tree = this.models.toJson(object);
		String namespace = Json.text(tree.path("metadata"), "namespace");
		return StatusException.translate(() -> this.writes.create(this.type, key(namespace, "").namespace(), tree));
	}

	// Returns normally after a 404 or 409 if another client has changed the object, so
	// that the caller retries the write. Throws an exception in all other cases.
	private void throwUnlessChanged(RequestFailure failure, ObjectKey key, @Nullable PersistedObject before) {
		PersistedObject now = this.log.get(this.type.resource(), key);
		boolean changed = (before != null) ? now == null || now.revision() != before.revision() : now != null;
		if (!changed || (failure.code() != 409 && failure.code() != 404)) {
			throw new StatusException(failure);
		}
	}

	private static String version(PersistedObject stored) {
		return Long.toString(stored.revision());
	}

	private ObjectKey key(@Nullable String namespace, String name) {
		if (!this.type.namespaced()) {
			return new ObjectKey("", name);
		}
		return new ObjectKey((namespace != null) ? namespace : DEFAULT_NAMESPACE, name);
	}

	private T typed(PersistedObject stored) {
		return this.models.fromJson(this.renderer.object(this.type, stored), this.model);
	}

}
